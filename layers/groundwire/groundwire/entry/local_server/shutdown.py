"""How a server ends on SIGINT or SIGTERM: calls in flight get a bounded time, then the process exits."""

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from threading import Event, Thread
from types import FrameType
from typing import Final

EXIT_TIMEOUT_S: Final = 4.0
"""From the first signal to the exit at the latest; 5 s are promised."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_INTERRUPTED_MESSAGE: Final = (
    b"Stopped while calls or uploads were still in progress. An upload that was accepted continues at the next start.\n"
)


@contextmanager
def stop_signals() -> Generator[Event]:
    """Sets the event on the first SIGINT or SIGTERM; the process exits `EXIT_S` later, whatever still runs.

    A second signal exits at once, with 128 plus its number. Exiting early loses nothing that was accepted: stores
    survive a crash, and the next start takes up uploads that wait.
    """
    asked, ended = Event(), Event()

    def handle(number: int, _frame: FrameType | None) -> None:
        if asked.is_set():
            os._exit(128 + number)
        asked.set()

    # A thread that waits, instead of one that the handler starts: a handler may interrupt code that holds its locks.
    Thread(target=_exit_after_timeout, args=(asked, ended), name="exit-in-time", daemon=True).start()
    before = [signal.signal(number, handle) for number in _SIGNALS]
    try:
        yield asked
    finally:
        ended.set()
        asked.set()
        for number, handler in zip(_SIGNALS, before, strict=True):
            signal.signal(number, handler)


def _exit_after_timeout(asked: Event, ended: Event) -> None:
    asked.wait()
    if not ended.wait(EXIT_TIMEOUT_S):
        os.write(2, _INTERRUPTED_MESSAGE)
        os._exit(0)
