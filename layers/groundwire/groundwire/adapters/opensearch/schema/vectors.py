"""Vectors as fields of rows and questions, and similarities from scores of an answer."""

import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from groundwire.domain import errors
from groundwire.domain.search.joint_vectors import JointModel
from groundwire.ports import ModelId, Vector

VECTOR: Final = "vector"
PICTURE: Final = "picture"
"""Field of the pictures' vectors, in an index of images with a model of pictures.

It has a graph of its own: in a graph of joint vectors, which the texts shape, a search for pictures misses most.
"""
_FLOAT_BYTES: Final = 4


class FieldVector(NamedTuple):
    """Vector of a question, and the field in which its neighbours are searched."""

    field: str
    numbers: Sequence[float]


def vector_types(model: ModelId, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the types of the vector fields; `options` are those of the service."""
    joint = JointModel.parse(model.name)
    dimensions = {VECTOR: model.dimension}
    if joint is not None:
        dimensions = {VECTOR: joint.text_dimension, PICTURE: joint.picture_dimension}
    return {name: {"type": "knn_vector", "dimension": size, **options} for name, size in dimensions.items()}


def vector_fields(vector: Vector, model: ModelId) -> dict[str, list[float]]:
    """Return the vector fields of a row; one without a picture has no field of pictures.

    Raises:
        InvalidInput: the vector has another dimension.
    """
    numbers = to_numbers(vector, model.dimension)
    joint = JointModel.parse(model.name)
    if joint is None:
        return {VECTOR: numbers}
    text, picture = joint.parts(vector)
    shown = {} if picture is None else {PICTURE: to_numbers(picture, joint.picture_dimension)}
    return {VECTOR: to_numbers(text, joint.text_dimension), **shown}


def stored_vector(fields: Mapping[str, Any], model: ModelId) -> Vector:
    """Return the vector of `vector_fields`; of two parts, to the precision of their weights."""
    vector, joint = from_numbers(fields[VECTOR]), JointModel.parse(model.name)
    if joint is None:
        return vector
    return joint.row(vector, from_numbers(fields[PICTURE]) if PICTURE in fields else None)


def question_vector(vector: Vector, model: ModelId) -> FieldVector:
    """Return a question's vector with its field.

    Raises:
        InvalidInput: the vector has another dimension.
    """
    numbers, joint = to_numbers(vector, model.dimension), JointModel.parse(model.name)
    if joint is None:
        return FieldVector(VECTOR, numbers)
    if joint.asks_for_pictures(vector):
        return FieldVector(PICTURE, numbers[joint.text_dimension : -1])
    return FieldVector(VECTOR, numbers[: joint.text_dimension])


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
