"""What sleeps is woken when a client introduces itself: its first search comes a moment later."""

import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Final

from groundwire.domain.errors import DomainError
from groundwire.entry.runtime.telemetry import Telemetry

Warmer = Callable[[str | None], None]
"""Wakes a part of the service, for a tenant or for nobody in particular."""

WARM_UP_EVENT: Final = {"groundwire": "warm"}
"""The event of a schedule that keeps the service awake; no event of the gateway is like it."""
_DISCOVERY_METHODS: Final = (b'"initialize"', b'"tools/list"', b'"server/discover"')
_MIN_INTERVAL_SECONDS: Final = 60
_MAX_WAIT_SECONDS: Final = 0.005
"""Of an answer for its warm-up: Lambda stops the environment with the answer, and what is to be sent should be sent."""


class WarmUp:
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
        self._next_allowed_at = clock()
        self._lock = threading.Lock()

    @contextmanager
    def during_call(self, body: bytes, tenant: str) -> Generator[None]:
        """While the call with this body is answered, what it will need next wakes up."""
        begun = self._start(tenant) if self._is_due(body) else None
        yield
        if begun is not None:
            begun.wait(_MAX_WAIT_SECONDS)

    def run(self) -> None:
        """Every part was asked to wake, and has answered or failed."""
        self._run_warmers(None, threading.Event())

    def _is_due(self, body: bytes) -> bool:
        # Whoever only writes of these methods warms, too: that is rare, and costs nothing that would not be paid soon.
        if not any(method in body for method in _DISCOVERY_METHODS):
            return False
        with self._lock:
            now = self._clock()
            if now < self._next_allowed_at:
                return False
            self._next_allowed_at = now + _MIN_INTERVAL_SECONDS
            return True

    def _start(self, tenant: str) -> threading.Event | None:
        """Set once all of it is done."""
        done = threading.Event()
        try:
            threading.Thread(target=self._run_warmers, args=(tenant, done), daemon=True, name="warming").start()
        except RuntimeError:
            return None
        return done

    def _run_warmers(self, tenant: str | None, finished: threading.Event) -> None:
        try:
            threads = [
                threading.Thread(target=self._run_warmer, args=(warmer, tenant), daemon=True, name="warming")
                for warmer in self._warmers()
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        except Exception:  # noqa: BLE001 - nobody asked for this work, and nobody may suffer from it
            self._telemetry.exception("nothing could be warmed")
        finished.set()

    def _run_warmer(self, warmer: Warmer, tenant: str | None) -> None:
        try:
            warmer(tenant)
        except DomainError as problem:
            # What sleeps does not always wake in time: the search that follows says so where it matters.
            self._telemetry.info(f"not warmed: {problem}")
        except Exception:  # noqa: BLE001 - as above
            self._telemetry.exception("a part could not be warmed")
