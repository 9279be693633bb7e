"""Count of the steps of a reading, so that its growth with the size of a file can be compared."""

import sys
from types import FrameType

from groundwire.adapters.parse.dispatch import read_document

_GENERATOR_FLAG = 0x20


def steps_of_reading(content: bytes, file_type: str) -> int:
    """Return the number of function calls, without those that only resume a generator."""
    count = 0

    def count_call(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "c_call" or (event == "call" and not frame.f_code.co_flags & _GENERATOR_FLAG)

    before = sys.getprofile()
    sys.setprofile(count_call)
    try:
        read_document(content, file_type)
    finally:
        sys.setprofile(before)
    return count


def growth(small: bytes, large: bytes, file_type: str) -> float:
    """Return by how much the steps grow for each time that the file grows."""
    steps = steps_of_reading(large, file_type) / steps_of_reading(small, file_type)
    return steps / (len(large) / len(small))
