"""Segments and vectors as they stand in the tables."""

import json
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays import F32
from groundwire.adapters.local.sqlite.faults import Undecodable
from groundwire.domain import errors
from groundwire.domain.documents import Segment
from groundwire.ports import Vector

SegmentRow = tuple[str, str, int, str, int, str, str, int | None, int | None, str, str]
"""The columns of `segments` after the id, in the order of the table."""

_HALF: Final = np.dtype("<f2")
_SINGLE: Final = np.dtype("<f4")


def from_segment(segment: Segment) -> SegmentRow:
    """The row to write."""
    return (
        segment.uid,
        segment.doc_id,
        segment.version,
        segment.collection,
        segment.ordinal,
        segment.text,
        json.dumps(segment.heading_path, ensure_ascii=False),
        segment.page_first,
        segment.page_last,
        segment.headline,
        segment.summary,
    )


def to_segment(row: SegmentRow) -> Segment:
    """What `from_segment` wrote."""
    uid, doc_id, version, collection, ordinal, text, headings, page_first, page_last, headline, summary = row
    try:
        heading_path = tuple(json.loads(headings))
    except ValueError as error:
        raise Undecodable(f"heading path of {uid}") from error
    return Segment(
        uid, doc_id, version, collection, ordinal, text, heading_path, page_first, page_last, headline, summary
    )


def from_vector(vector: Vector, dimension: int) -> bytes:
    """Half precision: loses no recall, and takes half the room.

    Raises:
        Invalid: not `dimension` finite numbers.
    """
    return to_array(vector, dimension).astype(_HALF).tobytes()


def to_vector(stored: bytes) -> Vector:
    """What `from_vector` wrote, as the port has it."""
    return np.frombuffer(stored, _HALF).astype(_SINGLE).tobytes()


def to_array(vector: Vector, dimension: int) -> F32:
    """Shape (dimension,).

    Raises:
        Invalid: not `dimension` finite numbers.
    """
    if len(vector) != dimension * _SINGLE.itemsize:
        raise errors.Invalid(f"A vector of this index has {dimension} numbers: use the model it was built with.")
    numbers = np.frombuffer(vector, _SINGLE)
    if not np.isfinite(numbers).all():
        raise errors.Invalid("A vector has a number that is not finite: embed the text again.")
    return numbers


def stacked(stored: list[bytes], dimension: int) -> F32:
    """Shape (rows, dimension), of what `from_vector` wrote."""
    if any(len(blob) != dimension * _HALF.itemsize for blob in stored):
        raise Undecodable("length of a vector")
    return np.frombuffer(b"".join(stored), _HALF).reshape(-1, dimension).astype(np.float32)
