"""Settling: index and blobs are brought to what a document's record says, however they were left.

Every change of a document writes its record first, marked `index_stale`, and settles afterwards. The record
alone decides what may answer, so between the two steps nothing is shown that should not be.

An index that shows rows late hides from the settling what was written just before. The record then stays stale, and
is settled once more when everything that was written is seen.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from groundwire.domain.documents import UNBEGUN, Document, DocumentState
from groundwire.domain.errors import Unavailable
from groundwire.ports import Blobs, Clock, Documents, Index, Indexes

INTERRUPTED = "the ingestion was interrupted before the document was complete: ingest the file again"

_SKIPPED: Final = 4
"""Interrupted attempts in a row, and the version before them."""


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
        """The settled record, still stale where the index may hide rows of it; repeating it changes nothing.

        Raises:
            Conflict: the record was changed by somebody else, who settles it.
        """
        settled = _settled(document)
        if document.state is not DocumentState.QUEUED:
            seen = self._all_is_seen(tenant, document)
            self._clear(tenant, document)
            settled = settled if seen else self._to_be_settled_again(document, settled)
        if document.state in UNBEGUN and document.parent is not None and not self._carries(tenant, document):
            # The mail is read again, and brings its attachments anew.
            self._documents.withdraw(tenant, document.doc_id)
        else:
            self._documents.write(tenant, settled, document)
        return settled

    def all_stale(self, tenant: str, awaited: Callable[[Document], bool] = lambda _document: False) -> int:
        """Settles whatever an interrupted process left, but for what is `awaited`; returns how many that were."""
        stale = [document for document in self._documents.stale(tenant) if not awaited(document)]
        ripe = [document for document in stale if not document.last_rows_at or self._all_is_seen(tenant, document)]
        for document in ripe:
            self(tenant, document)
        return len(ripe)

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

    def _carries(self, tenant: str, document: Document) -> bool:
        return bool(self._documents.children(tenant, document.doc_id))

    def _clear(self, tenant: str, document: Document) -> None:
        answers = document.state is DocumentState.INDEXED
        try:
            self._clear_indexes(tenant, document)
        except Unavailable:
            # The next generation may have taken its place in this moment; what is really out of order says so again.
            self._clear_indexes(tenant, document)
        for version in _versions_around(document) - ({document.version} if answers else set[int]()):
            self._blobs.delete(tenant, blob_key(document.doc_id, version))

    def _clear_indexes(self, tenant: str, document: Document) -> None:
        # The next generation first: it may become the one that answers in between, but not the other way round.
        for index in (self._indexes.begun(tenant), self._indexes.of(tenant)):
            if index is not None:
                agree(index, document)


def agree(index: Index, document: Document) -> None:
    """No row of the document says anything else than its record; of another version than its own, none is left."""
    answers = document.state is DocumentState.INDEXED
    index.prune(document.doc_id, document.version if answers else None)
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
