"""Bound of the steps that the reading of a filter takes."""

from collections.abc import Callable

from tests.support.documents.step_count import steps_of

_STEPS_OF_A_CHARACTER = 25
"""Twice what any of the repeated pieces takes; work that grows with the square takes a thousand."""
_FREE_CHARACTERS = 200


def is_read_in_linear_steps(read: Callable[[str], object], text: str) -> bool:
    """Return whether the steps grow with the length of the text and not with its square."""
    return steps_of(lambda: read(text)) <= _STEPS_OF_A_CHARACTER * (len(text) + _FREE_CHARACTERS)
