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
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def lower_process_priority() -> None:
    """Lower this process's priority below that of servers; processes that it starts inherit the priority."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, max(_NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))


CONTINUE_HINT: Final = "Run the same command again to continue."


class _Terminated(KeyboardInterrupt):
    """SIGTERM was received."""


class HeldSignals:
    """SIGINT and SIGTERM, which wait while work and its record are done together."""

    def __init__(self) -> None:
        self._is_held = False
        self._waiting: KeyboardInterrupt | None = None

    def hold(self) -> None:
        """Let a signal wait from now on; a second one does not wait."""
        self._is_held = True

    def release(self) -> None:
        """Let no signal wait any more.

        Raises:
            KeyboardInterrupt: one has waited.
        """
        self._is_held = False
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            raise waiting

    def receive(self, interrupt: KeyboardInterrupt) -> None:
        """Raise the interrupt, or let it wait."""
        if not self._is_held or self._waiting is not None:
            raise interrupt
        self._waiting = interrupt


@contextmanager
def exit_on_signal(
    summary: Callable[[], str], json_summary: Callable[[], dict[str, object]] | None = None
) -> Generator[HeldSignals]:
    """End the process on SIGINT or SIGTERM with 128 plus the signal's number; a second signal ends it at once.

    Args:
        summary: returns a line on the finished work, without how to continue.
        json_summary: returns the JSON members for standard output; None: no JSON is printed.
    """
    signals = HeldSignals()
    with _received_by(signals):
        try:
            yield signals
            signals.release()
        except KeyboardInterrupt as interrupt:
            number = signal.SIGTERM if isinstance(interrupt, _Terminated) else signal.SIGINT
            _restore_default_signals()
            if json_summary is not None:
                print_json({"stopped": number.name, **json_summary()})
            warn(f"Stopped: {summary()}. {CONTINUE_HINT}")
            _exit_without_joining_threads(128 + number)


@contextmanager
def _received_by(signals: HeldSignals) -> Generator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def receive(number: int, _frame: FrameType | None) -> None:
        signals.receive(_Terminated() if number == signal.SIGTERM else KeyboardInterrupt())

    previous = {number: signal.signal(number, receive) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _restore_default_signals() -> None:
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def _exit_without_joining_threads(code: int) -> None:
    """Exit without waiting for threads: the next file may be half parsed, and the parser ends with this process."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
