"""Reconciliation of index and blobs with a document's record, whatever their state.

Each change of a document first writes its record, marked `index_stale`, and reconciles afterwards. The record alone
decides what a search may return, so between the two steps no forbidden text is shown.

An index with delayed visibility hides recently written rows from the reconciliation. The record then stays stale, and
is reconciled again when all written rows are visible.

Only the holder of the tenant's ingest lock knows that versions without a record are left over. For all others, a
running ingestion may be creating them.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from typing import Final, Protocol

from groundwire.domain.documents.changes.ceiling import is_decided_by_person
from groundwire.domain.documents.changes.lifecycle import interrupted, marked_stale, partly_reconciled, reconciled
from groundwire.domain.documents.changes.tombstones import tombstone
from groundwire.domain.documents.indexed_fields import indexed_fields
from groundwire.domain.documents.record import PENDING_STATES, Document, DocumentState, IndexSync
from groundwire.domain.errors import Conflict, Unavailable
from groundwire.ports import Blobs, Clock, Documents, DocumentVersion, Indexes, SegmentInput, VectorIndex
from groundwire.services.documents.images.page_pictures import PagePictureStore
from groundwire.services.documents.images.store import ImageStore

_MAX_SKIPPED_VERSIONS: Final = 4
"""Maximum of interrupted attempts in a row, plus the version before them."""
_MAX_REWRITTEN_DOCUMENTS: Final = 100
_REWRITE_SECONDS: Final = 2.0
"""Bounds of one run that writes rows anew: an ingestion waits for it."""
_MAX_ATTEMPTS: Final = 5
"""Attempts, each after somebody else changed the record during the reconciliation."""

QUEUE_SECONDS: Final = 86_400.0
"""Time after which a queued record is forgotten: its run ended long ago, and a later run announces the file anew."""

ReconcileFunction = Callable[[str, Document], Document]
"""Function that reconciles a tenant's record: `Reconciler` with the ingest lock, or `reconcile_without_lock`."""


def blob_key(doc_id: str, version: int) -> str:
    """Return the key of the original of a version."""
    return f"{doc_id}/{version}"


