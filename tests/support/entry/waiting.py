"""Waiting for what another process does."""

import threading
import time
from collections.abc import Callable
from typing import Final

_TIMEOUT_S: Final = 120
_PAUSE_S: Final = 0.02


def until(holds: Callable[[], bool]) -> None:
    """Return once the condition holds; fail after two minutes.

    It pauses between two looks: the other process may have a low priority, as an ingestion has, and gets no processor
    beside one that looks without a pause.
    """
    overdue, pause = time.monotonic() + _TIMEOUT_S, threading.Event()
    while not holds():
        assert time.monotonic() < overdue, "the condition did not come to hold"
        pause.wait(_PAUSE_S)
