"""Count of the steps that the reading of a filter takes, which no other work of the machine changes."""

import sys
from collections.abc import Callable
from types import FrameType

_GENERATOR_FLAG = 0x20
_STEPS_OF_A_CHARACTER = 25
"""Twice what any of the repeated pieces takes; work that grows with the square takes a thousand."""
_FREE_CHARACTERS = 200


def is_read_in_linear_steps(read: Callable[[str], object], text: str) -> bool:
    """Return whether the steps grow with the length of the text and not with its square."""
    return _steps_of(read, text) <= _STEPS_OF_A_CHARACTER * (len(text) + _FREE_CHARACTERS)


def _steps_of(read: Callable[[str], object], text: str) -> int:
    """Return the number of calls, also of built-in functions, without those that only resume a generator."""
    count = 0

    def count_call(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "c_call" or (event == "call" and not frame.f_code.co_flags & _GENERATOR_FLAG)

    before = sys.getprofile()
    sys.setprofile(count_call)
    try:
        read(text)
    finally:
        sys.setprofile(before)
    return count
