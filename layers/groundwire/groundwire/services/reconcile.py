"""Settling: index and blobs are brought to what a document's record says, however they were left.

Every change of a document writes its record first, marked `index_stale`, and settles afterwards. The record
alone decides what may answer, so between the two steps nothing is shown that should not be.

An index that shows rows late hides from the settling what was written just before. The record then stays stale, and
is settled once more when everything that was written is seen.

Only who holds the tenant's ingest lock knows that versions which no record names are left over. For everybody else they
may be what an ingestion is making at this moment.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from groundwire.domain.documents.lifecycle import tombstone
from groundwire.domain.documents.record import PENDING_STATES, Document, DocumentState
from groundwire.domain.errors import Conflict, Unavailable
from groundwire.ports import Blobs, Clock, Documents, Index, Indexes

INTERRUPTED = "the ingestion was interrupted before the document was complete: ingest the file again"

_MAX_SKIPPED_VERSIONS: Final = 4
"""Interrupted attempts in a row, and the version before them."""
_MAX_ATTEMPTS: Final = 5
"""Each time somebody else has changed the record while it was settled."""

ReconcileFunction = Callable[[str, Document], Document]
"""A tenant's record is settled: with the ingest lock (`Settle`) or without (`Settle.beside_ingestion`)."""


def blob_key(doc_id: str, version: int) -> str:
    """Where the original of a version is stored."""
    return f"{doc_id}/{version}"


