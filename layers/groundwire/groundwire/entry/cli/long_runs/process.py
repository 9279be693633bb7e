"""Signals and priority of long commands: on SIGINT and SIGTERM, a summary is printed and the process exits."""

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
    """Lower this process's priority below that of servers; processes that it starts inherit the priority."""
    if hasattr(os, "setpriority"):
        # The greater number is the lower priority, and only root may raise it again.
        os.setpriority(os.PRIO_PROCESS, 0, max(_NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))


CONTINUE_HINT: Final = "Run the same command again to continue."


class _Terminated(KeyboardInterrupt):
    """SIGTERM was received."""


@contextmanager
def exit_on_signal(
    summary: Callable[[], str],
    json_summary: Callable[[], dict[str, object]] | None = None,
    clean_up: Callable[[], None] = lambda: None,
) -> Generator[None]:
    """End the process on SIGINT or SIGTERM with 128 plus the signal's number; a second signal ends it at once.

    Args:
        summary: returns a line on the finished work, without how to continue.
        json_summary: returns the JSON members for standard output; None: no JSON is printed.
        clean_up: ends what the block began; its locks are free again.
    """
    with _raise_on_sigterm():
        try:
            yield
        except KeyboardInterrupt as interrupt:
            number = signal.SIGTERM if isinstance(interrupt, _Terminated) else signal.SIGINT
            # A second signal must end the process while the summary is made.
            _restore_default_signals()
            clean_up()
            if json_summary is not None:
                print_json({"stopped": number.name, **json_summary()})
            warn(f"Stopped: {summary()}. {CONTINUE_HINT}")
            _exit_without_joining_threads(128 + number)


@contextmanager
def _raise_on_sigterm() -> Generator[None]:
    # Python allows handlers of signals in the main thread alone.
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def terminate(_number: int, _frame: FrameType | None) -> None:
        raise _Terminated

    previous_handler = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous_handler)


def _restore_default_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _exit_without_joining_threads(code: int) -> None:
    """Exit without waiting for threads: the next file may be half parsed, and the parser ends with this process."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
