"""Slots of the server: tasks and threads wait for them in the fair order of `domain.keys.fairness.queue`."""

import asyncio
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Final, TypeAlias

from groundwire.domain.errors import DomainError, LimitExceeded
from groundwire.domain.keys.fairness.parties import Party
from groundwire.domain.keys.fairness.queue import FairQueue, Refused, Ticket
from groundwire.domain.keys.fairness.work import Capacity, CostMemory, Work
from groundwire.ports.deadline import remaining_seconds

Slot: TypeAlias = Ticket[Callable[[], None]]
"""Slot with the function that wakes the task or thread that waits for it."""

_TOO_MANY: Final = "Too many calls wait already. Try again later."
_RETRY_AFTER_S: Final = 5
"""Time for the repeat of work that waited in vain: it was to start before, so nobody knows better."""


class CapacityExceededError(DomainError):
    """An error at a limit of the server; the request may be repeated later."""

    def __init__(self, retry_after_s: int = _RETRY_AFTER_S) -> None:
        super().__init__(_TOO_MANY)
        self.retry_after_s = retry_after_s


class FairSlots:
    """Slots of one kind of work; tasks of any event loop and threads can wait for them.

    Work that has no slot after the capacity's seconds is refused, whatever wait was expected.

    Args:
        capacity: limits by tenant, key and user.
        clock: monotonic seconds.
    """

    def __init__(self, capacity: Capacity, clock: Callable[[], float] = time.monotonic) -> None:
        self._queue = FairQueue[Callable[[], None]](capacity)
        self._longest_wait_s = capacity.seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._yielding: list[threading.Event] = []

    async def acquire(self, party: Party, cost: float) -> Slot | Refused:
        """Wait for a slot and return it, or return when the work may be repeated; a cancelled caller leaves."""
        loop = asyncio.get_running_loop()
        assigned = loop.create_future()

        def wake() -> None:
            loop.call_soon_threadsafe(lambda: assigned.done() or assigned.set_result(None))

        slot = self._submit(party, cost, wake)
        if isinstance(slot, Refused) or slot.started_at is not None:
            return slot
        try:
            async with asyncio.timeout(self._longest_wait_s):
                await assigned
        except TimeoutError:
            return self._abandon(slot)
        except asyncio.CancelledError:
            self._abandon(slot)
            raise
        return slot

    def wait(self, party: Party, cost: float) -> Slot | Refused:
        """Return a slot as `acquire` does; the thread waits, and no longer than its call has time."""
        assigned = threading.Event()
        slot = self._submit(party, cost, assigned.set)
        if isinstance(slot, Refused) or assigned.wait(remaining_seconds(self._longest_wait_s)):
            return slot
        return self._abandon(slot)

    def take(self, party: Party, cost: float) -> Slot | Refused:
        """Return a slot that is free now; nothing waits."""
        slot = self._submit(party, cost, _ignore)
        return self._abandon(slot, 1) if isinstance(slot, Ticket) and slot.started_at is None else slot

    def run_later(self, party: Party, cost: float, start: Callable[[], None]) -> Slot | Refused:
        """Call `start` when the work has a slot, which it must release; return the slot at once."""
        return self._submit(party, cost, start)

    def resume(self, party: Party, cost: float) -> Slot:
        """Return a slot for work that was interrupted by a wait on the outside; the thread waits."""
        assigned = threading.Event()
        with self._lock:
            slot = self._queue.resume(party, cost, assigned.set)
            self._start_free()
        assigned.wait()
        return slot

    def release(self, slot: Slot) -> float:
        """Free a slot, give it to waiting work, and return the seconds for which it was held."""
        with self._lock:
            seconds = self._queue.finish(slot, self._clock())
            self._start_free()
            if self._yielding and self._queue.is_idle:
                for each in self._yielding:
                    each.set()
                self._yielding.clear()
        return seconds

    def let_pass(self, longest_s: float) -> None:
        """Return when no work runs or waits, or after these seconds; the thread waits."""
        idle = threading.Event()
        with self._lock:
            if self._queue.is_idle:
                return
            self._yielding.append(idle)
        if not idle.wait(longest_s):
            with self._lock, suppress(ValueError):
                self._yielding.remove(idle)

    def _submit(self, party: Party, cost: float, wake: Callable[[], None]) -> Slot | Refused:
        with self._lock:
            slot = self._queue.submit(party, cost, wake)
            if isinstance(slot, Ticket):
                self._start_free()
        return slot

    def _abandon(self, slot: Slot, retry_after_s: int = _RETRY_AFTER_S) -> Refused:
        with self._lock:
            is_waiting = slot.started_at is None
            if is_waiting:
                self._queue.leave(slot)
        if not is_waiting:
            # The slot was assigned at the moment of the cancellation.
            self.release(slot)
        return Refused(retry_after_s)

    def _start_free(self) -> None:
        while (slot := self._queue.start_next(self._clock())) is not None:
            slot.content()


