"""Ports of tenants and their collections."""

from collections.abc import Mapping
from typing import Protocol

from groundwire.domain.documents.collection import Collection
from groundwire.domain.keys.tenant import Tenant


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

    def set_rate(self, tenant: str, rate_per_minute: int, burst: int) -> None:
        """Set the limit over all keys of the tenant, whose next call is the first one that counts.

        Raises:
            NotFound: there is no such tenant.
        """
        ...

    def set_suspension(self, tenant: str, since: float | None) -> None:
        """Suspend the tenant, so that no later `Keys.admit` succeeds; None: end its suspension.

        Raises:
            NotFound: there is no such tenant.
        """
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


class Collections(Protocol):
    """Store of a tenant's collections."""

    def put(self, tenant: str, collection: Collection) -> None:
        """Create the collection or replace its settings."""
        ...

    def add(self, tenant: str, collection: Collection) -> bool:
        """Create the collection; return False, and change nothing, where there is one of this name."""
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
