"""Waits for results of a queue: the condition is checked repeatedly up to a bound, never after a fixed time."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

_PAUSE_S: Final = 0.1


def until(ask: Callable[[], T], what: str, *, timeout_s: float = 60) -> T:
    """The first answer that is true; Raises AssertionError with the last one when none is in time."""
    end = time.monotonic() + timeout_s
    while not (answer := ask()):
        assert time.monotonic() < end, f"after {timeout_s:.0f} s it is not so that {what}: {answer!r}"
        time.sleep(_PAUSE_S)
    return answer