def _ignore() -> None:
    """Wake nothing."""


class HeldSlot:
    """Slot of one call, which it frees while it waits on the outside: implements `ports.deadline.CallShare`.

    Args:
        slots: the slots of calls. slot: the one of this call.
        places: places for calls to the outside.
        costs: the measured seconds of earlier work.
        spare_threads: counts the threads beyond one for each slot.
    """

    def __init__(
        self,
        slots: FairSlots,
        slot: Slot,
        places: FairSlots,
        costs: CostMemory,
        spare_threads: threading.BoundedSemaphore,
    ) -> None:
        self._slots = slots
        self._slot = slot
        self._places = places
        self._costs = costs
        self._spare_threads = spare_threads
        self._lock = threading.Lock()
        self._is_free = False
        self._waits = 0
        self.seconds = 0.0

    @contextmanager
    def outside(self, work: Work) -> Generator[None]:
        """Have a place for the block, and no slot.

        Raises:
            LimitExceeded: too many calls of the party wait already.
        """
        with self.waiting(), _place(self._places, self._slot.party, work, self._costs):
            yield

    @contextmanager
    def waiting(self) -> Generator[None]:
        """Have no slot for the block while threads are spare; nested and parallel blocks free it once."""
        with self._lock:
            self._waits += 1
            # Else calls that wait to resume hold all threads, while work without a thread holds all slots.
            if self._waits == 1 and self._spare_threads.acquire(blocking=False):
                self._is_free = True
                self.seconds += self._slots.release(self._slot)
        try:
            yield
        finally:
            # Under the lock: a parallel wait that begins must not free a slot that is not there yet.
            with self._lock:
                self._waits -= 1
                if not self._waits and self._is_free:
                    self._slot = self._slots.resume(self._slot.party, self._slot.cost)
                    self._is_free = False
                    self._spare_threads.release()

    def beside(self) -> "ShareBeside":
        """Return the share for another thread of the call."""
        return ShareBeside(self._slot.party, self._places, self._costs)

    def release(self) -> float:
        """Free the slot at the end of the call, and return the seconds for which it was held in sum."""
        self.seconds += self._slots.release(self._slot)
        return self.seconds


class ShareBeside:
    """Share of a thread that works beside its call: it takes places, and has no slot to free."""

    def __init__(self, party: Party, places: FairSlots, costs: CostMemory) -> None:
        self._party = party
        self._places = places
        self._costs = costs

    @contextmanager
    def outside(self, work: Work) -> Generator[None]:
        """Have a place for the block.

        Raises:
            LimitExceeded: too many calls of the party wait already.
        """
        with _place(self._places, self._party, work, self._costs):
            yield

    @contextmanager
    def waiting(self) -> Generator[None]:
        """Run the block."""
        yield

    def beside(self) -> "ShareBeside":
        """Return this share."""
        return self


@contextmanager
def _place(places: FairSlots, party: Party, work: Work, costs: CostMemory) -> Generator[None]:
    place = places.wait(party, costs.estimate(work, party))
    if isinstance(place, Refused):
        raise LimitExceeded(_TOO_MANY, place.retry_after_s)
    try:
        yield
    finally:
        costs.record(work, party, places.release(place))
