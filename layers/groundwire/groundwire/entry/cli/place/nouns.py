"""What can be administered, as rows: on this machine, in a stack, or in a service by its REST API."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from groundwire.domain.access import Policy
from groundwire.services.keys import KeyOrder

Row = Mapping[str, object]


class Tenants(Protocol):
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

    def find(self, named: str) -> Row:
        """`name` and `tenant` of what `delete` would delete; Raises NotFound."""
        ...

    def delete(self, tenant: str) -> Row:
        """`tenant` and `deleted`, how many of each kind; `again_in_s` where somebody looks once more."""
        ...


class Keys(Protocol):
    """A tenant's keys."""

    def create(self, order: KeyOrder) -> Row:
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


class Users(Protocol):
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


class Collections(Protocol):
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


class Documents(Protocol):
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


class TenantPlace(Protocol):
    """One tenant, where it is; a part that cannot be administered from here raises Invalid and says from where."""

    @property
    def title(self) -> str:
        """What people are told of whom they deal with."""
        ...

    @property
    def keys(self) -> Keys:
        """Its keys."""
        ...

    @property
    def users(self) -> Users:
        """Its users' entries."""
        ...

    @property
    def collections(self) -> Collections:
        """Its collections."""
        ...

    @property
    def documents(self) -> Documents:
        """Its documents."""
        ...


class Place(Protocol):
    """Where commands work."""

    @property
    def commands(self) -> frozenset[str] | None:
        """The first words of those that work there; None: all."""
        ...

    @property
    def described(self) -> str:
        """A sentence that names the place, for an error about a name that does not exist there."""
        ...

    @property
    def names_tenants(self) -> bool:
        """Whether commands name their tenant; False where the key decides."""
        ...

    @property
    def tenants(self) -> Tenants:
        """All of them; Raises Invalid where they cannot be administered."""
        ...

    def tenant(self, named: str) -> TenantPlace:
        """One of them; Raises NotFound."""
        ...

    @property
    def first_call(self) -> Sequence[str]:
        """Lines about what follows once a key was made; `{url}` stands for the service's address."""
        ...
