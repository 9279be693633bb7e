"""Deletion of a collection with its documents, while ingestions and other commands may change them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, Protocol

from groundwire.domain.access.decision import Decision
from groundwire.domain.audit.deletions import CollectionDeletionLine
from groundwire.domain.audit.ingestion import WriteLine
from groundwire.domain.documents.changes.tombstones import without_content
from groundwire.domain.documents.collection import Collection
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

    def collection_deleted(self, tenant: str, collection: Collection, decision: Decision) -> None:
        """Remember the deletion of a collection, and the setting that lasts.

        Raises:
            Conflict: as many deletions are remembered as can be.
        """
        ...

    def deleted_collection(self, tenant: str, name: str) -> object | None:
        """Return the deletion of the collection; None where a person has created it again."""
        ...


class CollectionDeletion:
    """Deletion of whole collections.

    Args:
        delete: deletes a document and its attachments by a person's decision; raises NotFound where it is gone.
        write_line: writes a line of the audit log before it returns.
    """

    def __init__(
        self,
        documents: Documents,
        collections: Collections,
        deletions: DeletionRecords,
        delete: Callable[[str, str, Decision], Document],
        write_line: WriteLine,
    ) -> None:
        self._documents = documents
        self._collections = collections
        self._deletions = deletions
        self._delete = delete
        self._write_line = write_line

    def __call__(self, tenant: str, name: str, decision: Decision) -> tuple[Document, ...]:
        """Delete the collection and its documents; return the documents as they were before.

        Raises:
            NotFound: there is no such collection.
            Conflict: a document was changed again and again; a repetition deletes the rest.
            Unavailable: a line cannot be written; the documents of the lines before are deleted.
        """
        collection = next((each for each in self._collections.all(tenant) if each.name == name), None)
        if collection is None:
            raise NotFound(f"There is no collection {name!r}.", "collection")
        # By the lines a restored backup learns of the deletion, so each comes before the change.
        self._write_line(CollectionDeletionLine(tenant, name, (), decision))
        # First of the changes: a run may bring further files while the documents are deleted.
        self._deletions.collection_deleted(tenant, collection, decision)
        deleted: dict[str, Document] = {}
        # A file whose ingestion had begun before may have got its record after the list was read.
        while found := self._delete_documents(tenant, name, decision):
            deleted |= found
        self._forget_contents(tenant, name)
        # Whoever has set the collection again meanwhile keeps it, with these settings.
        if self._deletions.deleted_collection(tenant, name) is not None:
            self._collections.delete(tenant, name)
        return tuple(deleted.values())

    def _delete_documents(self, tenant: str, name: str, decision: Decision) -> dict[str, Document]:
        """Delete the listed documents; return by id those that this call deleted, with their attachments."""
        listed = self._documents.all(tenant, name)
        by_parent: dict[str | None, list[Document]] = {}
        for document in listed:
            by_parent.setdefault(document.parent, []).append(document)
        deleted: dict[str, Document] = {}
        for batch in _parts(by_parent.get(None, [])):
            trees = {each.doc_id: list(_tree(each, by_parent)) for each in batch}
            self._announce(tenant, name, [each for tree in trees.values() for each in tree], decision)
            for root in batch:
                deleted |= self._delete_tree(tenant, root, trees[root.doc_id], decision)
        return deleted

    def _announce(self, tenant: str, name: str, documents: Sequence[Document], decision: Decision) -> None:
        for part in _parts(documents):
            names = [f"{each.doc_id}@{each.policy_version}" for each in part]
            self._write_line(CollectionDeletionLine(tenant, name, names, decision))

    def _delete_tree(
        self, tenant: str, root: Document, tree: Sequence[Document], decision: Decision
    ) -> dict[str, Document]:
        # Somebody else may have deleted it since, or a run may have removed its file's record.
        with suppress(NotFound):
            after = self._delete(tenant, root.doc_id, decision)
            if after.policy_version != root.policy_version + 1:
                # Somebody changed it after its line: the version that was deleted tells that the deletion was last.
                before = replace(root, policy_version=after.policy_version - 1)
                self._announce(tenant, root.collection, [before], decision)
            return {each.doc_id: each for each in tree}
        return {}

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


def _parts(documents: Sequence[Document]) -> Iterator[Sequence[Document]]:
    return (documents[start : start + _BATCH] for start in range(0, len(documents), _BATCH))


def _tree(document: Document, by_parent: Mapping[str | None, Sequence[Document]]) -> Iterator[Document]:
    """Yield the document, its attachments, and theirs."""
    yield document
    for child in by_parent.get(document.doc_id, ()):
        yield from _tree(child, by_parent)


def _is_marked(document: Document, collection: str) -> bool:
    return document.collection == collection and bool(document.deletion.content_mark)
