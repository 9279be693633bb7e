"""Builder of the next index generation, filled with the documents as the registry has them.

It waits for no ingestion, policy change or deletion. After each document is written its record is read again, and each
later change of a document reconciles both generations (`Reconciler`). The next generation therefore differs from the
registry no longer than the live one does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from groundwire.domain.documents.indexed_fields import indexed_fields
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.ports import Documents, DocumentVersion, Embedder, Index, Indexes
from groundwire.services.ingest.segments import embed_segments
from groundwire.services.reconcile import sync_index

ReindexProgress = Callable[[int, int], None]
"""Callback with the number of the tenant's segments in the next generation, and of all segments."""
AfterDocument = Callable[[str], None]
"""Callback with the id of each copied document; an error that it raises ends the run."""

_VersionToken = tuple[int, int]


def do_nothing(_doc_id: str) -> None:
    """Do nothing between two documents."""


@dataclass(frozen=True, slots=True)
class ReindexOptions:
    """Options of a run.

    Attributes:
        progress, after_document: callbacks.
        resume_after: id of the last document of the previous, paused run: documents up to it count as copied if their
            rows are complete.
    """

    progress: ReindexProgress
    after_document: AfterDocument = do_nothing
    resume_after: str = ""


class GenerationBuilder:
    """Builder of one generation, document by document; it continues an interrupted run."""

    def __init__(
        self,
        tenant: str,
        documents: Documents,
        indexes: Indexes,
        embedder: Embedder,
        options: ReindexOptions,
        sleep: Callable[[float], None],
    ) -> None:
        """Initialise, and start the generation if there is none.

        Raises:
            Conflict: the next generation was started with another model.
        """
        self._tenant = tenant
        self._documents = documents
        self._indexes = indexes
        self._embedder = embedder
        self._options = options
        self._sleep = sleep
        self._next = indexes.start_generation(tenant, embedder.model)
        self._copied: dict[str, _VersionToken] = {}
        self._not_yet_visible: dict[str, _VersionToken] = {}
        self.embedded_count = 0

    def run_pass(self) -> int:
        """Copy all documents that have changed since the last pass; return their number."""
        live = self._indexes.for_tenant(self._tenant)
        documents = self._indexed()
        existing_rows = self._existing_rows(documents)
        total = sum(document.segments for document in documents)
        changed = [document for document in documents if self._copied.get(document.doc_id) != _version_token(document)]
        done = total - sum(document.segments for document in changed)
        for document in changed:
            self._copy(
                live, document, existing_rows, lambda part, _all, before=done: self._report(before + part, total)
            )
            done += document.segments
            self._report(done, total)
            self._options.after_document(document.doc_id)
        if any(document.doc_id in self._not_yet_visible for document in changed):
            self.wait_until_visible()
        return len(changed)

    def wait_until_visible(self) -> None:
        """Wait until all written rows are visible in both generations."""
        if delay := self._next.visible_after_seconds:
            self._sleep(delay)

    def prune_orphaned_rows(self) -> None:
        """Remove rows without a living document of the same version.

        A run that was killed during a document's deletion may have left such rows, which no record mentions.
        """
        living = {document.doc_id: document.version for document in self._indexed()}
        for doc_id in {
            each.doc_id for each in self._next.count_rows_by_version() if living.get(each.doc_id) != each.version
        }:
            self._next.prune(doc_id, living.get(doc_id))

    def _report(self, done: int, total: int) -> None:
        self._options.progress(done, total)

    def _indexed(self) -> list[Document]:
        documents = self._documents.all(self._tenant, None)
        indexed = [document for document in documents if document.state is DocumentState.INDEXED]
        return sorted(indexed, key=lambda document: document.doc_id)

    def _existing_rows(self, documents: list[Document]) -> Mapping[DocumentVersion, int]:
        """Return the row counts of the next generation; complete documents of an earlier run count as copied."""
        row_counts = self._next.count_rows_by_version()
        for document in documents:
            if (
                document.doc_id <= self._options.resume_after
                and row_counts.get(_version(document)) == document.segments
            ):
                self._copied.setdefault(document.doc_id, _version_token(document))
        return row_counts

    def _copy(
        self,
        live: Index,
        document: Document,
        existing_rows: Mapping[DocumentVersion, int],
        progress: ReindexProgress,
    ) -> None:
        version = _version(document)
        if existing_rows.get(version, 0) != document.segments:
            segments = live.segments(version)
            if len(segments) < document.segments and self._is_not_yet_visible(document):
                return
            embedded = embed_segments(self._embedder, segments, {}, progress)
            self._next.put(version, document.policy, embedded.inputs, indexed_fields(document))
            self.embedded_count += embedded.embedded_count
        current = self._documents.read(self._tenant, [document.doc_id]).get(document.doc_id)
        if current is None:
            self._next.prune(document.doc_id, None)
            return
        sync_index(self._next, current)
        if _version_token(current) == _version_token(document):
            self._copied[document.doc_id] = _version_token(document)

    def _is_not_yet_visible(self, document: Document) -> bool:
        """Return whether missing rows may become visible: True once per version, since a full delay is waited then."""
        if not self._next.visible_after_seconds or self._not_yet_visible.pop(document.doc_id, None) == _version_token(
            document
        ):
            return False
        self._not_yet_visible[document.doc_id] = _version_token(document)
        return True


def _version_token(document: Document) -> _VersionToken:
    return document.version, document.policy_version


def _version(document: Document) -> DocumentVersion:
    return DocumentVersion(document.doc_id, document.version)
