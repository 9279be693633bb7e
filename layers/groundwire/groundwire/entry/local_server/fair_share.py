"""Fair shares of a thread pool: no tenant holds all threads, and none waits behind another tenant's queue."""

import asyncio
from collections import Counter, deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerCapacity:
    """Bounds of what a server does at a time.

    Attributes:
        threads: calls that run; tenant_threads: of one tenant.
        pending: calls that run or wait; tenant_pending: of one tenant.
    """

    threads: int
    tenant_threads: int
    pending: int
    tenant_pending: int


class CapacityExceededError(Exception):
    """A bound of the server is reached; the request may be repeated later."""


class FairShareScheduler:
    """Assigns the threads of a pool to owners; None is the owner of what belongs to no tenant.

    A free thread goes to the owner that holds the fewest; among equals they take turns. Calls of one owner go in
    their order. Everything happens on one event loop.
    """

    def __init__(self, capacity: ServerCapacity) -> None:
        self._capacity = capacity
        self._running = Counter[str | None]()
        self._waiting: dict[str | None, deque[asyncio.Future[None]]] = {}

    async def acquire(self, owner: str | None) -> None:
        """Waits for a thread; a cancelled caller leaves the queue.

        Raises:
            NoRoomError: too many calls wait already.
        """
        waiting = sum(map(len, self._waiting.values()))
        own = self._running[owner] + len(self._waiting.get(owner, ()))
        if own >= self._capacity.tenant_pending or waiting + self._running.total() >= self._capacity.pending:
            raise CapacityExceededError
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        self._assign_free()
        try:
            await turn
        except asyncio.CancelledError:
            self._cancel(owner, turn)
            raise

    def release(self, owner: str | None) -> None:
        """Returns a thread, and assigns it to a call that waits."""
        self._running[owner] -= 1
        if not self._running[owner]:
            del self._running[owner]
        self._assign_free()

    def _cancel(self, owner: str | None, turn: "asyncio.Future[None]") -> None:
        if turn.done() and not turn.cancelled():
            # The thread was assigned at the moment of the cancellation.
            self.release(owner)
        else:
            self._drop_cancelled()

    def _drop_cancelled(self) -> None:
        for owner, turns in list(self._waiting.items()):
            living = deque(turn for turn in turns if not turn.done())
            if living:
                self._waiting[owner] = living
            else:
                del self._waiting[owner]

    def _assign_free(self) -> None:
        # A turn is cancelled at once when its time is up, and its caller runs a round of the loop later.
        self._drop_cancelled()
        while self._running.total() < self._capacity.threads:
            entitled = [owner for owner in self._waiting if self._running[owner] < self._capacity.tenant_threads]
            if not entitled:
                return
            self._assign_to(min(entitled, key=self._running.__getitem__))

    def _assign_to(self, owner: str | None) -> None:
        # The owner goes to the end, so that owners with as many threads take turns.
        turns = self._waiting.pop(owner)
        turns.popleft().set_result(None)
        self._running[owner] += 1
        if turns:
            self._waiting[owner] = turns
