"""Settling: index and blobs are brought to what a document's record says, however they were left.

Every change of a document writes its record first, marked `index_stale`, and settles afterwards. The record
alone decides what may answer, so between the two steps nothing is shown that should not be.
"""

from collections.abc import Callable
from dataclasses import replace

from groundwire.domain.documents import UNBEGUN, Document, DocumentState
from groundwire.domain.errors import Unavailable
from groundwire.ports import Blobs, Documents, Index, Indexes

INTERRUPTED = "the ingestion was interrupted before the document was complete: ingest the file again"


def blob_key(doc_id: str, version: int) -> str:
    """Where the original of a version is stored."""
    return f"{doc_id}/{version}"


class Settle:
    """Removes rows and originals of other versions, and puts the policy on the rows that remain."""

    def __init__(self, documents: Documents, indexes: Indexes, blobs: Blobs) -> None:
        self._documents = documents
        self._indexes = indexes
        self._blobs = blobs

    def __call__(self, tenant: str, document: Document) -> Document:
        """The settled record; repeating it changes nothing.

        Raises:
            Conflict: the record was changed by somebody else, who settles it.
        """
        if document.state is not DocumentState.QUEUED:
            self._clear(tenant, document)
        settled = _settled(document)
        if document.state in UNBEGUN and document.parent is not None and not self._carries(tenant, document):
            # The mail is read again, and brings its attachments anew.
            self._documents.withdraw(tenant, document.doc_id)
        else:
            self._documents.write(tenant, settled, document)
        return settled

    def all_stale(self, tenant: str, awaited: Callable[[Document], bool] = lambda _document: False) -> int:
        """Settles whatever an interrupted process left, but for what is `awaited`; returns how many that were."""
        stale = [document for document in self._documents.stale(tenant) if not awaited(document)]
        for document in stale:
            self(tenant, document)
        return len(stale)

    def _carries(self, tenant: str, document: Document) -> bool:
        return bool(self._documents.children(tenant, document.doc_id))

    def _clear(self, tenant: str, document: Document) -> None:
        answers = document.state is DocumentState.INDEXED
        try:
            self._clear_indexes(tenant, document)
        except Unavailable:
            # The next generation may have taken its place in this moment; what is really out of order says so again.
            self._clear_indexes(tenant, document)
        gone = {document.version - 1, document.version + 1} | (set[int]() if answers else {document.version})
        for version in gone:
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


def _settled(document: Document) -> Document:
    settled = replace(document, index_stale=False)
    if document.state in UNBEGUN:
        return replace(settled, state=DocumentState.REFUSED, reason=INTERRUPTED)
    if document.state is DocumentState.DELETING:
        return replace(settled, state=DocumentState.DELETED)
    return settled
