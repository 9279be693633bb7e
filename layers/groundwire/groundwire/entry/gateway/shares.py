"""Who may use a thread next: no tenant holds them all, and none waits behind another's queue."""

import asyncio
from collections import Counter, deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Capacity:
    """What a server does at a time.

    Attributes:
        threads: calls that run; tenant_threads: of one tenant.
        pending: calls that run or wait; tenant_pending: of one tenant.
    """

    threads: int
    tenant_threads: int
    pending: int
    tenant_pending: int


class NoRoomError(Exception):
    """So much is under way that one more has to come later."""


class ThreadShares:
    """Gives out the threads of a pool to owners; None is the owner of what belongs to no tenant.

    A free thread goes to the owner that holds the fewest; among equals they take turns. Calls of one owner go in
    their order. Everything happens on one event loop.
    """

    def __init__(self, capacity: Capacity) -> None:
        self._capacity = capacity
        self._running = Counter[str | None]()
        self._waiting: dict[str | None, deque[asyncio.Future[None]]] = {}

    async def acquire(self, owner: str | None) -> None:
        """Waits for a thread; a caller that is cancelled while it waits gives up its place.

        Raises:
            NoRoomError: too many calls wait already.
        """
        waiting = sum(map(len, self._waiting.values()))
        own = self._running[owner] + len(self._waiting.get(owner, ()))
        if own >= self._capacity.tenant_pending or waiting + self._running.total() >= self._capacity.pending:
            raise NoRoomError
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        self._give_out()
        try:
            await turn
        except asyncio.CancelledError:
            self._give_up(owner, turn)
            raise

    def release(self, owner: str | None) -> None:
        """Gives a thread back, to whoever waits."""
        self._running[owner] -= 1
        if not self._running[owner]:
            del self._running[owner]
        self._give_out()

    def _give_up(self, owner: str | None, turn: "asyncio.Future[None]") -> None:
        if turn.done() and not turn.cancelled():
            # The thread was given in the very moment in which its caller went away.
            self.release(owner)
            return
        self._waiting[owner].remove(turn)
        if not self._waiting[owner]:
            del self._waiting[owner]

    def _give_out(self) -> None:
        while self._running.total() < self._capacity.threads:
            entitled = [owner for owner in self._waiting if self._running[owner] < self._capacity.tenant_threads]
            if not entitled:
                return
            self._give_to(min(entitled, key=self._running.__getitem__))

    def _give_to(self, owner: str | None) -> None:
        # Whoever still waits goes to the end: owners with as many threads take turns.
        turns = self._waiting.pop(owner)
        turns.popleft().set_result(None)
        self._running[owner] += 1
        if turns:
            self._waiting[owner] = turns
