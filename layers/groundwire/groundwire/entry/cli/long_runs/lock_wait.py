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
"""Seconds between repetitions of a line where it cannot be redrawn."""
_CHECK_INTERVAL_S: Final = 0.5


class RepeatedLine:
    """A line that is printed when it appears, and repeated at intervals until it is empty."""

    def __init__(self) -> None:
        self._printed_at: float | None = None

    def __call__(self, text: str) -> None:
        """Print the text if it is due; an empty text ends the repetition."""
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
    """Show which other process ingests for one of the tenants, as long as the block waits for it.

    Args:
        tenants: the tenants whose ingest locks the block waits for.
        activity: the name of the other process's work.
        show: receives the text to show, empty for none; `RepeatedLine` by default.
    """
    watcher = _LockWatcher(tenants, activity, show or RepeatedLine())
    watcher.check()
    ended = Event()
    thread = Thread(target=watcher.run_until, args=(ended,), name="ingest-lock-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class _LockWatcher:
    def __init__(self, tenants: Sequence[Tenant], activity: str, show: Callable[[str], None]) -> None:
        self._tenants = tenants
        self._activity = activity
        self._show = show
        self._lock = wiring.local_services().stores.ingest_lock

    def run_until(self, ended: Event) -> None:
        while not ended.wait(_CHECK_INTERVAL_S):
            self.check()
        self._show("")

    def check(self) -> None:
        # This only informs: the command that needs the lock reports errors of the folder.
        with suppress(DomainError):
            messages = (self._wait_message(tenant) for tenant in self._tenants)
            self._show(next((text for text in messages if text), ""))

    def _wait_message(self, tenant: Tenant) -> str:
        holder = self._lock.holder(tenant.tenant)
        # This process holds the lock itself once the wait is over.
        if holder is None or holder.pid == os.getpid():
            return ""
        return f"Waiting for {self._activity} of {tenant.name}{_holder_details(holder)} …"


def _holder_details(holder: LockHolder) -> str:
    parts = [] if holder.pid is None else [f"pid {holder.pid}"]
    if holder.files_done is not None and holder.files_total is not None:
        parts.append(f"{holder.files_done:,} of {holder.files_total:,} files")
    return f" ({', '.join(parts)})" if parts else ""
