"""Administration of tenants: creation with a random id that is never reused, deletion with all their data."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.domain.keys.tenant import Tenant, folded_name
from groundwire.domain.limits import (
    DEFAULT_TENANT_BURST,
    DEFAULT_TENANT_RATE_PER_MINUTE,
    MAX_NAME_CHARACTERS,
    MAX_TENANT_BURST,
    MAX_TENANT_RATE_PER_MINUTE,
)
from groundwire.ports import Blobs, Clock, Evaluations, Indexes, IngestionRuns, IngestLock, Keys, Tenants


class TenantContent(NamedTuple):
    """Stores of a tenant's content beside its records.

    Attributes:
        evaluations: stored evaluations of search; None where no command stores any.
        runs: runs of `groundwire ingest`; None where no command runs one.
    """

    indexes: Indexes
    image_indexes: Indexes
    blobs: Blobs
    evaluations: Evaluations | None
    runs: IngestionRuns | None


class TenantAdmin:
    """Administration of tenants by the operator: never reachable with an API key."""

    def __init__(
        self,
        tenants: Tenants,
        keys: Keys,
        content: TenantContent,
        lock: IngestLock,
        clock: Clock,
        new_id: Callable[[], str],
    ) -> None:
        self._tenants = tenants
        self._keys = keys
        self._content = content
        self._lock = lock
        self._clock = clock
        self._new_id = new_id

    def create(self, name: str) -> Tenant:
        """Create a tenant.

        Raises:
            InvalidInput: the name is not valid.
            Conflict: the name is in use, in any letter case.
        """
        # Two names that a person takes for one would make a command change the wrong customer.
        name = name.strip()
        alike = next((each.name for each in self._tenants.all() if folded_name(each.name) == folded_name(name)), None)
        if alike is not None:
            raise Conflict(f"There is a tenant {alike!r} already: choose another name.")
        if not name or len(name) > MAX_NAME_CHARACTERS or not name.isprintable():
            raise InvalidInput(f"A tenant needs a printable name of at most {MAX_NAME_CHARACTERS} characters.")
        tenant = Tenant(self._new_id(), name, DEFAULT_TENANT_RATE_PER_MINUTE, DEFAULT_TENANT_BURST, self._clock())
        self._tenants.add(tenant)
        return tenant

    def all(self) -> list[Tenant]:
        """Return all tenants by name."""
        return self._tenants.all()

    def find(self, name_or_id: str) -> Tenant:
        """Return the tenant with this name or id.

        Raises:
            NotFound: there is no such tenant.
        """
        for tenant in self._tenants.all():
            if name_or_id in (tenant.name, tenant.tenant):
                return tenant
        raise NotFound(f"There is no tenant {name_or_id!r}.", "tenant")

    def set_rate(self, name_or_id: str, rate_per_minute: int, burst: int) -> Tenant:
        """Set the limit over all keys of a tenant, and return the tenant.

        Raises:
            NotFound: there is no such tenant. InvalidInput: a number is out of range.
        """
        if not (1 <= rate_per_minute <= MAX_TENANT_RATE_PER_MINUTE and 1 <= burst <= MAX_TENANT_BURST):
            raise InvalidInput(
                f"A tenant has a rate of 1 to {MAX_TENANT_RATE_PER_MINUTE:,} calls per minute, and a burst of 1 to "
                f"{MAX_TENANT_BURST:,} calls."
            )
        tenant = self.find(name_or_id)
        self._tenants.set_rate(tenant.tenant, rate_per_minute, burst)
        return replace(tenant, rate_per_minute=rate_per_minute, burst=burst)

    def suspend(self, name_or_id: str) -> Tenant:
        """Refuse every call of a tenant's keys from the next one on, and return the tenant; nothing is deleted.

        Raises:
            NotFound: there is no such tenant.
        """
        tenant = self.find(name_or_id)
        # The first moment is kept where somebody suspends it again.
        since = self._clock() if tenant.suspended_at is None else tenant.suspended_at
        self._tenants.set_suspension(tenant.tenant, since)
        return replace(tenant, suspended_at=since)

    def resume(self, name_or_id: str) -> Tenant:
        """End the suspension of a tenant, and return the tenant; keys that were revoked stay revoked.

        Raises:
            NotFound: there is no such tenant.
        """
        tenant = self.find(name_or_id)
        self._tenants.set_suspension(tenant.tenant, None)
        return replace(tenant, suspended_at=None)

    def delete(self, name_or_id: str) -> Mapping[str, int]:
        """Delete all data of the tenant, after a running ingestion has ended; return the number of records by kind.

        The tenant is marked first, so that no key and no ingestion starts after its keys are revoked, and no caller
        reads on. Records are deleted after the data that they describe, so an interrupted deletion can be repeated.
        """
        tenant = self.find(name_or_id).tenant
        self._tenants.mark_deleting(tenant)
        for key in self._keys.all(tenant):
            self._keys.revoke(tenant, key.kid)
        return self._erase(tenant)

    def erase_remaining(self, tenant: str) -> Mapping[str, int]:
        """Erase data written after the deletion by calls admitted before it; return the number of records by kind.

        Raises:
            Conflict: there is such a tenant; `delete` it.
        """
        if self._tenants.get(tenant) is not None:
            raise Conflict(f"The tenant {tenant} was not deleted.", remedy="delete_tenant")
        return self._erase(tenant)

    def _erase(self, tenant: str) -> Mapping[str, int]:
        with self._lock.hold_for_deletion(tenant):
            content = self._erase_content(tenant)
            records = self._tenants.delete(tenant)
            # Calls that were admitted before may have created the index again.
            self._erase_content(tenant)
            self._lock.drop(tenant)
        return {**records, **content}

    def _erase_content(self, tenant: str) -> Mapping[str, int]:
        stores = self._content
        stores.image_indexes.drop(tenant)
        counts = {"segments": stores.indexes.drop(tenant), "files": stores.blobs.drop(tenant)}
        if stores.runs is not None:
            stores.runs.drop(tenant)
        evaluations = 0 if stores.evaluations is None else stores.evaluations.drop(tenant)
        return {**counts, **({"evaluations": evaluations} if evaluations else {})}