class Reconciler:
    """Reconciliation of index and originals: removes other versions, and sets the readers of the remaining rows."""

    def __init__(
        self, documents: Documents, indexes: Indexes, image_indexes: Indexes, blobs: Blobs, clock: Clock = time.time
    ) -> None:
        self._documents = documents
        self._indexes = indexes
        self._image_indexes = image_indexes
        self._blobs = blobs
        self._images = ImageStore(blobs)
        self._page_pictures = PagePictureStore(blobs)
        self._clock = clock

    def __call__(self, tenant: str, document: Document) -> Document:
        """Reconcile for a caller who holds the tenant's ingest lock: all versions but the record's are removed.

        The returned record is still stale where the index may hide rows of it; a repeat changes nothing. A concurrent
        change of the record is reconciled as well; a record that changes again and again stays stale.

        Raises:
            Unavailable: the index does not respond, or belongs to another version of Groundwire.
        """
        return self._retry_on_conflict(tenant, document, self._reconcile_with_lock)

    def reconcile_without_lock(self, tenant: str, document: Document) -> Document:
        """Reconcile without the lock; later versions stay.

        An ingestion may be creating those, or has published them. If an ingestion runs or was interrupted, the record
        stays stale: its end, or the next holder of the lock, completes the reconciliation.
        """
        return self._retry_on_conflict(tenant, document, self._reconcile_unlocked)

    def reconcile_stale(
        self,
        tenant: str,
        is_in_progress: Callable[[Document], bool] = lambda _document: False,
        is_out_of_time: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Reconcile all stale records except those that are `is_in_progress`; return False if it ran out of time.

        A queued file belongs to its own run, which may still be alive.
        """
        for count, document in enumerate(self._documents.stale_documents(tenant)):
            if count and is_out_of_time():
                return False
            if is_queued_file(document):
                if self._clock() >= document.updated_at + QUEUE_SECONDS:
                    forget_queued(self._documents, tenant, document)
            elif not is_in_progress(document) and (
                not document.sync.rows_written_at or self._is_all_visible(tenant, document)
            ):
                self(tenant, document)
        return True

    def rewrite_rows(self, tenant: str, seconds: float = _REWRITE_SECONDS) -> bool:
        """Write rows of an earlier form anew, without embedding, for a caller who holds the tenant's ingest lock.

        One run writes at most `_MAX_REWRITTEN_DOCUMENTS` documents, and begins none after so many seconds. Stale
        records are left to their reconciliation. Returns False where it stopped before the last document.
        """
        ends_at = time.monotonic() + seconds
        rewritten = 0
        for index, document, row_count in self._outdated(tenant):
            if rewritten == _MAX_REWRITTEN_DOCUMENTS or time.monotonic() >= ends_at:
                return False
            rewritten += self._rewrite(tenant, index, document, row_count)
        return True

    def _outdated(self, tenant: str) -> Iterator[tuple[VectorIndex, Document, int]]:
        """Yield the documents with rows of an earlier form, each with the index and the number of its rows there."""
        for indexes in self._existing_indexes(tenant):
            is_of_images = indexes is self._image_indexes
            index, after = indexes.for_tenant(tenant), ""
            while page := index.outdated_documents(after, _MAX_REWRITTEN_DOCUMENTS):
                records = self._documents.read(tenant, page)
                for record in (records[doc_id] for doc_id in page if doc_id in records):
                    yield index, record, record.images if is_of_images else record.segments
                after = page[-1]

    def _rewrite(self, tenant: str, index: VectorIndex, document: Document, row_count: int) -> bool:
        """Write the document's rows anew; return False where they are not complete or not those of the record."""
        version = DocumentVersion(document.doc_id, document.version)
        if document.state is not DocumentState.INDEXED or document.sync.is_stale:
            return False
        segments, vectors = index.segments(version), index.vectors(document.doc_id)
        if len(segments) != row_count or any(each.uid not in vectors for each in segments):
            return False
        rows = [SegmentInput(each, vectors[each.uid].passage, vectors[each.uid].windows) for each in segments]
        # Whoever changes the document meanwhile then knows that rows are being written.
        marked = replace(document, sync=IndexSync(is_stale=True))
        try:
            self._documents.write(tenant, marked, document)
        except Conflict:
            return False
        index.put(version, document.readers, rows, indexed_fields(document))
        # The rows have the readers of before; a changed record is reconciled here.
        self(tenant, marked)
        return True

    def _retry_on_conflict(
        self, tenant: str, document: Document, reconcile: Callable[[str, Document], Document]
    ) -> Document:
        for _ in range(_MAX_ATTEMPTS):
            try:
                return reconcile(tenant, self._mark_stale(tenant, document))
            except Conflict as conflict:
                # Index and originals may have been changed to an older record, after they agreed with the new one.
                stored = self._stored(tenant, document)
                if stored is None:
                    return document
                if stored.version_token == document.version_token:
                    # No concurrent change: the index itself raised the conflict, and its message gives the remedy.
                    raise Unavailable(str(conflict)) from conflict
                document = stored
        return self._mark_stale(tenant, document)

    def _mark_stale(self, tenant: str, document: Document) -> Document:
        if document.sync.is_stale:
            return document
        marked = marked_stale(document)
        self._documents.write(tenant, marked, document)
        return marked

    def _stored(self, tenant: str, document: Document) -> Document | None:
        return self._documents.read(tenant, [document.doc_id]).get(document.doc_id)

    def _reconcile_with_lock(self, tenant: str, document: Document) -> Document:
        if document.state is DocumentState.QUEUED:
            # No version was started, so there is nothing to remove.
            after = document
        else:
            is_visible = self._is_all_visible(tenant, document)
            self._remove_other_versions(tenant, document)
            after = reconciled(document) if is_visible else partly_reconciled(document, self._clock())
        if not self._indexes.for_tenant(tenant).visible_after_seconds:
            after = replace(after, ingestion=replace(after.ingestion, started_version=0))
        if self._is_pending_attachment(tenant, document):
            self._documents.delete_unindexed(tenant, document)
        else:
            self._documents.write(tenant, after, document)
        return after

    def _reconcile_unlocked(self, tenant: str, document: Document) -> Document:
        if self._is_pending_attachment(tenant, document):
            # Deleted, not requeued: a running ingestion has read it under the mail's previous policy.
            deleting = tombstone(document)
            self._documents.write(tenant, deleting, document)
            document = deleting
        if document.state in PENDING_STATES:
            return document
        is_visible = self._is_all_visible(tenant, document)
        self._remove_other_versions(tenant, document, document.version + 1)
        stored = self._stored(tenant, document)
        if stored is None or stored.version_token != document.version_token:
            raise Conflict("The document was changed at the same time. Try again.")
        if stored.ingestion.started_version > stored.version:
            return stored
        after = reconciled(stored) if is_visible else partly_reconciled(stored, self._clock())
        self._documents.write(tenant, after, stored)
        return after

    def _is_all_visible(self, tenant: str, document: Document) -> bool:
        delay = self._indexes.for_tenant(tenant).visible_after_seconds
        if not delay:
            return True
        # Rows of the next generation are written by another process, which knows their time.
        is_building = any(each.building_generation(tenant) is not None for each in self._existing_indexes(tenant))
        written_at = document.sync.rows_written_at
        return bool(written_at) and not is_building and self._clock() >= written_at + delay

    def _is_pending_attachment(self, tenant: str, document: Document) -> bool:
        """Return whether the record is a pending attachment, which its mail recreates when it is parsed again."""
        if document.state not in PENDING_STATES or document.parent is None:
            return False
        return not self._documents.children(tenant, document.doc_id)

    def _remove_other_versions(self, tenant: str, document: Document, keep_from_version: int | None = None) -> None:
        is_indexed = document.state is DocumentState.INDEXED
        try:
            self._sync_indexes(tenant, document, keep_from_version)
        except Unavailable:
            # The next generation may just have replaced the index; a real outage raises the error again.
            self._sync_indexes(tenant, document, keep_from_version)
        for version in _candidate_versions(document) - ({document.version} if is_indexed else set[int]()):
            if keep_from_version is None or version < keep_from_version:
                self._images.delete(tenant, document.doc_id, version)
                self._page_pictures.delete(tenant, document.doc_id, version)
                self._blobs.delete(tenant, blob_key(document.doc_id, version))

    def _existing_indexes(self, tenant: str) -> tuple[Indexes, ...]:
        """Return the indexes that may have rows of the tenant: that of images is created by the first image."""
        return (self._indexes, self._image_indexes) if self._image_indexes.exists(tenant) else (self._indexes,)

    def _sync_indexes(self, tenant: str, document: Document, keep_from_version: int | None) -> None:
        for indexes in self._existing_indexes(tenant):
            # The next generation first: it may become the live one in between, but never the reverse.
            for index in (indexes.building_generation(tenant), indexes.for_tenant(tenant)):
                if index is not None:
                    sync_index(index, document, keep_from_version)


class TryableLock(Protocol):
    """Ingest lock that can be tried without waiting."""

    def hold_if_free(self, tenant: str) -> AbstractContextManager[bool]:
        """Hold the tenant's lock for the block if it is free, and yield whether it was."""
        ...


def sync_index(index: VectorIndex, document: Document, keep_from_version: int | None = None) -> None:
    """Remove rows of other versions than the record's, and set the record's readers on the remaining ones.

    Rows of the version `keep_from_version` and of later ones are kept; None: there are no such versions.
    """
    is_indexed = document.state is DocumentState.INDEXED
    index.prune(document.doc_id, document.version if is_indexed else None, keep_from_version)
    if is_indexed:
        index.set_readers(document.doc_id, document.readers)


def _candidate_versions(document: Document) -> set[int]:
    """Return the versions that may have blobs.

    With delayed visibility, the numbers of interrupted versions are skipped, so more versions are candidates.
    """
    first = document.version - (_MAX_SKIPPED_VERSIONS if document.ingestion.started_version else 1)
    return set(range(max(0, first), document.next_version + 1))


def is_queued_file(document: Document) -> bool:
    """Return whether the record is that of a file which a run announced and has not read."""
    return document.state is DocumentState.QUEUED and document.parent is None


def forget_queued(documents: Documents, tenant: str, document: Document) -> None:
    """Remove the record of a file that no run will read.

    A record on which a person decided stays, as not read: the decision holds for the file when it is ingested.
    """
    if not is_decided_by_person(document):
        documents.delete_unindexed(tenant, document)
        return
    # A person may be changing it right now; the next sweep or command looks again.
    with suppress(Conflict):
        documents.write(tenant, interrupted(document), document)
