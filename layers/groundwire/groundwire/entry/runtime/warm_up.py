"""Warm-up of idle services when a client connects, because its first search follows soon."""

import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Final

from groundwire.domain.error_codes import message_with_hint
from groundwire.domain.errors import DomainError
from groundwire.entry.runtime.telemetry import Telemetry
from groundwire.settings.remedies import OPERATOR_HINTS

Warmer = Callable[[str | None], None]
"""Warms one service, for a tenant or for no tenant."""

WARM_UP_EVENT: Final = {"groundwire": "warm"}
"""Event of the schedule that keeps the services warm; no event of the gateway equals it."""
_DISCOVERY_METHODS: Final = (b'"initialize"', b'"tools/list"', b'"server/discover"')
_MIN_INTERVAL_SECONDS: Final = 60
_MAX_WAIT_SECONDS: Final = 0.005
"""Time that a response waits for its warm-up: Lambda freezes the environment after it, so requests must be sent."""


class WarmUp:
    """Loading of index and embedder during discovery calls, at most once a minute; it adds milliseconds to them."""

    def __init__(
        self,
        warmers: Callable[[], Sequence[Warmer]],
        telemetry: Telemetry,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create the warm-up; `warmers` is called on a thread, since creating a client takes longer than a response."""
        self._warmers = warmers
        self._telemetry = telemetry
        self._clock = clock
        self._next_allowed_at = clock()
        self._lock = threading.Lock()

    @contextmanager
    def during_call(self, body: bytes, tenant: str) -> Generator[None]:
        """Warm the services that the next call will need, while the call with this body is handled."""
        finished = self._start(tenant) if self._is_due(body) else None
        yield
        if finished is not None:
            finished.wait(_MAX_WAIT_SECONDS)

    def run(self) -> None:
        """Warm all services and wait until each has responded or failed."""
        self._run_warmers(None, threading.Event())

    def _is_due(self, body: bytes) -> bool:
        # A body that merely mentions such a method also starts a warm-up: that is rare and costs little.
        if not any(method in body for method in _DISCOVERY_METHODS):
            return False
        with self._lock:
            now = self._clock()
            if now < self._next_allowed_at:
                return False
            self._next_allowed_at = now + _MIN_INTERVAL_SECONDS
            return True

    def _start(self, tenant: str) -> threading.Event | None:
        """Start the warmers on a thread and return an event that is set at their end; None if no thread can start."""
        finished = threading.Event()
        try:
            threading.Thread(target=self._run_warmers, args=(tenant, finished), daemon=True, name="warming").start()
        except RuntimeError:
            return None
        return finished

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
        except Exception:  # noqa: BLE001 - a failed warm-up must not fail the call
            self._telemetry.exception("nothing could be warmed")
        finished.set()

    def _run_warmer(self, warmer: Warmer, tenant: str | None) -> None:
        try:
            warmer(tenant)
        except DomainError as error:
            # A service may need longer to start; the search that follows reports an error if it is affected.
            self._telemetry.info(f"not warmed: {message_with_hint(error, OPERATOR_HINTS)}")
        except Exception:  # noqa: BLE001 - one warmer that fails must not stop the others
            self._telemetry.exception("a part could not be warmed")
