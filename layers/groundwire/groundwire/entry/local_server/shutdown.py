"""Shutdown on SIGINT or SIGTERM: calls in flight get a bounded time, then the process exits."""

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from threading import Event, Thread
from types import FrameType
from typing import Final

EXIT_TIMEOUT_S: Final = 4.0
"""Longest time from the first signal to the exit; the documentation promises 5 s."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_INTERRUPTED_MESSAGE: Final = (
    b"Stopped while calls or uploads were still in progress. An upload that was accepted continues at the next start.\n"
)


@contextmanager
def stop_signals() -> Generator[Event]:
    """Set the event on the first SIGINT or SIGTERM; the process exits `EXIT_TIMEOUT_S` later in any case.

    A second signal exits at once, with 128 plus its number. An early exit discards nothing that was accepted: stores
    survive a crash, and the next start resumes pending uploads.
    """
    stop, finished = Event(), Event()

    def handle(number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            os._exit(128 + number)
        stop.set()

    # The thread starts here and waits: a signal handler may interrupt code that holds the locks for starting one.
    Thread(target=_exit_after_timeout, args=(stop, finished), name="exit-in-time", daemon=True).start()
    previous_handlers = [signal.signal(number, handle) for number in _SIGNALS]
    try:
        yield stop
    finally:
        finished.set()
        stop.set()
        for number, handler in zip(_SIGNALS, previous_handlers, strict=True):
            signal.signal(number, handler)


def _exit_after_timeout(stop: Event, finished: Event) -> None:
    stop.wait()
    if not finished.wait(EXIT_TIMEOUT_S):
        # Not by `print`: a thread that hangs may hold the lock of the stream.
        os.write(2, _INTERRUPTED_MESSAGE)
        os._exit(0)
