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

_NICENESS: Final = 10


def lower_process_priority() -> None:
    """Who waits for an answer should not wait for this; processes that are started from here inherit it."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, max(_NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))


CONTINUE_HINT: Final = "Run the same command again to continue."


class _Terminated(KeyboardInterrupt):
    """SIGTERM has come."""


@contextmanager
def exit_on_signal(
    summary: Callable[[], str], json_summary: Callable[[], dict[str, object]] | None = None
) -> Generator[None]:
    """Ends the process on SIGINT or SIGTERM with 128 plus the signal's number; a second signal ends it at once.

    Args:
        summary: gives the line that says what is done, without how to continue.
        json_summary: gives what standard output says of it as JSON; None: nothing.
    """
    with _raise_on_sigterm():
        try:
            yield
        except KeyboardInterrupt as interrupt:
            number = signal.SIGTERM if isinstance(interrupt, _Terminated) else signal.SIGINT
            _restore_default_signals()
            if json_summary is not None:
                print_json({"stopped": number.name, **json_summary()})
            warn(f"Stopped: {summary()}. {CONTINUE_HINT}")
            _exit_without_joining_threads(128 + number)


@contextmanager
def _raise_on_sigterm() -> Generator[None]:
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


def _restore_default_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _exit_without_joining_threads(code: int) -> None:
    """Waits for no thread: the next file may be half parsed, and the parser ends with this process."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
