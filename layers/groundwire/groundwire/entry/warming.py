"""What sleeps is woken when a client introduces itself: its first search comes a moment later."""

import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Final

from groundwire.domain.errors import Problem
from groundwire.entry.telemetry import Telemetry

Warmer = Callable[[str | None], None]
"""Wakes a part of the service, for a tenant or for nobody in particular."""

ORDER: Final = {"groundwire": "warm"}
"""The event of a schedule that keeps the service awake; no event of the gateway is like it."""
_DISCOVERY: Final = (b'"initialize"', b'"tools/list"', b'"server/discover"')
_AGAIN_AFTER_SECONDS: Final = 60
_LONGEST_WAIT_SECONDS: Final = 0.005
"""Of an answer for its warm-up: Lambda stops the environment with the answer, and what is to be sent should be sent."""


class Warming:
    """Warms beside a discovery call, at most once a minute; the answer waits for it some milliseconds at most."""

    def __init__(
        self,
        warmers: Callable[[], Sequence[Warmer]],
        telemetry: Telemetry,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Takes what makes the warmers, which is asked in a thread: making a client takes longer than an answer."""
        self._warmers = warmers
        self._telemetry = telemetry
        self._clock = clock
        self._next = clock()
        self._one_at_a_time = threading.Lock()

    @contextmanager
    def beside(self, body: bytes, tenant: str) -> Generator[None]:
        """While the call with this body is answered, what it will need next wakes up."""
        begun = self._begun(tenant) if self._is_due(body) else None
        yield
        if begun is not None:
            begun.wait(_LONGEST_WAIT_SECONDS)

    def now(self) -> None:
        """Every part was asked to wake, and has answered or failed."""
        self._warm(None, threading.Event())

    def _is_due(self, body: bytes) -> bool:
        # Whoever only writes of these methods warms, too: that is rare, and costs nothing that would not be paid soon.
        if not any(method in body for method in _DISCOVERY):
            return False
        with self._one_at_a_time:
            now = self._clock()
            if now < self._next:
                return False
            self._next = now + _AGAIN_AFTER_SECONDS
            return True

    def _begun(self, tenant: str) -> threading.Event | None:
        """Set once all of it is done."""
        done = threading.Event()
        try:
            threading.Thread(target=self._warm, args=(tenant, done), daemon=True, name="warming").start()
        except RuntimeError:
            return None
        return done

    def _warm(self, tenant: str | None, done: threading.Event) -> None:
        try:
            threads = [
                threading.Thread(target=self._guarded, args=(warmer, tenant), daemon=True, name="warming")
                for warmer in self._warmers()
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        except Exception:  # noqa: BLE001 - nobody asked for this work, and nobody may suffer from it
            self._telemetry.failure("nothing could be warmed")
        done.set()

    def _guarded(self, warmer: Warmer, tenant: str | None) -> None:
        try:
            warmer(tenant)
        except Problem as problem:
            # What sleeps does not always wake in time: the search that follows says so where it matters.
            self._telemetry.note(f"not warmed: {problem}")
        except Exception:  # noqa: BLE001 - as above
            self._telemetry.failure("a part could not be warmed")
