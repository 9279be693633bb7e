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

from groundwire.domain.documents import UNBEGUN, Document, DocumentState
from groundwire.domain.errors import Conflict, Unavailable
from groundwire.ports import Blobs, Clock, Documents, Index, Indexes
from groundwire.services.ingest.record import tombstone

INTERRUPTED = "the ingestion was interrupted before the document was complete: ingest the file again"

_SKIPPED: Final = 4
"""Interrupted attempts in a row, and the version before them."""
_TRIES: Final = 5
"""Each time somebody else has changed the record while it was settled."""

Settling = Callable[[str, Document], Document]
"""A tenant's record is settled: with the ingest lock (`Settle`) or without (`Settle.beside_ingestion`)."""


def blob_key(doc_id: str, version: int) -> str:
    """Where the original of a version is stored."""
    return f"{doc_id}/{version}"


class Settle:
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
        return self._until_it_stands(tenant, document, self._alone)

    def beside_ingestion(self, tenant: str, document: Document) -> Document:
        """The same for a caller who does not hold the lock: what an ingestion may be making, or has named, is left.

        Where there is or was one, the record stays stale: its end, or the next holder of the lock, settles it whole.
        """
        return self._until_it_stands(tenant, document, self._beside)

    def all_stale(
        self,
        tenant: str,
        awaited: Callable[[Document], bool] = lambda _document: False,
        is_spent: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Settles whatever an interrupted process left, but for what is `awaited`; whether the time sufficed."""
        for done, document in enumerate(self._documents.stale(tenant)):
            if done and is_spent():
                return False
            if not awaited(document) and (not document.last_rows_at or self._all_is_seen(tenant, document)):
                self(tenant, document)
        return True

    def _until_it_stands(
        self, tenant: str, document: Document, settle: Callable[[str, Document], Document]
    ) -> Document:
        for _ in range(_TRIES):
            try:
                return settle(tenant, self._marked(tenant, document))
            except Conflict as conflict:
                # Index and originals may have been brought to what was written before, after they agreed.
                stored = self._stored(tenant, document)
                if stored is None:
                    return document
                if stored.stand == document.stand:
                    # Nobody was in the way: it is the index that refuses, and says what is to be done.
                    raise Unavailable(str(conflict)) from conflict
                document = stored
        return self._marked(tenant, document)

    def _marked(self, tenant: str, document: Document) -> Document:
        if document.index_stale:
            return document
        marked = replace(document, index_stale=True)
        self._documents.write(tenant, marked, document)
        return marked

    def _stored(self, tenant: str, document: Document) -> Document | None:
        return self._documents.read(tenant, [document.doc_id]).get(document.doc_id)

    def _alone(self, tenant: str, document: Document) -> Document:
        settled = _settled(document)
        if document.state is not DocumentState.QUEUED:
            seen = self._all_is_seen(tenant, document)
            self._clear(tenant, document)
            settled = settled if seen else self._to_be_settled_again(document, settled)
        if not self._indexes.of(tenant).visible_after_seconds:
            settled = replace(settled, begun_version=0)
        if self._is_left_to_its_mail(tenant, document):
            self._documents.withdraw(tenant, document.doc_id)
        else:
            self._documents.write(tenant, settled, document)
        return settled

    def _beside(self, tenant: str, document: Document) -> Document:
        if self._is_left_to_its_mail(tenant, document):
            # Gone for good: what an ingestion has read of it stands under what the mail was before.
            gone = tombstone(document)
            self._documents.write(tenant, gone, document)
            document = gone
        if document.state in UNBEGUN:
            return document
        seen = self._all_is_seen(tenant, document)
        self._clear(tenant, document, document.version + 1)
        stored = self._stored(tenant, document)
        if stored is None or stored.stand != document.stand:
            raise Conflict("The document was changed while it was settled.")
        if stored.begun_version > stored.version:
            return stored
        settled = _settled(stored) if seen else self._to_be_settled_again(stored, _settled(stored))
        self._documents.write(tenant, settled, stored)
        return settled

    def _all_is_seen(self, tenant: str, document: Document) -> bool:
        delay = self._indexes.of(tenant).visible_after_seconds
        if not delay:
            return True
        # What the next generation is being filled with is written by somebody else, who knows when.
        known = document.last_rows_at and self._indexes.begun(tenant) is None
        return bool(known) and self._clock() >= document.last_rows_at + delay

    def _to_be_settled_again(self, document: Document, settled: Document) -> Document:
        state = document.state if document.state is DocumentState.DELETING else settled.state
        # Nobody writes rows of it any more: who did was interrupted, or has said when.
        since = document.last_rows_at or self._clock()
        return replace(settled, state=state, index_stale=True, last_rows_at=since)

    def _is_left_to_its_mail(self, tenant: str, document: Document) -> bool:
        """The mail is read again, and brings its attachments anew."""
        if document.state not in UNBEGUN or document.parent is None:
            return False
        return not self._documents.children(tenant, document.doc_id)

    def _clear(self, tenant: str, document: Document, below: int | None = None) -> None:
        answers = document.state is DocumentState.INDEXED
        try:
            self._clear_indexes(tenant, document, below)
        except Unavailable:
            # The next generation may have taken its place in this moment; what is really out of order says so again.
            self._clear_indexes(tenant, document, below)
        for version in _versions_around(document) - ({document.version} if answers else set[int]()):
            if below is None or version < below:
                self._blobs.delete(tenant, blob_key(document.doc_id, version))

    def _clear_indexes(self, tenant: str, document: Document, below: int | None) -> None:
        # The next generation first: it may become the one that answers in between, but not the other way round.
        for index in (self._indexes.begun(tenant), self._indexes.of(tenant)):
            if index is not None:
                agree(index, document, below)


def agree(index: Index, document: Document, below: int | None = None) -> None:
    """No row of the document says anything else than its record; of another version than its own, none is left.

    Those of the version `below` and of later ones are none of the caller's concern; None: there is no such version.
    """
    answers = document.state is DocumentState.INDEXED
    index.prune(document.doc_id, document.version if answers else None, below)
    if answers:
        index.set_policy(document.doc_id, document.policy)


def _versions_around(document: Document) -> set[int]:
    """Those of which something may be left; where rows are shown late, numbers of interrupted ones are skipped."""
    first = document.version - (_SKIPPED if document.begun_version else 1)
    return set(range(max(0, first), max(document.version, document.begun_version) + 2))


def _settled(document: Document) -> Document:
    settled = replace(document, index_stale=False)
    if document.state in UNBEGUN:
        return replace(settled, state=DocumentState.REFUSED, reason=INTERRUPTED)
    if document.state is DocumentState.DELETING:
        return replace(settled, state=DocumentState.DELETED)
    return settled
