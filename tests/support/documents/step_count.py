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


def growth_of_steps(work: Callable[[int], Callable[[], object]], small: int, large: int) -> float:
    """Return by how much the steps grow for each time that the size grows: 1 for linear work, `large / small` for
    quadratic work.

    Args:
        work: returns the work on an input of a size; the making of the input is not counted.
    """
    return steps_of(work(large)) / steps_of(work(small)) / (large / small)
