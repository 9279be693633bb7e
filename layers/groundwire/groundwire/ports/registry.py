"""The registry: tenants, their users and keys, their collections and documents."""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from groundwire.domain.documents.collection import Collection
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.api_key import Admission, ApiKey
from groundwire.domain.keys.tenant import Tenant


class Keys(Protocol):
    """API keys; secrets are known only by digest (`domain.keys.key_text.key_digest`)."""

    def add(self, key: ApiKey, digest: bytes) -> None:
        """Raises Conflict when the kid is taken."""
        ...

    def admit(self, kid: str, digest: bytes, now: float) -> Admission:
        """Checks digest, revocation and expiry, and spends one call of the key's and the tenant's rate.

        One atomic step: of concurrent calls never more are admitted than the rate allows, and a refused
        call spends nothing.
        """
        ...

    def get(self, tenant: str, kid: str) -> ApiKey | None:
        """The key, revoked and expired ones included; None when the tenant has none of that kid."""
        ...

    def all(self, tenant: str) -> list[ApiKey]:
        """By creation time."""
        ...

    def rotate(self, tenant: str, kid: str, digest: bytes, previous_until: float) -> None:
        """`digest` is current, the one before works until `previous_until`; Raises NotFound."""
        ...

    def revoke(self, tenant: str, kid: str) -> None:
        """No later `admit` succeeds; Raises NotFound."""
        ...


class Tenants(Protocol):
    """The operator's list of tenants."""

    def add(self, tenant: Tenant) -> None:
        """Raises Conflict when the name is taken."""
        ...

    def get(self, tenant: str) -> Tenant | None:
        """The tenant of this id, or None."""
        ...

    def all(self) -> list[Tenant]:
        """By name."""
        ...

    def mark_deleting(self, tenant: str) -> None:
        """It is being deleted: from now on no key of it is added, and no ingestion begins; Raises NotFound."""
        ...

    def delete(self, tenant: str) -> Mapping[str, int]:
        """All registry rows of the tenant are gone; returns how many of each kind (keys, users, …)."""
        ...


class Users(Protocol):
    """Tags that a tenant keeps for its users, for agents that send only a user."""

    def set(self, tenant: str, user: str, tags: frozenset[str]) -> None:
        """The user's entry is exactly `tags`."""
        ...

    def tags(self, tenant: str, user: str) -> frozenset[str] | None:
        """None when the tenant keeps no entry for the user."""
        ...

    def all(self, tenant: str) -> list[tuple[str, frozenset[str]]]:
        """By user."""
        ...

    def delete(self, tenant: str, user: str) -> None:
        """Raises NotFound."""
        ...


class Collections(Protocol):
    """The collections of a tenant."""

    def put(self, tenant: str, collection: Collection) -> None:
        """The collection exists with these settings, made or changed."""
        ...

    def all(self, tenant: str) -> list[Collection]:
        """By name."""
        ...

    def delete(self, tenant: str, name: str) -> None:
        """Raises NotFound."""
        ...


MAX_ATOMIC_WRITES: Final = 25
"""Records that every store can write in one step, as long as they do not move: DynamoDB takes 100 items and 4 MB."""


class Documents(Protocol):
    """The document registry: strongly consistent, the truth about policy, version and existence.

    No answer holds a record as it no longer is. `by_content`, `page_indexed` and `stale_documents` may for a moment lack what was
    written just before; all others hold everything.
    """

    def read(self, tenant: str, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """The records of these documents, tombstones included, each as it is now; unknown ids are absent."""
        ...

    def write(self, tenant: str, document: Document, expected: Document | None) -> None:
        """The record is durable.

        Raises:
            Conflict: the stored record's `stand` is no longer `expected`'s (None: it exists already).
            Invalid: the record is larger than the store can hold; the message says what to shorten.
        """
        ...

    def write_all(self, tenant: str, changes: Sequence[tuple[Document, Document]]) -> None:
        """Each record and what is expected of the stored one: all are durable, or none; Raises as `write`.

        A record may be its own expectation: then it only has to be what it was for the others to be written. Of more
        than `WRITTEN_TOGETHER`, or of very large ones, Invalid says that the store cannot write so many in one step.
        """
        ...

    def write_attachment_tree(self, tenant: str, changes: Sequence[tuple[Document, Document]]) -> None:
        """Like `write_all`, for a document and behind it what it carries; Conflict also when a living child is missing.

        A family larger than the store can write in one step is written in several, from the end of `changes` to its
        beginning, so that what carries follows what it carries and the document itself comes last. A Conflict that is
        there from the beginning leaves everything as it was; one that arises meanwhile leaves the steps before it, and
        whoever repeats the change with what is stored then completes it.
        """
        ...

    def add_queued(self, tenant: str, documents: Sequence[Document]) -> None:
        """Records of documents that are to come are durable, each whole; those that exist are left alone."""
        ...

    def delete_unindexed(self, tenant: str, doc_id: str) -> None:
        """There is no record any more of a living document that never was indexed."""
        ...

    def by_source_path(
        self, tenant: str, collection: str, source_path: str, parent: str | None = None
    ) -> Document | None:
        """The living document that was ingested from this path, on its own or as an attachment of `parent`."""
        ...

    def last_deletion_at(self, tenant: str, collection: str, source_path: str) -> float:
        """When somebody last deleted a document that came from this path and is still a tombstone, epoch seconds.

        0 where nobody did, or nothing but its file was gone.
        """
        ...

    def by_content(self, tenant: str, collection: str, content_hash: str) -> list[Document]:
        """The living documents with this content."""
        ...

    def children(self, tenant: str, parent: str) -> list[Document]:
        """The living documents whose `parent` this is, oldest first."""
        ...

    def all(self, tenant: str, collection: str | None) -> list[Document]:
        """Living documents by name; of every collection when `collection` is None."""
        ...

    def page_indexed(self, tenant: str, collection: str, after: str | None, limit: int) -> list[Document]:
        """The next `limit` indexed documents of the collection, by id, from the first one after the id `after`.

        Fewer than `limit` means that there are no more; cost does not grow with what lies before or behind.
        """
        ...

    def page_live(self, tenant: str, after: str | None, limit: int) -> list[Document]:
        """The next `limit` living documents of every collection and state, by id, behind the id `after`.

        Fewer than `limit` means that there are no more.
        """
        ...

    def sketches(self, tenant: str) -> list[tuple[str, bytes]]:
        """Id and sketch of every indexed document that has one, by creation time."""
        ...

    def stale_documents(self, tenant: str) -> list[Document]:
        """Records, tombstones included, whose `index_stale` is set."""
        ...

    def tenants_with_stale_documents(self) -> list[str]:
        """Tenants with such records, each once; may for a moment lack one."""
        ...
