"""Ports of the registry: tenants, their users and keys, their collections and documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.api_key import Admission, ApiKey
from groundwire.domain.keys.tenant import Tenant


class Keys(Protocol):
    """Store of API keys; secrets are known only by digest (`domain.keys.key_text.key_digest`)."""

    def add(self, key: ApiKey, digest: bytes) -> None:
        """Add a key.

        Raises:
            Conflict: the kid exists.
        """
        ...

    def admit(self, kid: str, digest: bytes, now: float) -> Admission:
        """Check digest, revocation and expiry, and count one call against the key's and the tenant's rate.

        The step is atomic: concurrent calls never exceed the rate, and a denied call is not counted.
        """
        ...

    def get(self, tenant: str, kid: str) -> ApiKey | None:
        """Return the key, also when revoked or expired; None when the tenant has no such kid."""
        ...

    def all(self, tenant: str) -> list[ApiKey]:
        """Return the tenant's keys by creation time."""
        ...

    def rotate(self, tenant: str, kid: str, digest: bytes, previous_until: float) -> None:
        """Make `digest` the current one; the previous one works until `previous_until`.

        Raises:
            NotFound: there is no such key.
        """
        ...

    def revoke(self, tenant: str, kid: str) -> None:
        """Revoke the key; no later `admit` succeeds.

        Raises:
            NotFound: there is no such key.
        """
        ...


class Tenants(Protocol):
    """Store of tenants, for the operator."""

    def add(self, tenant: Tenant) -> None:
        """Add a tenant.

        Raises:
            Conflict: the name is in use.
        """
        ...

    def get(self, tenant: str) -> Tenant | None:
        """Return the tenant with this id, or None."""
        ...

    def all(self) -> list[Tenant]:
        """Return all tenants by name."""
        ...

    # Before anything is deleted: an ingestion that starts meanwhile would write what nobody erases.
    def mark_deleting(self, tenant: str) -> None:
        """Mark the tenant as being deleted: from now on no key is added to it, and no ingestion starts.

        Raises:
            NotFound: there is no such tenant.
        """
        ...

    def delete(self, tenant: str) -> Mapping[str, int]:
        """Delete all registry rows of the tenant; return their number by kind (keys, users, …)."""
        ...


class Users(Protocol):
    """Store of the tags that a tenant gives its users, for agents that send only a user."""

    def set(self, tenant: str, user: str, tags: frozenset[str]) -> None:
        """Set the user's entry to exactly `tags`."""
        ...

    def tags(self, tenant: str, user: str) -> frozenset[str] | None:
        """Return the user's tags; None without an entry."""
        ...

    def all(self, tenant: str) -> list[tuple[str, frozenset[str]]]:
        """Return all entries by user."""
        ...

    def delete(self, tenant: str, user: str) -> None:
        """Delete the user's entry.

        Raises:
            NotFound: there is no such entry.
        """
        ...


class Collections(Protocol):
    """Store of a tenant's collections."""

    def put(self, tenant: str, collection: Collection) -> None:
        """Create the collection or replace its settings."""
        ...

    def all(self, tenant: str) -> list[Collection]:
        """Return the tenant's collections by name."""
        ...

    def delete(self, tenant: str, name: str) -> None:
        """Delete the collection.

        Raises:
            NotFound: there is no such collection.
        """
        ...


@dataclass(frozen=True, slots=True)
class SourceRecords:
    """Records of one source path.

    Attributes:
        living: the living document that was ingested from it; of several, the one changed last.
        deleted_at: time at which a document from it, now a tombstone, was last deleted explicitly (epoch seconds); 0
            without an explicit deletion, such as when only its file was removed.
    """

    living: Document | None
    # An upload older than the deletion must not bring the document back.
    deleted_at: float


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

    def delete_unindexed(self, tenant: str, doc_id: str) -> None:
        """Delete the record of a living document that never was indexed."""
        ...

    def from_source(self, tenant: str, collection: str, source_path: str, parent: str | None = None) -> SourceRecords:
        """Return what is known of this path, as a file of its own or as an attachment of `parent`."""
        ...

    def by_content(self, tenant: str, collection: str, content_hash: str) -> list[Document]:
        """Return the living documents with this content."""
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

    def sketches(self, tenant: str) -> list[tuple[str, bytes]]:
        """Return id and sketch of the indexed documents that have one, by creation time."""
        ...

    def stale_documents(self, tenant: str) -> list[Document]:
        """Return the records, tombstones included, whose mark `sync.is_stale` is set."""
        ...

    def tenants_with_stale_documents(self) -> list[str]:
        """Return the distinct tenants with such records; may briefly lack one."""
        ...
