"""Deletion of a collection with its documents, while ingestions and other commands may change them."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from groundwire.domain.access.decision import Decision
from groundwire.domain.documents.changes.tombstones import without_content
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Conflict, NotFound
from groundwire.ports import Collections, Documents
from groundwire.retry import RetryPolicy, retry_on

_RETRY: Final = RetryPolicy(attempts=5)
_BATCH: Final = 100


class DeletionRecords(Protocol):
    """Memory of deletions beside the tombstones."""

    def content_mark(self, tenant: str, document: Document) -> str:
        """Return the keyed mark of the document's content; empty where no content was read."""
        ...

    def vanishing_content(self, tenant: str, document: Document) -> str:
        """Return the mark of the content whose file was removed and that a ceiling concerns; else empty."""
        ...

    def collection_deleted(self, tenant: str, name: str, decision: Decision) -> None:
        """Remember the deletion of a collection.

        Raises:
            Conflict: as many deletions are remembered as can be.
        """
        ...


class CollectionDeletion:
    """Deletion of whole collections.

    Args:
        delete: deletes a document and its attachments by a person's decision; raises NotFound where it is gone.
    """

    def __init__(
        self,
        documents: Documents,
        collections: Collections,
        deletions: DeletionRecords,
        delete: Callable[[str, str, Decision], object],
    ) -> None:
        self._documents = documents
        self._collections = collections
        self._deletions = deletions
        self._delete = delete

    def __call__(self, tenant: str, name: str, decision: Decision) -> tuple[Document, ...]:
        """Delete the collection and its documents; return the documents as they were before.

        Raises:
            NotFound: there is no such collection.
            Conflict: a document was changed again and again; a repetition deletes the rest.
        """
        if name not in {each.name for each in self._collections.all(tenant)}:
            raise NotFound(f"There is no collection {name!r}.", "collection")
        # First: a run may bring further files while the documents are deleted.
        self._deletions.collection_deleted(tenant, name, decision)
        deleted: dict[str, Document] = {}
        # A file whose ingestion had begun before may have got its record after the list was read.
        while found := self._delete_documents(tenant, name, decision):
            deleted |= found
        self._forget_contents(tenant, name)
        self._collections.delete(tenant, name)
        return tuple(deleted.values())

    def _delete_documents(self, tenant: str, name: str, decision: Decision) -> dict[str, Document]:
        """Delete the listed documents; return by id those that this call deleted, with their attachments."""
        listed = self._documents.all(tenant, name)
        deleted: dict[str, Document] = {}
        for document in (each for each in listed if each.parent is None):
            # Somebody else may have deleted it since, or a run may have removed its file's record.
            with suppress(NotFound):
                self._delete(tenant, document.doc_id, decision)
                deleted[document.doc_id] = document
        # An attachment within an attachment has the former as its parent.
        while attachments := {
            each.doc_id: each for each in listed if each.parent in deleted and each.doc_id not in deleted
        }:
            deleted |= attachments
        return deleted

    def _forget_contents(self, tenant: str, collection: str) -> None:
        """Remove the marks of contents in a deleted collection, whose own deletion now holds everything back."""
        after = ""
        while page := self._documents.page_deletions(tenant, after, _BATCH):
            for document in page:
                if _is_marked(document, collection):
                    self._forget_content(tenant, document, collection)
            after = page[-1].doc_id

    def _forget_content(self, tenant: str, document: Document, collection: str) -> None:
        def attempt() -> None:
            stored = self._documents.read(tenant, [document.doc_id]).get(document.doc_id)
            if stored is not None and _is_marked(stored, collection):
                self._documents.write(tenant, without_content(stored), stored)

        retry_on(Conflict, attempt, _RETRY)


def _is_marked(document: Document, collection: str) -> bool:
    return document.collection == collection and bool(document.deletion.content_mark)
