"""Count of the steps that some work takes, which no other work of the machine changes."""

import sys
from collections.abc import Callable
from types import FrameType

_GENERATOR_FLAG = 0x20


def steps_of(work: Callable[[], object]) -> int:
    """Return the number of calls, also of built-in functions, without those that only resume a generator."""
    count = 0

    def count_call(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "c_call" or (event == "call" and not frame.f_code.co_flags & _GENERATOR_FLAG)

    before = sys.getprofile()
    sys.setprofile(count_call)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
