"""Growth of the steps of a reading with the size of the file."""

from typing import Final

from groundwire_readers.dispatch import read_document
from tests.support.documents.step_count import steps_of

MOST_GROWTH: Final = 1.3
"""Growth of the steps with the size at which a reading counts as linear; a quadratic one has 2 for a double size."""


def steps_of_reading(content: bytes, file_type: str) -> int:
    """Return the number of function calls, without those that only resume a generator."""
    return steps_of(lambda: read_document(content, file_type))


def growth(small: bytes, large: bytes, file_type: str) -> float:
    """Return by how much the steps grow for each time that the file grows."""
    steps = steps_of_reading(large, file_type) / steps_of_reading(small, file_type)
    return steps / (len(large) / len(small))
