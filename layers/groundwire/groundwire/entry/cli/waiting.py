"""Lines that a command shows while it waits for the ingestion of another process."""

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import monotonic
from typing import Final

from groundwire import wiring
from groundwire.domain.credentials import Tenant
from groundwire.domain.errors import Problem
from groundwire.entry.cli.console import warn
from groundwire.ports import LockHolder

REPEATED_S: Final = 10.0
"""Where nothing can be drawn over, a line is repeated so often."""
_LOOKS_S: Final = 0.5


class Lines:
    """Prints a text when it appears, and then now and then; the empty text ends it."""

    def __init__(self) -> None:
        self._printed_at: float | None = None

    def __call__(self, text: str) -> None:
        """Prints the text if it is time."""
        now = monotonic()
        if not text:
            self._printed_at = None
        elif self._printed_at is None or now - self._printed_at >= REPEATED_S:
            self._printed_at = now
            warn(text, style="dim")


@contextmanager
def waiting_shown(
    tenants: Sequence[Tenant], what: str = "an ingestion", show: Callable[[str], None] | None = None
) -> Generator[None]:
    """Shows which other process ingests for one of the tenants, as long as the block has to wait for it.

    Args:
        tenants: for whose ingest locks the block waits.
        what: the block waits for.
        show: is given the text to be seen from now on, empty for none; `Lines` by default.
    """
    watch = _Watch(tenants, what, show or Lines())
    watch.look()
    ended = Event()
    thread = Thread(target=watch.until, args=(ended,), name="ingest-lock-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class _Watch:
    def __init__(self, tenants: Sequence[Tenant], what: str, show: Callable[[str], None]) -> None:
        self._tenants = tenants
        self._what = what
        self._show = show
        self._lock = wiring.current().ingest_lock

    def until(self, ended: Event) -> None:
        while not ended.wait(_LOOKS_S):
            self.look()
        self._show("")

    def look(self) -> None:
        # It informs only: what is wrong with the folder is told by whoever needs the lock.
        with suppress(Problem):
            waited_for = (self._waited_for(tenant) for tenant in self._tenants)
            self._show(next((text for text in waited_for if text), ""))

    def _waited_for(self, tenant: Tenant) -> str:
        holder = self._lock.holder(tenant.tenant)
        if holder is None or holder.pid == os.getpid():
            return ""
        return f"Waiting for {self._what} of {tenant.name}{_described(holder)} …"


def _described(holder: LockHolder) -> str:
    parts = [] if holder.pid is None else [f"pid {holder.pid}"]
    if holder.done is not None and holder.total is not None:
        parts.append(f"{holder.done:,} of {holder.total:,} files")
    return f" ({', '.join(parts)})" if parts else ""
