"""Segments and vectors as rows of the tables."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32
from groundwire.adapters.local.sqlite.errors import UndecodableRow
from groundwire.domain import errors
from groundwire.domain.documents.segment import Segment
from groundwire.ports import Vector

SegmentRow = tuple[str, str, int, str, int, str, str, int | None, int | None, str, str, str, str, str, str, str, bytes]
"""Columns of `segments` after the id, in the order of the table."""
ReadRow = tuple[
    str,
    str,
    int,
    str,
    int,
    str,
    str,
    int | None,
    int | None,
    str,
    str,
    str,
    str,
    str,
    str,
    str,
    bytes,
    bytes | None,
    str | None,
]
"""Columns of `segments` after the id, then token sums and raw values; None where a row has none."""

_HALF: Final = np.dtype("<f2")
_SINGLE: Final = np.dtype("<f4")


def from_segment(segment: Segment) -> SegmentRow:
    """Write the row of a segment."""
    return (
        segment.uid,
        segment.doc_id,
        segment.version,
        segment.collection,
        segment.ordinal,
        segment.text,
        _from_texts(segment.heading_path),
        segment.page_first,
        segment.page_last,
        segment.headline,
        segment.summary,
        segment.title,
        segment.language,
        _from_texts(segment.keywords),
        segment.context,
        _from_texts(segment.questions),
        segment.sketch,
    )


def to_segment(row: ReadRow) -> Segment:
    """Read the segment that `from_segment` wrote, with its token sums and raw values."""
    (
        uid, doc_id, version, collection, ordinal, text, path, page_first, page_last, headline, summary,
        title, language, keywords, context, questions, sketch, token_sums, raw_values,
    ) = row  # fmt: skip
    return Segment(
        uid, doc_id, version, collection, ordinal, text, _to_texts(path), page_first, page_last, headline, summary,
        title, language, _to_texts(keywords), context, _to_texts(questions), sketch, token_sums or b"",
        _to_texts(raw_values or "[]"),
    )  # fmt: skip


def from_vector(vector: Vector, dimension: int) -> bytes:
    """Write a vector in half precision, which keeps recall and takes half the space.

    Raises:
        InvalidInput: not `dimension` finite numbers.
    """
    return to_array(vector, dimension).astype(_HALF).tobytes()


def from_vectors(vectors: Sequence[Vector], dimension: int) -> bytes:
    """Write the vectors one after the other, each as `from_vector`.

    Raises:
        InvalidInput: a vector has not `dimension` finite numbers.
    """
    return b"".join(from_vector(vector, dimension) for vector in vectors)


def to_vectors(stored: bytes, dimension: int) -> tuple[Vector, ...]:
    """Read the vectors that `from_vectors` wrote."""
    size = dimension * _HALF.itemsize
    if len(stored) % size:
        raise UndecodableRow("length of windows")
    return tuple(to_vector(stored[start : start + size]) for start in range(0, len(stored), size))


def to_vector(stored: bytes) -> Vector:
    """Read the vector that `from_vector` wrote, in single precision."""
    return np.frombuffer(stored, _HALF).astype(_SINGLE).tobytes()


def to_array(vector: Vector, dimension: int) -> F32:
    """Return the vector as an array of shape (dimension,).

    Raises:
        InvalidInput: not `dimension` finite numbers.
    """
    if len(vector) != dimension * _SINGLE.itemsize:
        raise errors.InvalidInput(f"A vector of this index has {dimension} numbers: use the model it was built with.")
    numbers = np.frombuffer(vector, _SINGLE)
    if not np.isfinite(numbers).all():
        raise errors.InvalidInput("A vector has a number that is not finite: embed the text again.")
    return numbers


def to_matrix(stored: list[bytes], dimension: int) -> F32:
    """Return a matrix of shape (rows, dimension) from what `from_vector` wrote."""
    if any(len(blob) != dimension * _HALF.itemsize for blob in stored):
        raise UndecodableRow("length of a vector")
    return np.frombuffer(b"".join(stored), _HALF).reshape(-1, dimension).astype(np.float32)


def _from_texts(texts: Sequence[str]) -> str:
    return json.dumps(texts, ensure_ascii=False)


@lru_cache(maxsize=8192)
def _to_texts(stored: str) -> tuple[str, ...]:
    # Cached: a search decodes up to a hundred rows, and most have the path of another, or none.
    try:
        return tuple(json.loads(stored))
    except ValueError as error:
        raise UndecodableRow("list of texts") from error
