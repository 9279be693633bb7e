"""Vectors as the numbers that a request carries, and similarities as the scores that an answer does."""

import struct
from collections.abc import Sequence

from groundwire.domain import errors
from groundwire.ports import Vector

_FLOAT_BYTES = 4


def to_numbers(vector: Vector, dimension: int) -> list[float]:
    """Nine digits, which single precision needs and no more; Raises Invalid for another length."""
    if len(vector) != _FLOAT_BYTES * dimension:
        raise errors.InvalidInput(
            f"A vector has {len(vector) // _FLOAT_BYTES} dimensions, and the index's model {dimension}: "
            "embed with the model of the index."
        )
    return [float(f"{number:.9g}") for number in struct.unpack(f"<{dimension}f", vector)]


def from_numbers(numbers: Sequence[float]) -> Vector:
    """What `to_numbers` was given."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


def similarity_from_score(score: float) -> float:
    """Of the engine's score for the space `innerproduct`: 1 + p, and for a negative one 1 / (1 - p)."""
    return score - 1.0 if score >= 1.0 else 1.0 - 1.0 / score
