"""One ingestion at a time per tenant, over all machines: a lease in the tenant's own partition of the table of keys.

The lease stands beside the row of the tenant, so that taking it asks in the same step whether the tenant is there:
who holds it writes for a tenant whose deletion has not begun, and a deletion waits for who holds it.
"""

import secrets
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from random import Random
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import number, read_number, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed, TransactionConflict, translated_errors
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.keys.row_keys import lease_row, tenant_row
from groundwire.domain import errors
from groundwire.ports import LockHolder

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import TransactWriteItemTypeDef, UpdateTypeDef

LEASE_S: Final = 960.0
"""Longer than any function runs: who holds it has ended by then, even if it could not renew the lease."""
WAIT_S: Final = 20.0
"""Others of the same tenant are seconds away from their end, or minutes: who waited this long comes again."""
_RENEWALS_PER_LEASE: Final = 4
_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 2.0
_ACQUIRE: Final = "SET holder = :holder, ends = :until"
_FREE: Final = "attribute_not_exists(holder) OR ends <= :now OR holder = :holder"
_IS_HOLDER: Final = "holder = :holder"
_TENANT_IS_OPEN: Final = "attribute_exists(id) AND attribute_not_exists(closing)"
_TENANT_GONE: Final = "There is no such tenant any more: nothing can be written for it."


class DynamoIngestLease:
    """Implements `ports.IngestLock` on the table of keys."""

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        clock: Callable[[], float] = time.time,
        *,
        lease_s: float = LEASE_S,
        wait_s: float = WAIT_S,
    ) -> None:
        self._table = DynamoTable(client, table)
        self._clock = clock
        self._lease_s = lease_s
        self._wait_s = wait_s

    @contextmanager
    def hold(self, tenant: str) -> Generator[None]:
        """Waits for a bounded time.

        Raises:
            NotFound: the tenant is gone, or is being deleted.
            Occupied: somebody else still holds it.
        """
        with self._hold(tenant, require_open_tenant=True):
            yield

    @contextmanager
    def hold_for_deletion(self, tenant: str) -> Generator[None]:
        """As `hold`, whatever became of the tenant."""
        with self._hold(tenant, require_open_tenant=False):
            yield

    def holder(self, tenant: str) -> LockHolder | None:
        """Reads the lease; it does not name a process."""
        item = self._table.get(lease_row(tenant))
        if item is None or "holder" not in item or read_number(item, "ends") <= self._clock():
            return None
        return LockHolder(None, None, None)

    def drop(self, tenant: str) -> None:
        """The row is gone."""
        self._table.delete_all([lease_row(tenant)])

    @contextmanager
    def _hold(self, tenant: str, *, require_open_tenant: bool) -> Generator[None]:
        holder = secrets.token_hex(8)
        self._acquire(tenant, holder, require_open_tenant=require_open_tenant)
        done = Event()
        renewing = Thread(target=self._renew, args=(tenant, holder, done), name="ingest-lease", daemon=True)
        renewing.start()
        try:
            yield
        finally:
            done.set()
            renewing.join()
            self._release(tenant, holder)

    def _acquire(self, tenant: str, holder: str, *, require_open_tenant: bool) -> None:
        # Only so that those who wait for the same do not come at the same moments.
        jitter, pause = Random(), _FIRST_PAUSE_S  # noqa: S311
        give_up = time.monotonic() + self._wait_s
        while not self._try_acquire(tenant, holder, require_open_tenant=require_open_tenant):
            if require_open_tenant and not self._is_tenant_open(tenant):
                raise errors.NotFound(_TENANT_GONE)
            if time.monotonic() >= give_up:
                raise errors.ResourceBusy(
                    "The tenant's documents are being written by another ingestion: repeat later."
                )
            time.sleep(jitter.uniform(0, pause))
            pause = min(_LONGEST_PAUSE_S, 2 * pause)

    def _try_acquire(self, tenant: str, holder: str, *, require_open_tenant: bool) -> bool:
        writes: list[TransactWriteItemTypeDef] = [{"Update": self._acquire_request(tenant, holder)}]
        if require_open_tenant:
            check = {"TableName": self._table.name, "Key": tenant_row(tenant), "ConditionExpression": _TENANT_IS_OPEN}
            writes.append({"ConditionCheck": check})  # pyright: ignore[reportArgumentType] - a dictionary of this very form
        try:
            with translated_errors(self._table.name):
                self._table.client.transact_write_items(TransactItems=writes)
        except (ConditionFailed, TransactionConflict):
            return False
        return True

    def _acquire_request(self, tenant: str, holder: str) -> "UpdateTypeDef":
        now = self._clock()
        values = {":holder": text(holder), ":now": number(now), ":until": number(now + self._lease_s)}
        return self._table.update_request(lease_row(tenant), _ACQUIRE, _FREE, values)

    def _is_tenant_open(self, tenant: str) -> bool:
        item = self._table.get(tenant_row(tenant))
        return item is not None and "closing" not in item

    def _renew(self, tenant: str, holder: str, done: Event) -> None:
        while not done.wait(self._lease_s / _RENEWALS_PER_LEASE):
            values = {":holder": text(holder), ":until": number(self._clock() + self._lease_s)}
            try:
                self._table.update(lease_row(tenant), "SET ends = :until", _IS_HOLDER, values)
            except errors.Unavailable:
                continue
            except ConditionFailed:
                return

    def _release(self, tenant: str, holder: str) -> None:
        try:
            self._table.update(lease_row(tenant), "REMOVE holder, ends", _IS_HOLDER, {":holder": text(holder)})
        except (ConditionFailed, errors.Unavailable):
            # It ends by itself, and what was done under it is done.
            return
