"""What can be administered, as rows: on this machine, in a stack, or in a service by its REST API."""

from collections.abc import Sequence
from typing import Protocol

from groundwire.domain.access.policy import Policy
from groundwire.entry.cli.console import Row
from groundwire.services.keys.admin import KeySpec


class TenantOperations(Protocol):
    """The operator's tenants."""

    def create(self, name: str) -> Row:
        """Raises Invalid, Conflict."""
        ...

    def next_step(self, name: str) -> str:
        """What to do once the tenant of this name was made."""
        ...

    def all(self) -> list[Row]:
        """By name."""
        ...

    def find(self, name_or_id: str) -> Row:
        """`name` and `tenant` of what `delete` would delete; Raises NotFound."""
        ...

    def delete(self, tenant: str) -> Row:
        """`tenant` and `deleted`, how many of each kind; `again_in_s` where somebody looks once more."""
        ...


class KeyOperations(Protocol):
    """A tenant's keys."""

    def create(self, spec: KeySpec) -> Row:
        """With its text as `key`, but for people who sign in; whatever the order's tenant. Raises Invalid."""
        ...

    def all(self) -> list[Row]:
        """By creation time."""
        ...

    def rotate(self, kid: str, overlap_hours: int) -> Row:
        """With the new text as `key`; Raises NotFound, Conflict, Invalid."""
        ...

    def revoke(self, kid: str) -> Row:
        """Raises NotFound."""
        ...


class UserOperations(Protocol):
    """The entries that a tenant keeps for its users."""

    def set(self, user: str, tags: frozenset[str]) -> None:
        """The user's entry is exactly these tags."""
        ...

    def all(self) -> list[Row]:
        """By user."""
        ...

    def delete(self, user: str) -> None:
        """Raises NotFound."""
        ...


class CollectionOperations(Protocol):
    """A tenant's collections."""

    def all(self) -> list[Row]:
        """By name."""
        ...

    def find(self, name: str) -> Row:
        """Raises NotFound."""
        ...

    def set(self, name: str, bm25_weight: float | None, language: str | None) -> Row:
        """What is None stays as it is; Raises Invalid."""
        ...

    def delete(self, name: str) -> int:
        """How many documents went with it; Raises NotFound."""
        ...


class DocumentOperations(Protocol):
    """A tenant's documents."""

    def all(self, collection: str | None) -> list[Row]:
        """Of one collection, or every one; Raises NotFound for a collection that is not there."""
        ...

    def show(self, doc_id: str, *, segments: bool) -> Row:
        """With its `passages` where they are asked for; Raises NotFound."""
        ...

    def set_policy(self, doc_id: str, policy: Policy) -> Row:
        """Raises NotFound, Invalid."""
        ...

    def delete(self, doc_id: str) -> Row:
        """At least `doc_id` and `file`; Raises NotFound, Invalid."""
        ...


class TenantTarget(Protocol):
    """One tenant, where it is; a part that cannot be administered from here raises Invalid and says from where."""

    @property
    def title(self) -> str:
        """What people are told of whom they deal with."""
        ...

    @property
    def keys(self) -> KeyOperations:
        """Its keys."""
        ...

    @property
    def users(self) -> UserOperations:
        """Its users' entries."""
        ...

    @property
    def collections(self) -> CollectionOperations:
        """Its collections."""
        ...

    @property
    def documents(self) -> DocumentOperations:
        """Its documents."""
        ...


class Target(Protocol):
    """Where commands work."""

    @property
    def supported_commands(self) -> frozenset[str] | None:
        """The first words of those that work there; None: all."""
        ...

    @property
    def description(self) -> str:
        """A sentence that names the place, for an error about a name that does not exist there."""
        ...

    @property
    def requires_tenant(self) -> bool:
        """Whether commands name their tenant; False where the key decides."""
        ...

    @property
    def tenants(self) -> TenantOperations:
        """All of them; Raises Invalid where they cannot be administered."""
        ...

    def tenant(self, name_or_id: str) -> TenantTarget:
        """One of them; Raises NotFound."""
        ...

    @property
    def usage_hints(self) -> Sequence[str]:
        """Lines about what follows once a key was made; `{url}` stands for the service's address."""
        ...