class Reconciler:
    """Removes rows and originals of other versions, and puts the policy on the rows that remain."""

    def __init__(self, documents: Documents, indexes: Indexes, blobs: Blobs, clock: Clock = time.time) -> None:
        self._documents = documents
        self._indexes = indexes
        self._blobs = blobs
        self._clock = clock

    def __call__(self, tenant: str, document: Document) -> Document:
        """The settled record, for a caller who holds the tenant's ingest lock: whatever it does not name is gone.

        It is still stale where the index may hide rows of it; repeating it changes nothing. Where somebody changes the
        record meanwhile, that is settled as well.

        Changed again and again, it stays stale.

        Raises:
            Unavailable: the index does not answer, or is of another version of Groundwire.
        """
        return self._retry_on_conflict(tenant, document, self._reconcile_with_lock)

    def reconcile_without_lock(self, tenant: str, document: Document) -> Document:
        """The same for a caller who does not hold the lock: what an ingestion may be making, or has named, is left.

        Where there is or was one, the record stays stale: its end, or the next holder of the lock, settles it whole.
        """
        return self._retry_on_conflict(tenant, document, self._reconcile_beside_ingestion)

    def reconcile_stale(
        self,
        tenant: str,
        is_in_progress: Callable[[Document], bool] = lambda _document: False,
        is_out_of_time: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Settles whatever an interrupted process left, but for what is `is_in_progress`; whether the time sufficed."""
        for done, document in enumerate(self._documents.stale_documents(tenant)):
            if done and is_out_of_time():
                return False
            if not is_in_progress(document) and (
                not document.rows_written_at or self._is_all_visible(tenant, document)
            ):
                self(tenant, document)
        return True

    def _retry_on_conflict(
        self, tenant: str, document: Document, reconcile: Callable[[str, Document], Document]
    ) -> Document:
        for _ in range(_MAX_ATTEMPTS):
            try:
                return reconcile(tenant, self._mark_stale(tenant, document))
            except Conflict as conflict:
                # Index and originals may have been brought to what was written before, after they agreed.
                stored = self._stored(tenant, document)
                if stored is None:
                    return document
                if stored.version_token == document.version_token:
                    # Nobody was in the way: it is the index that refuses, and says what is to be done.
                    raise Unavailable(str(conflict)) from conflict
                document = stored
        return self._mark_stale(tenant, document)

    def _mark_stale(self, tenant: str, document: Document) -> Document:
        if document.index_stale:
            return document
        marked = replace(document, index_stale=True)
        self._documents.write(tenant, marked, document)
        return marked

    def _stored(self, tenant: str, document: Document) -> Document | None:
        return self._documents.read(tenant, [document.doc_id]).get(document.doc_id)

    def _reconcile_with_lock(self, tenant: str, document: Document) -> Document:
        settled = _reconciled(document)
        if document.state is not DocumentState.QUEUED:
            seen = self._is_all_visible(tenant, document)
            self._remove_other_versions(tenant, document)
            settled = settled if seen else self._still_stale(document, settled)
        if not self._indexes.for_tenant(tenant).visible_after_seconds:
            settled = replace(settled, started_version=0)
        if self._is_pending_attachment(tenant, document):
            self._documents.delete_unindexed(tenant, document.doc_id)
        else:
            self._documents.write(tenant, settled, document)
        return settled

    def _reconcile_beside_ingestion(self, tenant: str, document: Document) -> Document:
        if self._is_pending_attachment(tenant, document):
            # Gone for good: what an ingestion has read of it stands under what the mail was before.
            gone = tombstone(document)
            self._documents.write(tenant, gone, document)
            document = gone
        if document.state in PENDING_STATES:
            return document
        seen = self._is_all_visible(tenant, document)
        self._remove_other_versions(tenant, document, document.version + 1)
        stored = self._stored(tenant, document)
        if stored is None or stored.version_token != document.version_token:
            raise Conflict("The document was changed while it was settled.")
        if stored.started_version > stored.version:
            return stored
        settled = _reconciled(stored) if seen else self._still_stale(stored, _reconciled(stored))
        self._documents.write(tenant, settled, stored)
        return settled

    def _is_all_visible(self, tenant: str, document: Document) -> bool:
        delay = self._indexes.for_tenant(tenant).visible_after_seconds
        if not delay:
            return True
        # What the next generation is being filled with is written by somebody else, who knows when.
        known = document.rows_written_at and self._indexes.building_generation(tenant) is None
        return bool(known) and self._clock() >= document.rows_written_at + delay

    def _still_stale(self, document: Document, settled: Document) -> Document:
        state = document.state if document.state is DocumentState.DELETING else settled.state
        # Nobody writes rows of it any more: who did was interrupted, or has said when.
        since = document.rows_written_at or self._clock()
        return replace(settled, state=state, index_stale=True, rows_written_at=since)

    def _is_pending_attachment(self, tenant: str, document: Document) -> bool:
        """The mail is read again, and brings its attachments anew."""
        if document.state not in PENDING_STATES or document.parent is None:
            return False
        return not self._documents.children(tenant, document.doc_id)

    def _remove_other_versions(self, tenant: str, document: Document, keep_from_version: int | None = None) -> None:
        answers = document.state is DocumentState.INDEXED
        try:
            self._sync_indexes(tenant, document, keep_from_version)
        except Unavailable:
            # The next generation may have taken its place in this moment; what is really out of order says so again.
            self._sync_indexes(tenant, document, keep_from_version)
        for version in _candidate_versions(document) - ({document.version} if answers else set[int]()):
            if keep_from_version is None or version < keep_from_version:
                self._blobs.delete(tenant, blob_key(document.doc_id, version))

    def _sync_indexes(self, tenant: str, document: Document, keep_from_version: int | None) -> None:
        # The next generation first: it may become the one that answers in between, but not the other way round.
        for index in (self._indexes.building_generation(tenant), self._indexes.for_tenant(tenant)):
            if index is not None:
                sync_index(index, document, keep_from_version)


def sync_index(index: Index, document: Document, keep_from_version: int | None = None) -> None:
    """No row of the document says anything else than its record; of another version than its own, none is left.

    Those of the version `keep_from_version` and of later ones are none of the caller's concern; None: there is no such version.
    """
    answers = document.state is DocumentState.INDEXED
    index.prune(document.doc_id, document.version if answers else None, keep_from_version)
    if answers:
        index.set_policy(document.doc_id, document.policy)


def _candidate_versions(document: Document) -> set[int]:
    """Those of which something may be left; where rows are shown late, numbers of interrupted ones are skipped."""
    first = document.version - (_MAX_SKIPPED_VERSIONS if document.started_version else 1)
    return set(range(max(0, first), max(document.version, document.started_version) + 2))


def _reconciled(document: Document) -> Document:
    settled = replace(document, index_stale=False)
    if document.state in PENDING_STATES:
        return replace(settled, state=DocumentState.REFUSED, reason=INTERRUPTED)
    if document.state is DocumentState.DELETING:
        return replace(settled, state=DocumentState.DELETED)
    return settled
