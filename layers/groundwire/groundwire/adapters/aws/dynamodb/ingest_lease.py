"""Ingest lock per tenant, over all machines: a lease in the tenant's partition of the key table.

The lease is in the same table as the tenant's row, so that one transaction takes it and checks that the tenant exists.
A holder never writes for a tenant whose deletion has begun, and a deletion waits for the holder.
"""

import random
import secrets
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import number, read_number, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed, TransactionConflict
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.keys.row_keys import lease_row, tenant_row
from groundwire.domain import errors
from groundwire.ports import LockHolder
from groundwire.retry import NOT_DONE, Backoff, NotDone, RetryPolicy, retry_until_done

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import TransactWriteItemTypeDef, UpdateTypeDef

LEASE_S: Final = 960.0
"""Duration of a lease, in seconds: longer than any function runs, so it outlives a holder that cannot renew it."""
WAIT_S: Final = 20.0
"""Longest wait for the lease, in seconds: after that the caller repeats later."""
_RENEWALS_PER_LEASE: Final = 4
_PAUSES: Final = Backoff(time.sleep, random.random, first_s=0.05, longest_s=2.0)
_ACQUIRE: Final = "SET holder = :holder, ends = :until"
_FREE: Final = "attribute_not_exists(holder) OR ends <= :now OR holder = :holder"
_IS_HOLDER: Final = "holder = :holder"
_TENANT_IS_OPEN: Final = "attribute_exists(id) AND attribute_not_exists(closing)"
_TENANT_DELETED: Final = "The tenant was deleted, so nothing can be written for it."


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
        """Hold the lease; waits at most `wait_s` for it.

        Raises:
            NotFound: the tenant does not exist, or is being deleted.
            ResourceBusy: another holder still has it.
        """
        with self._hold(tenant, require_open_tenant=True):
            yield

    @contextmanager
    def hold_for_deletion(self, tenant: str) -> Generator[None]:
        """Hold the lease even if the tenant does not exist or is being deleted."""
        with self._hold(tenant, require_open_tenant=False):
            yield

    def holder(self, tenant: str) -> LockHolder | None:
        """Return the holder, without a process name; None when the lease is free."""
        item = self._table.get(lease_row(tenant))
        if item is None or "holder" not in item or read_number(item, "ends") <= self._clock():
            return None
        return LockHolder(None, None, None)

    def drop(self, tenant: str) -> None:
        """Delete the lease's row."""
        self._table.delete_all([lease_row(tenant)])

    @contextmanager
    def _hold(self, tenant: str, *, require_open_tenant: bool) -> Generator[None]:
        holder = secrets.token_hex(8)
        self._acquire(tenant, holder, require_open_tenant=require_open_tenant)
        done = Event()
        renewal = Thread(target=self._renew, args=(tenant, holder, done), name="ingest-lease", daemon=True)
        renewal.start()
        try:
            yield
        finally:
            done.set()
            renewal.join()
            self._release(tenant, holder)

    def _acquire(self, tenant: str, holder: str, *, require_open_tenant: bool) -> None:
        deadline = time.monotonic() + self._wait_s

        def attempt() -> bool | NotDone:
            if self._try_acquire(tenant, holder, require_open_tenant=require_open_tenant):
                return True
            if require_open_tenant and not self._is_tenant_open(tenant):
                raise errors.NotFound(_TENANT_DELETED)
            return NOT_DONE

        # The last attempt is made at the deadline at the earliest.
        policy = RetryPolicy(None, _PAUSES, lambda _pause_s: time.monotonic() < deadline)
        if retry_until_done(attempt, policy) is NOT_DONE:
            raise errors.ResourceBusy("The tenant's documents are being written by another ingestion: try again later.")

    def _try_acquire(self, tenant: str, holder: str, *, require_open_tenant: bool) -> bool:
        writes: list[TransactWriteItemTypeDef] = [{"Update": self._acquire_request(tenant, holder)}]
        if require_open_tenant:
            check = {"TableName": self._table.name, "Key": tenant_row(tenant), "ConditionExpression": _TENANT_IS_OPEN}
            writes.append({"ConditionCheck": check})  # pyright: ignore[reportArgumentType] - a dictionary of this very form
        try:
            self._table.transact_once(writes)
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
            # The lease expires by itself, and the work under it is complete.
            return
