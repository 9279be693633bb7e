"""Administration of deletions: documents are listed, restored and forgotten."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from groundwire.domain.audit.ingestion import RestorationLine
from groundwire.domain.documents.changes.tombstones import forgotten, is_in_force, restored
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document
from groundwire.domain.errors import Conflict, NotFound
from groundwire.ports import Documents
from groundwire.retry import RetryPolicy, retry_on
from groundwire.services.ingest.deletions.memory import DeletionMemory
from groundwire.services.ingest.document_match import FileMatch
from groundwire.services.ingest.request import IngestRequest

_RETRY: Final = RetryPolicy(attempts=5)
_BATCH: Final = 100

IsAllowed = Callable[[Document], bool]
"""Function that returns whether the caller decides over this document."""


def everybody_decides(_: Document) -> bool:
    """Allow all changes: a caller without a key is the operator of the machine."""
    return True


class DeletionAdmin:
    """Changes of tombstones; whether a deletion is in force counts from the next ingestion on."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def all(self, tenant: str, is_allowed: IsAllowed, after: str | None = None) -> Iterator[Document]:
        """Iterate over the deleted documents whose deletion is in force, by id, after the id `after`."""
        while page := self._documents.page_deletions(tenant, after, _BATCH):
            yield from (each for each in page if is_allowed(each))
            after = page[-1].doc_id
            if len(page) < _BATCH:
                return

    def restore(self, tenant: str, doc_id: str, is_allowed: IsAllowed) -> Document:
        """End the deletion of a document and its attachments: it returns with the next ingestion of its file.

        Raises:
            NotFound: no person deleted such a document, or `is_allowed` rejects it.
        """
        self.find(tenant, doc_id, is_allowed)
        return self._change_tree(tenant, doc_id, is_allowed, restored)

    def forget(self, tenant: str, doc_id: str, is_allowed: IsAllowed) -> Document:
        """Remove from a tombstone, and those of its attachments, everything by which its file could be recognised.

        Raises:
            NotFound: no person deleted such a document, or `is_allowed` rejects it.
        """
        self.find(tenant, doc_id, is_allowed)
        return self._change_tree(tenant, doc_id, is_allowed, forgotten)

    def _change_tree(
        self, tenant: str, doc_id: str, is_allowed: IsAllowed, change: Callable[[Document], Document]
    ) -> Document:
        # The attachments first: after an interruption, the document itself still shows that it was not done.
        self._change_attachments(tenant, doc_id, change)
        return retry_on(Conflict, lambda: self._change(tenant, doc_id, is_allowed, change), _RETRY)

    def _change_attachments(self, tenant: str, doc_id: str, change: Callable[[Document], Document]) -> None:
        # Those that were restored with their mail as well: they have their names until the mail returns.
        for child in self._documents.deleted_children(tenant, doc_id):
            self._change_attachments(tenant, child.doc_id, change)
            retry_on(Conflict, partial(self._change_attachment, tenant, child.doc_id, change), _RETRY)

    def _change_attachment(self, tenant: str, doc_id: str, change: Callable[[Document], Document]) -> None:
        document = self._documents.read(tenant, [doc_id]).get(doc_id)
        if document is not None and document.state in TOMBSTONE_STATES:
            self._documents.write(tenant, change(document), document)

    def _change(
        self, tenant: str, doc_id: str, is_allowed: IsAllowed, change: Callable[[Document], Document]
    ) -> Document:
        document = self.find(tenant, doc_id, is_allowed)
        self._documents.write(tenant, change(document), document)
        return document

    def find(self, tenant: str, doc_id: str, is_allowed: IsAllowed) -> Document:
        """Return the deleted document.

        Raises:
            NotFound: no person deleted such a document, or `is_allowed` rejects it; the message is the same.
        """
        found = self._documents.read(tenant, [doc_id]).get(doc_id)
        if found is None or not _is_remembered(found) or not is_allowed(found):
            raise NotFound(f"There is no deleted document {doc_id!r}.", "deleted document")
        return found


def _is_remembered(document: Document) -> bool:
    # A restored one keeps its path until its file returns, and can still be forgotten.
    return is_in_force(document) or (document.state in TOMBSTONE_STATES and bool(document.deletion.source_digest))


RecordRestoration = Callable[[RestorationLine], None]
"""Function that writes the audit line of deletions that are about to end."""


def lift_deletions(
    request: IngestRequest,
    match: FileMatch,
    documents: Documents,
    memory: DeletionMemory,
    record_restoration: RecordRestoration,
) -> None:
    """End the deletions of the request's collection, path and chosen id; the caller holds the tenant's lock.

    Whether the person may decide was checked when the request was made. A deletion of the same content at another path
    stays in force: the request brings back its own file alone.

    Raises:
        Unavailable: the audit line cannot be written; the deletions stay in force.
    """
    tenant, name = request.tenant, request.collection
    collection = memory.deleted_collection(tenant, name)
    is_collection_restored = collection is not None and request.restores_after(collection.decision.decided_at)
    restored_documents = [each for each in match.deletions if request.restores_after(each.deletion.deleted_at)]
    if not (is_collection_restored or restored_documents):
        return
    names = [f"{each.doc_id}@{each.policy_version}" for each in restored_documents]
    record_restoration(RestorationLine(tenant, name, names, is_collection_restored))
    if is_collection_restored:
        memory.collection_created(tenant, name)
    for each in restored_documents:
        DeletionAdmin(documents).restore(tenant, each.doc_id, everybody_decides)
