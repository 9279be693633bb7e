"""Vectors as numbers of a request, and similarities from scores of an answer."""

import struct
from collections.abc import Sequence

from groundwire.domain import errors
from groundwire.ports import Vector

_FLOAT_BYTES = 4


def to_numbers(vector: Vector, dimension: int) -> list[float]:
    """Convert to numbers of nine digits, enough for single precision.

    Raises:
        InvalidInput: the vector has another dimension.
    """
    if len(vector) != _FLOAT_BYTES * dimension:
        raise errors.InvalidInput(
            f"A vector has {len(vector) // _FLOAT_BYTES} dimensions, and the index's model {dimension}: "
            "embed with the model of the index."
        )
    return [float(f"{number:.9g}") for number in struct.unpack(f"<{dimension}f", vector)]


def from_numbers(numbers: Sequence[float]) -> Vector:
    """Convert the numbers of `to_numbers` back."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


def similarity_from_score(score: float) -> float:
    """Return the similarity p of the engine's `innerproduct` score: 1 + p, or 1 / (1 - p) for a negative p."""
    return score - 1.0 if score >= 1.0 else 1.0 - 1.0 / score
