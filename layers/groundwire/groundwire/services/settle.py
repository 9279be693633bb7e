"""Settling: index and blobs are brought to what a document's record says, however they were left.

Every change of a document writes its record first, marked `index_stale`, and settles afterwards. The record
alone decides what may answer, so between the two steps nothing is shown that should not be.
"""

from dataclasses import replace

from groundwire.domain.documents import Document, DocumentState
from groundwire.ports import Blobs, Documents, Indexes

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
        answers = document.state is DocumentState.INDEXED
        index = self._indexes.of(tenant)
        index.prune(document.doc_id, document.version if answers else None)
        if answers:
            index.set_policy(document.doc_id, document.policy)
        gone = {document.version - 1, document.version + 1} | (set[int]() if answers else {document.version})
        for version in gone:
            self._blobs.delete(tenant, blob_key(document.doc_id, version))
        settled = replace(document, index_stale=False)
        if document.state is DocumentState.PARSING:
            settled = replace(settled, state=DocumentState.REFUSED, reason=INTERRUPTED)
        self._documents.write(tenant, settled, document)
        return settled

    def all_stale(self, tenant: str) -> int:
        """Settles whatever an interrupted process left; returns how many documents that were."""
        stale = self._documents.stale(tenant)
        for document in stale:
            self(tenant, document)
        return len(stale)
