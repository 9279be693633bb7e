"""Lines that a command shows while it waits for the ingestion of another process."""

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import monotonic
from typing import Final

from groundwire import wiring
from groundwire.domain.errors import DomainError
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.cli.console import warn
from groundwire.ports import LockHolder

REPEAT_INTERVAL_S: Final = 10.0
"""Where nothing can be drawn over, a line is repeated so often."""
_CHECK_INTERVAL_S: Final = 0.5


class RepeatedLine:
    """Prints a text when it appears, and then now and then; the empty text ends it."""

    def __init__(self) -> None:
        self._printed_at: float | None = None

    def __call__(self, text: str) -> None:
        """Prints the text if it is time."""
        now = monotonic()
        if not text:
            self._printed_at = None
        elif self._printed_at is None or now - self._printed_at >= REPEAT_INTERVAL_S:
            self._printed_at = now
            warn(text, style="dim")


@contextmanager
def show_lock_wait(
    tenants: Sequence[Tenant], activity: str = "an ingestion", show: Callable[[str], None] | None = None
) -> Generator[None]:
    """Shows which other process ingests for one of the tenants, as long as the block has to wait for it.

    Args:
        tenants: for whose ingest locks the block waits.
        activity: the block waits for.
        show: is given the text to be seen from now on, empty for none; `Lines` by default.
    """
    watch = _LockWatcher(tenants, activity, show or RepeatedLine())
    watch.check()
    ended = Event()
    thread = Thread(target=watch.run_until, args=(ended,), name="ingest-lock-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class _LockWatcher:
    def __init__(self, tenants: Sequence[Tenant], what: str, show: Callable[[str], None]) -> None:
        self._tenants = tenants
        self._activity = what
        self._show = show
        self._lock = wiring.local_services().ingest_lock

    def run_until(self, ended: Event) -> None:
        while not ended.wait(_CHECK_INTERVAL_S):
            self.check()
        self._show("")

    def check(self) -> None:
        # It informs only: what is wrong with the folder is told by whoever needs the lock.
        with suppress(DomainError):
            waited_for = (self._wait_message(tenant) for tenant in self._tenants)
            self._show(next((text for text in waited_for if text), ""))

    def _wait_message(self, tenant: Tenant) -> str:
        holder = self._lock.holder(tenant.tenant)
        if holder is None or holder.pid == os.getpid():
            return ""
        return f"Waiting for {self._activity} of {tenant.name}{_holder_details(holder)} …"


def _holder_details(holder: LockHolder) -> str:
    parts = [] if holder.pid is None else [f"pid {holder.pid}"]
    if holder.files_done is not None and holder.files_total is not None:
        parts.append(f"{holder.files_done:,} of {holder.files_total:,} files")
    return f" ({', '.join(parts)})" if parts else ""
