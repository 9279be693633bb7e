"""SIGINT and SIGTERM during a long run: it says what is done and how to continue, then the process exits."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from groundwire.entry.cli.console import print_json, warn

AGAIN: Final = "Run the same command again to continue."


class _Terminated(KeyboardInterrupt):
    """SIGTERM has come."""


@contextmanager
def stoppable(said: Callable[[], str], facts: Callable[[], dict[str, object]] | None = None) -> Generator[None]:
    """Ends the process on SIGINT or SIGTERM with 128 plus the signal's number; a second signal ends it at once.

    Args:
        said: gives the line that says what is done, without how to continue.
        facts: gives what standard output says of it as JSON; None: nothing.
    """
    with _sigterm_raises():
        try:
            yield
        except KeyboardInterrupt as interrupt:
            number = signal.SIGTERM if isinstance(interrupt, _Terminated) else signal.SIGINT
            _let_the_next_signal_end_it()
            if facts is not None:
                print_json({"stopped": number.name, **facts()})
            warn(f"Stopped: {said()}. {AGAIN}")
            _exit(128 + number)


@contextmanager
def _sigterm_raises() -> Generator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def terminate(_number: int, _frame: FrameType | None) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _let_the_next_signal_end_it() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _exit(code: int) -> None:
    """Waits for no thread: the next file may be half parsed, and the parser ends with this process."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
