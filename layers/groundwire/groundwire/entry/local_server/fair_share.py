"""Fair scheduling of a thread pool: no tenant uses all threads or waits behind another tenant's queue."""

import asyncio
from collections import Counter, deque
from dataclasses import dataclass

from groundwire.domain.errors import DomainError


@dataclass(frozen=True, slots=True)
class ServerCapacity:
    """Limits of the server's concurrent work.

    Attributes:
        threads: running calls.
        tenant_threads: running calls of one tenant.
        pending: running and waiting calls.
        tenant_pending: running and waiting calls of one tenant.
    """

    threads: int
    tenant_threads: int
    pending: int
    tenant_pending: int


class CapacityExceededError(DomainError):
    """An error at a limit of the server; the request may be repeated later."""


class FairShareScheduler:
    """Scheduler that assigns a pool's threads to the calls of tenants; calls without a tenant share one queue (None).

    A free thread goes to the tenant with the fewest running calls; among equals, round robin. Calls of one tenant keep
    their order. The scheduler runs on one event loop.
    """

    def __init__(self, capacity: ServerCapacity) -> None:
        self._capacity = capacity
        self._running = Counter[str | None]()
        self._waiting: dict[str | None, deque[asyncio.Future[None]]] = {}

    async def acquire(self, tenant: str | None) -> None:
        """Wait for a thread; a cancelled caller leaves the queue.

        Raises:
            CapacityExceededError: too many calls wait already.
        """
        waiting = sum(map(len, self._waiting.values()))
        tenant_calls = self._running[tenant] + len(self._waiting.get(tenant, ()))
        if tenant_calls >= self._capacity.tenant_pending or waiting + self._running.total() >= self._capacity.pending:
            raise CapacityExceededError
        ticket = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, deque()).append(ticket)
        self._assign_free()
        try:
            await ticket
        except asyncio.CancelledError:
            self._cancel(tenant, ticket)
            raise

    def release(self, tenant: str | None) -> None:
        """Free a thread and assign it to a waiting call."""
        self._running[tenant] -= 1
        if not self._running[tenant]:
            del self._running[tenant]
        self._assign_free()

    def _cancel(self, tenant: str | None, ticket: "asyncio.Future[None]") -> None:
        if ticket.done() and not ticket.cancelled():
            # The thread was assigned at the moment of the cancellation.
            self.release(tenant)
        else:
            self._drop_cancelled()

    def _drop_cancelled(self) -> None:
        for tenant, queue in list(self._waiting.items()):
            active = deque(ticket for ticket in queue if not ticket.done())
            if active:
                self._waiting[tenant] = active
            else:
                del self._waiting[tenant]

    def _assign_free(self) -> None:
        # A timeout cancels a ticket at once, but its caller handles that only in the next iteration of the event loop.
        self._drop_cancelled()
        while self._running.total() < self._capacity.threads:
            eligible = [tenant for tenant in self._waiting if self._running[tenant] < self._capacity.tenant_threads]
            if not eligible:
                return
            self._assign_to(min(eligible, key=self._running.__getitem__))

    def _assign_to(self, tenant: str | None) -> None:
        # The tenant goes to the end, so that tenants with equally many threads alternate.
        queue = self._waiting.pop(tenant)
        queue.popleft().set_result(None)
        self._running[tenant] += 1
        if queue:
            self._waiting[tenant] = queue
