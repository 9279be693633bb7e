"""Port of the records of documents."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from groundwire.domain.documents.record import Document


@dataclass(frozen=True, slots=True)
class SourceRecords:
    """Records of one source path.

    Attributes:
        living: the living document that was ingested from it; of several, the one changed last.
        deletions: tombstones of documents from it that a person deleted, the latest deletion first, those not in force
            last: restored ones, and documents with a ceiling whose file was removed.
    """

    living: Document | None
    deletions: tuple[Document, ...] = ()

    @property
    def deleted_at(self) -> float:
        """Time of the latest deletion in force, epoch seconds; 0 without one."""
        # An upload older than the deletion must not bring the document back.
        return self.deletions[0].deletion.deleted_at if self.deletions else 0.0


MAX_ATOMIC_WRITES: Final = 25
"""Records that all stores can write in one step if their source paths stay: DynamoDB accepts 100 items and 4 MB."""


class Documents(Protocol):
    """Registry of documents: strongly consistent, the authority for policy, version and existence.

    No method returns an outdated record. `by_content`, `page_indexed` and `stale_documents` may briefly lack records
    written just before; all others are complete.
    """

    def read(self, tenant: str, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """Return the current records of these documents, tombstones included; unknown ids are absent."""
        ...

    def write(self, tenant: str, document: Document, expected: Document | None) -> None:
        """Write the record durably if the stored one is as expected.

        Raises:
            Conflict: the stored record's version token is no longer that of `expected` (None: the record exists
                already).
            InvalidInput: the record is larger than the store can hold; the message says what to shorten.
        """
        ...

    def write_all(self, tenant: str, changes: Sequence[tuple[Document, Document]]) -> None:
        """Write all records, each paired with the expected stored one, atomically; errors are those of `write`.

        A record may equal its expectation: it is then a condition for the others. For more than `MAX_ATOMIC_WRITES`
        records, or very large ones, the store may raise InvalidInput because it cannot write so many in one step.
        """
        ...

    def write_attachment_tree(self, tenant: str, changes: Sequence[tuple[Document, Document]]) -> None:
        """Write a document and, after it in `changes`, its attachment tree; conditions and errors as for `write_all`.

        A living child that is missing from `changes` is a Conflict, too. A tree larger than one atomic write is written
        in several steps, from the end of `changes` to its beginning. Children thus precede parents, and the document
        itself comes last. A Conflict at the start changes nothing. A later one leaves the previous steps written; a
        repeat with the stored records then completes the change.
        """
        ...

    def add_queued(self, tenant: str, documents: Sequence[Document]) -> None:
        """Add records of documents that will be ingested, each atomically; existing records are not changed."""
        ...

    def delete_unindexed(self, tenant: str, document: Document) -> None:
        """Delete the record of a living document that never was indexed.

        It stays where its policy version is no longer that of `document`: somebody decided about its readers meanwhile.
        """
        ...

    def from_source(self, tenant: str, collection: str, source_path: str, parent: str | None = None) -> SourceRecords:
        """Return what is known of this path, as a file of its own or as an attachment of `parent`."""
        ...

    def by_content(self, tenant: str, collection: str, content_hash: str) -> list[Document]:
        """Return the living documents with this content."""
        ...

    def marked_with_content(self, tenant: str, content_mark: str) -> list[Document]:
        """Return the records with this mark, by id: tombstones, and living documents that had the content before."""
        ...

    def page_deletions(self, tenant: str, after: str | None, limit: int) -> list[Document]:
        """Return the next `limit` tombstones with a deletion in force, by id, after the id `after`.

        Fewer than `limit` means that there are no more.
        """
        ...

    def deleted_children(self, tenant: str, parent: str) -> list[Document]:
        """Return the tombstones with this `parent`, by id, whether or not a deletion is in force."""
        ...

    def children(self, tenant: str, parent: str) -> list[Document]:
        """Return the living documents with this `parent`, oldest first."""
        ...

    def all(self, tenant: str, collection: str | None) -> list[Document]:
        """Return the living documents by name; of all collections when `collection` is None."""
        ...

    def page_indexed(self, tenant: str, collection: str, after: str | None, limit: int) -> list[Document]:
        """Return the next `limit` indexed documents of the collection, by id, after the id `after`.

        Fewer than `limit` means that there are no more. The cost does not depend on the records before and after the
        page.
        """
        ...

    def page_live(self, tenant: str, after: str | None, limit: int) -> list[Document]:
        """Return the next `limit` living documents of all collections and states, by id, after the id `after`.

        Fewer than `limit` means that there are no more.
        """
        ...

    def page_records(self, tenant: str, after: str | None, limit: int) -> list[Document]:
        """Return the next `limit` records, living documents and all tombstones, by id, after the id `after`.

        Fewer than `limit` means that there are no more.
        """
        ...

    def sketches(self, tenant: str) -> list[tuple[str, bytes]]:
        """Return id and sketch of the indexed documents that have one, by creation time."""
        ...

    def stale_documents(self, tenant: str) -> list[Document]:
        """Return the records, tombstones included, whose mark `sync.is_stale` is set."""
        ...

    def tenants_with_stale_documents(self) -> list[str]:
        """Return the distinct tenants with such records; may briefly lack one."""
        ...


_WALK_BATCH: Final = 500
"""Records per read of a walk."""


def living_documents(documents: Documents, tenant: str, after: str | None) -> Iterator[Document]:
    """Iterate over the living documents of all collections and states, by id, after the id `after`."""
    while batch := documents.page_live(tenant, after, _WALK_BATCH):
        yield from batch
        after = batch[-1].doc_id
        if len(batch) < _WALK_BATCH:
            return
