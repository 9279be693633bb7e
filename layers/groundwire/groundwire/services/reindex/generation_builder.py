"""Builder of the next index generation, filled with the documents as the registry has them.

It waits for no ingestion, policy change or deletion. After each document is written its record is read again, and each
later change of a document reconciles both generations (`Reconciler`). The next generation therefore differs from the
registry no longer than the live one does.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.documents.indexed_fields import indexed_fields
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.search.joint_vectors import JointModel
from groundwire.ports import Documents, DocumentVersion, Embedder, Indexes, SegmentInput, VectorIndex
from groundwire.services.documents.images.embedding import with_pictures_of
from groundwire.services.documents.reconcile import sync_index
from groundwire.services.ingest.rows.segments import embed_segments
from groundwire.services.reindex.index_transfer import read_rows

ReindexProgress = Callable[[int, int], None]
"""Callback with the number of the tenant's segments in the next generation, and of all segments."""
AfterDocument = Callable[[str], None]
"""Callback with the id of each copied document; an error that it raises ends the run."""

RowCount = Callable[[Document], int]
"""Function that returns the number of a document's rows in an index: its segments, or its images."""

_VersionToken = tuple[int, int]

_PAGE_DOCUMENTS: Final = 1_000
"""Documents with rows of an earlier form that are read at a time."""


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
        row_count: RowCount,
        embedder: Embedder,
        options: ReindexOptions,
        sleep: Callable[[float], None],
    ) -> None:
        """Initialise, and start the generation if it is missing; `row_count` is of these `indexes`.

        Raises:
            Conflict: the next generation was started with another model.
        """
        self._tenant = tenant
        self._documents = documents
        self._indexes = indexes
        self._row_count = row_count
        self._embedder = embedder
        self._options = options
        self._sleep = sleep
        self._next = indexes.start_generation(tenant, embedder.model)
        self._outdated = _outdated_documents(self._next)
        self._copied: dict[str, _VersionToken] = {}
        self._not_yet_visible: dict[str, _VersionToken] = {}
        self.embedded_count = 0

    def run_pass(self) -> int:
        """Copy all documents that have changed since the last pass; return their number."""
        live = self._indexes.for_tenant(self._tenant)
        documents = self._indexed()
        existing_rows = self._existing_rows(documents)
        total = sum(map(self._row_count, documents))
        # A document without rows here needs no read: rows of an earlier version are removed as orphaned ones.
        changed = [
            each
            for each in documents
            if self._row_count(each) and self._copied.get(each.doc_id) != _version_token(each)
        ]
        done = total - sum(map(self._row_count, changed))
        for document in changed:
            self._copy(
                live, document, existing_rows, lambda part, _all, before=done: self._report(before + part, total)
            )
            done += self._row_count(document)
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
            is_complete = row_counts.get(_version(document), 0) == self._row_count(document)
            is_passed = document.doc_id <= self._options.resume_after and document.doc_id not in self._outdated
            if is_complete and is_passed:
                self._copied.setdefault(document.doc_id, _version_token(document))
        return row_counts

    def _copy(
        self,
        live: VectorIndex,
        document: Document,
        existing_rows: Mapping[DocumentVersion, int],
        progress: ReindexProgress,
    ) -> None:
        version = _version(document)
        if existing_rows.get(version, 0) != self._row_count(document):
            segments = live.segments(version)
            if len(segments) < self._row_count(document) and self._is_not_yet_visible(document):
                return
            embedded = embed_segments(self._embedder, segments, {}, progress)
            self._next.put(
                version, document.readers, self._completed(live, version, embedded.inputs), indexed_fields(document)
            )
            self.embedded_count += embedded.embedded_count
        elif document.doc_id in self._outdated:
            self._write_anew(document)
        current = self._documents.read(self._tenant, [document.doc_id]).get(document.doc_id)
        if current is None:
            self._next.prune(document.doc_id, None)
            return
        sync_index(self._next, current)
        if _version_token(current) == _version_token(document):
            self._copied[document.doc_id] = _version_token(document)

    def _write_anew(self, document: Document) -> None:
        """Write complete rows that an earlier release copied in the present form; nothing is embedded.

        Rows that the index does not show yet are left to the sweep.
        """
        version = _version(document)
        rows = read_rows(self._next, version)
        if len(rows) == self._row_count(document):
            self._next.put(version, document.readers, rows, indexed_fields(document))
        self._outdated.discard(document.doc_id)

    def _completed(
        self, live: VectorIndex, version: DocumentVersion, rows: Sequence[SegmentInput]
    ) -> Sequence[SegmentInput]:
        """Return the rows with the pictures of the live index, which are not embedded again."""
        if JointModel.parse(live.model.name) is None:
            return rows
        before = live.vectors(version.doc_id)
        return [
            with_pictures_of(row, before[row.segment.uid].passage, self._next.model, live.model)
            if row.segment.uid in before
            else row
            for row in rows
        ]

    def _is_not_yet_visible(self, document: Document) -> bool:
        """Return whether missing rows may become visible: True once per version, since a full delay is waited then."""
        if not self._next.visible_after_seconds or self._not_yet_visible.pop(document.doc_id, None) == _version_token(
            document
        ):
            return False
        self._not_yet_visible[document.doc_id] = _version_token(document)
        return True


def _outdated_documents(index: VectorIndex) -> set[str]:
    """Return the ids of all documents with rows of an earlier form."""
    found: set[str] = set()
    after = ""
    while page := index.outdated_documents(after, _PAGE_DOCUMENTS):
        found.update(page)
        after = page[-1]
    return found


def _version_token(document: Document) -> _VersionToken:
    return document.version, document.policy_version


def _version(document: Document) -> DocumentVersion:
    return DocumentVersion(document.doc_id, document.version)
