"""The next generation of an index, filled with the documents as the registry has them.

Nothing here waits for ingestion, policy changes or deletions: after each document is written its record is read again,
and whatever changes a document later settles both generations (`Settle`). So the next generation never says
anything else than the registry for longer than the present one does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from groundwire.domain.documents.record import Document, DocumentState
from groundwire.ports import Documents, DocumentVersion, Embedder, Index, Indexes
from groundwire.services.ingest.segments import embed_segments
from groundwire.services.reconcile import sync_index

ReindexProgress = Callable[[int, int], None]
"""Told how many of the tenant's segments are in the next generation, and of how many."""
AfterDocument = Callable[[str], None]
"""Told each document that was brought, by id; what it raises ends the run there."""

_VersionToken = tuple[int, int]


def do_nothing(_doc_id: str) -> None:
    """Between documents of a run that nobody paces."""


@dataclass(frozen=True, slots=True)
class ReindexOptions:
    """How a run goes.

    Attributes:
        progress, after_document: told of it. resume_after: the last document of the run before this one, which had paused: what it
            brought is believed without a look at each.
    """

    progress: ReindexProgress
    after_document: AfterDocument = do_nothing
    resume_after: str = ""


class GenerationBuilder:
    """Goes on where an earlier run was interrupted, document by document."""

    def __init__(
        self,
        tenant: str,
        documents: Documents,
        indexes: Indexes,
        embedder: Embedder,
        options: ReindexOptions,
        sleep: Callable[[float], None],
    ) -> None:
        """Raises Conflict when the next generation was begun with another model."""
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
        """Every document that has moved since the last time is brought over; returns how many those were."""
        present = self._indexes.for_tenant(self._tenant)
        documents = self._indexed()
        held = self._existing_rows(documents)
        total = sum(document.segments for document in documents)
        moved = [document for document in documents if self._copied.get(document.doc_id) != _version_token(document)]
        done = total - sum(document.segments for document in moved)
        for document in moved:
            self._copy(present, document, held, lambda part, _all, before=done: self._report(before + part, total))
            done += document.segments
            self._report(done, total)
            self._options.after_document(document.doc_id)
        if any(document.doc_id in self._not_yet_visible for document in moved):
            self.wait_until_visible()
        return len(moved)

    def wait_until_visible(self) -> None:
        """Whatever was written before is seen in both generations."""
        if delay := self._next.visible_after_seconds:
            self._sleep(delay)

    def prune_orphaned_rows(self) -> None:
        """It holds rows of living documents and no others.

        A run that was killed while a document was being deleted may have left some that no record leads to.
        """
        living = {document.doc_id: document.version for document in self._indexed()}
        for doc_id in {
            each.doc_id for each in self._next.count_rows_by_version() if living.get(each.doc_id) != each.version
        }:
            self._next.prune(doc_id, living.get(doc_id))

    def _report(self, done: int, total: int) -> None:
        self._options.progress(done, total)

    def _indexed(self) -> list[Document]:
        every = self._documents.all(self._tenant, None)
        indexed = [document for document in every if document.state is DocumentState.INDEXED]
        return sorted(indexed, key=lambda document: document.doc_id)

    def _existing_rows(self, documents: list[Document]) -> Mapping[DocumentVersion, int]:
        """Rows of the next generation; what stands there since an earlier run counts as brought by this one."""
        held = self._next.count_rows_by_version()
        for document in documents:
            if document.doc_id <= self._options.resume_after and held.get(_version(document)) == document.segments:
                self._copied.setdefault(document.doc_id, _version_token(document))
        return held

    def _copy(
        self,
        present: Index,
        document: Document,
        existing_rows: Mapping[DocumentVersion, int],
        progress: ReindexProgress,
    ) -> None:
        version = _version(document)
        if existing_rows.get(version, 0) != document.segments:
            segments = present.segments(version)
            if len(segments) < document.segments and self._is_not_yet_visible(document):
                return
            embedded = embed_segments(self._embedder, segments, {}, progress)
            self._next.put(version, document.policy, embedded.inputs, document.metadata)
            self.embedded_count += embedded.embedded_count
        now = self._documents.read(self._tenant, [document.doc_id]).get(document.doc_id)
        if now is None:
            self._next.prune(document.doc_id, None)
            return
        sync_index(self._next, now)
        if _version_token(now) == _version_token(document):
            self._copied[document.doc_id] = _version_token(document)

    def _is_not_yet_visible(self, document: Document) -> bool:
        """Once: what is not seen a whole delay later is not there."""
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
