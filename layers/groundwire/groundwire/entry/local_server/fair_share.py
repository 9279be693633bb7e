"""Fair scheduling of a thread pool: no tenant uses all threads or waits behind another tenant's queue."""

import asyncio
from collections import Counter, deque
from dataclasses import dataclass


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


class CapacityExceededError(Exception):
    """An error at a limit of the server; the request may be repeated later."""


class FairShareScheduler:
    """Scheduler that assigns a pool's threads to owners; None owns the calls without a tenant.

    A free thread goes to the owner with the fewest running calls; among equals, round robin. Calls of one owner keep
    their order. The scheduler runs on one event loop.
    """

    def __init__(self, capacity: ServerCapacity) -> None:
        self._capacity = capacity
        self._running = Counter[str | None]()
        self._waiting: dict[str | None, deque[asyncio.Future[None]]] = {}

    async def acquire(self, owner: str | None) -> None:
        """Wait for a thread; a cancelled caller leaves the queue.

        Raises:
            CapacityExceededError: too many calls wait already.
        """
        waiting = sum(map(len, self._waiting.values()))
        owner_pending = self._running[owner] + len(self._waiting.get(owner, ()))
        if owner_pending >= self._capacity.tenant_pending or waiting + self._running.total() >= self._capacity.pending:
            raise CapacityExceededError
        ticket = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(ticket)
        self._assign_free()
        try:
            await ticket
        except asyncio.CancelledError:
            self._cancel(owner, ticket)
            raise

    def release(self, owner: str | None) -> None:
        """Free a thread and assign it to a waiting call."""
        self._running[owner] -= 1
        if not self._running[owner]:
            del self._running[owner]
        self._assign_free()

    def _cancel(self, owner: str | None, ticket: "asyncio.Future[None]") -> None:
        if ticket.done() and not ticket.cancelled():
            # The thread was assigned at the moment of the cancellation.
            self.release(owner)
        else:
            self._drop_cancelled()

    def _drop_cancelled(self) -> None:
        for owner, queue in list(self._waiting.items()):
            active = deque(ticket for ticket in queue if not ticket.done())
            if active:
                self._waiting[owner] = active
            else:
                del self._waiting[owner]

    def _assign_free(self) -> None:
        # A timeout cancels a ticket at once, but its caller handles that only in the next iteration of the event loop.
        self._drop_cancelled()
        while self._running.total() < self._capacity.threads:
            eligible = [owner for owner in self._waiting if self._running[owner] < self._capacity.tenant_threads]
            if not eligible:
                return
            self._assign_to(min(eligible, key=self._running.__getitem__))

    def _assign_to(self, owner: str | None) -> None:
        # The owner goes to the end, so that owners with equally many threads alternate.
        queue = self._waiting.pop(owner)
        queue.popleft().set_result(None)
        self._running[owner] += 1
        if queue:
            self._waiting[owner] = queue
