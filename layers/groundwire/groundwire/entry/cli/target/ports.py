"""Ports of the command line's targets: administration of tenants, keys, users, collections and documents, as rows."""

from collections.abc import Sequence
from typing import Literal, Protocol

from groundwire.domain.access.policy import Policy
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.source_ports import SourceOperations
from groundwire.services.keys.admin import KeySpec


class TenantOperations(Protocol):
    """The operator's tenants."""

    def create(self, name: str) -> Row:
        """Create a tenant.

        Raises:
            InvalidInput: the name is invalid.
            Conflict: the name is taken.
        """
        ...

    def next_step(self, name: str) -> str:
        """Return advice for the time after the creation of the tenant `name`."""
        ...

    def all(self) -> list[Row]:
        """Return the tenants ordered by name."""
        ...

    def find(self, name_or_id: str) -> Row:
        """Return `name` and `tenant` (its id) of the tenant to delete.

        Raises:
            NotFound: there is no such tenant.
        """
        ...

    def delete(self, tenant: str) -> Row:
        """Delete the tenant of this id; return `tenant` and `deleted`, the counts by kind.

        A target that may delete once more later also returns `again_in_s`.
        """
        ...


class KeyOperations(Protocol):
    """A tenant's keys."""

    def create(self, spec: KeySpec) -> Row:
        """Create a key, whatever tenant `spec` names; return it with its text as `key`.

        A key for people who sign in has no text.

        Raises:
            InvalidInput: the specification is invalid.
            Conflict: the tenant has a key for people who sign in already.
        """
        ...

    def all(self) -> list[Row]:
        """Return the keys ordered by creation time."""
        ...

    def policy_tags(self) -> Row:
        """Return the tags that policies use as `tags`, and as `complete` whether these are all of them.

        Raises:
            NotFound, InvalidInput: the service is of a release that does not list them.
        """
        ...

    def rotate(self, kid: str, overlap_hours: int) -> Row:
        """Give a key a new secret; return it with its text as `key`.

        Raises:
            NotFound: there is no such key.
            Conflict: it is revoked or has expired.
            InvalidInput: it has no secret, or the overlap is out of range.
        """
        ...

    def revoke(self, kid: str) -> Row:
        """Revoke a key.

        Raises:
            NotFound: there is no such key.
        """
        ...


class UserOperations(Protocol):
    """The tags that a tenant stores for its users."""

    def set(self, user: str, tags: frozenset[str]) -> None:
        """Replace the user's tags."""
        ...

    def all(self) -> list[Row]:
        """Return the entries ordered by user."""
        ...

    def delete(self, user: str) -> None:
        """Delete the user's entry.

        Raises:
            NotFound: the user has no entry.
        """
        ...


class CollectionOperations(Protocol):
    """A tenant's collections."""

    def all(self) -> list[Row]:
        """Return the collections ordered by name."""
        ...

    def find(self, name: str) -> Row:
        """Return a collection by name.

        Raises:
            NotFound: there is no such collection.
        """
        ...

    def set(
        self, name: str, bm25_weight: float | None, language: str | None, floor: float | Literal["auto"] | None
    ) -> Row:
        """Create or change a collection; a setting of None is left unchanged.

        Raises:
            InvalidInput: the name or a setting is invalid.
        """
        ...

    def describe(self, name: str, description: str) -> Row:
        """Set what the collection holds, in its owner's words; an empty text clears it.

        Raises:
            NotFound: there is no such collection.
            InvalidInput: nothing of the text can be seen, or it is too long.
        """
        ...

    def propose_description(self, name: str) -> str | None:
        """Return a description made from public documents, which is not stored; None without such documents.

        Raises:
            NotFound: there is no such collection.
        """
        ...

    def delete(self, name: str) -> int:
        """Delete a collection with its documents; return their number.

        Raises:
            NotFound: there is no such collection.
        """
        ...


class DocumentOperations(Protocol):
    """A tenant's documents."""

    def all(self, collection: str | None) -> list[Row]:
        """Return the documents of one collection, or of all when it is None.

        Raises:
            NotFound: there is no such collection.
        """
        ...

    def show(self, doc_id: str, max_passages: int | None) -> Row:
        """Return a document with its first `passages`, or all for None; `segments` is the number of all.

        Their text is null where the caller may not read it.

        Raises:
            NotFound: there is no such document.
        """
        ...

    def set_policy(self, doc_id: str, policy: Policy) -> Row:
        """Override the document's policy.

        Raises:
            NotFound: there is no such document.
            InvalidInput: it is an attachment, or the policy is invalid.
        """
        ...

    def delete(self, doc_id: str) -> Row:
        """Delete a document; return at least `doc_id` and `file`.

        Raises:
            NotFound: there is no such document.
            InvalidInput: it is an attachment.
        """
        ...


class TenantTarget(Protocol):
    """One tenant of a target; a part that the target does not administer raises InvalidInput with the alternative."""

    @property
    def title(self) -> str:
        """The name of the tenant or of its service, for messages."""
        ...

    @property
    def keys(self) -> KeyOperations:
        """The tenant's keys."""
        ...

    @property
    def users(self) -> UserOperations:
        """The tenant's user entries."""
        ...

    @property
    def collections(self) -> CollectionOperations:
        """The tenant's collections."""
        ...

    @property
    def documents(self) -> DocumentOperations:
        """The tenant's documents."""
        ...

    @property
    def sources(self) -> SourceOperations:
        """The tenant's MCP sources."""
        ...


class Target(Protocol):
    """The backend that commands act on."""

    @property
    def supported_commands(self) -> frozenset[str] | None:
        """First words of the commands that the target supports; None: all."""
        ...

    @property
    def description(self) -> str:
        """A sentence that names the target, for an error about an unknown name."""
        ...

    @property
    def requires_tenant(self) -> bool:
        """True when commands must name their tenant; False where the key determines it."""
        ...

    @property
    def tenants(self) -> TenantOperations:
        """All tenants.

        Raises:
            InvalidInput: the target does not administer tenants.
        """
        ...

    def tenant(self, name_or_id: str) -> TenantTarget:
        """Return one tenant.

        Raises:
            NotFound: there is no such tenant.
        """
        ...

    @property
    def usage_hints(self) -> Sequence[str]:
        """Lines to print after a key was created; `{url}` is a placeholder for the service's address."""
        ...
