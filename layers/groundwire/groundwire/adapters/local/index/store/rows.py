"""Segments and vectors as rows of the tables; each is read within a transaction of the caller."""

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, I64
from groundwire.adapters.local.sqlite.errors import UndecodableRow
from groundwire.domain import errors
from groundwire.domain.documents.segment import Segment
from groundwire.ports import DocumentVersion, RowKey, SegmentVectors, Span, Vector

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


_AFTER_HEX_DIGITS: Final = "g"
"""Character that sorts after those in which uids end."""

_FEW_ROWS: Final = 5_000
"""Number of selected rows up to which each is looked up; of more, the first are found in the order of documents."""

_SEGMENTS: Final = "SELECT * FROM segments LEFT JOIN token_sums USING (id) LEFT JOIN raw_values USING (id)"

_OF_KEYS: Final = """
SELECT * FROM segments LEFT JOIN token_sums USING (id) LEFT JOIN raw_values USING (id)
WHERE id IN (SELECT value FROM json_each(?))
"""
_FIRST_OF_FEW: Final = f"{_OF_KEYS} ORDER BY doc_id, version, ordinal, uid LIMIT ?"
# `+id` keeps SQLite from looking up each id, so that LIMIT ends the walk early.
_FIRST_OF_MANY: Final = """
SELECT * FROM segments INDEXED BY segments_by_document LEFT JOIN token_sums USING (id) LEFT JOIN raw_values USING (id)
WHERE +id IN (SELECT value FROM json_each(?))
ORDER BY doc_id, version, ordinal, uid LIMIT ?
"""


def first_segments(connection: sqlite3.Connection, ids: I64, most: int) -> list[Segment]:
    """Return the first segments of these rows by document, version, ordinal and uid, at most `most`."""
    statement = _FIRST_OF_FEW if len(ids) <= _FEW_ROWS else _FIRST_OF_MANY
    return [to_segment(row[1:]) for row in connection.execute(statement, (json.dumps(ids.tolist()), most))]


def read_segments(connection: sqlite3.Connection, keys: Sequence[RowKey]) -> dict[RowKey, Segment]:
    """Return the segments of these rows by key, without those of keys that no row has."""
    # One JSON text, because SQLite bounds the number of a statement's parameters.
    ids = json.dumps([key for key in keys if isinstance(key, int)])
    found = connection.execute(_OF_KEYS, (ids,))
    return {row[0]: to_segment(row[1:]) for row in found}


def version_segments(connection: sqlite3.Connection, document: DocumentVersion) -> list[Segment]:
    """Return the segments of this version of the document, by ordinal."""
    found = connection.execute(
        f"{_SEGMENTS} WHERE doc_id = ? AND version = ? ORDER BY ordinal, id",
        (document.doc_id, document.version),
    )
    return [to_segment(row[1:]) for row in found]


def read_spans(connection: sqlite3.Connection, spans: Sequence[Span]) -> list[list[Segment]]:
    """Return the segments of each span, by ordinal."""
    found = [
        connection.execute(
            f"{_SEGMENTS} WHERE doc_id = ? AND version = ? AND ordinal BETWEEN ? AND ? ORDER BY ordinal, id",
            (span.document.doc_id, span.document.version, span.first, span.last),
        )
        for span in spans
    ]
    return [[to_segment(row[1:]) for row in rows] for rows in found]


def find_segment(connection: sqlite3.Connection, document: DocumentVersion, uid_start: str) -> Segment | None:
    """Return the first segment of this version whose uid begins so, or is this; None if it is missing."""
    found = connection.execute(
        f"{_SEGMENTS} WHERE uid >= ? AND uid < ? AND version = ? AND doc_id = ? ORDER BY ordinal",
        (uid_start, uid_start + _AFTER_HEX_DIGITS, document.version, document.doc_id),
    ).fetchone()
    return None if found is None else to_segment(found[1:])


def read_vectors(connection: sqlite3.Connection, doc_id: str, dimension: int) -> Mapping[str, SegmentVectors]:
    """Return the vectors of the document's rows by segment uid."""
    found = connection.execute(
        "SELECT uid, vector, coalesce(vectors, x'') FROM segments JOIN vectors USING (id) "
        "LEFT JOIN windows USING (id) WHERE doc_id = ?",
        (doc_id,),
    )
    return {uid: SegmentVectors(to_vector(passage), to_vectors(windows, dimension)) for uid, passage, windows in found}


def count_version_rows(connection: sqlite3.Connection, document: DocumentVersion) -> int:
    """Return the number of rows of this version of the document."""
    found = connection.execute(
        "SELECT count(*) FROM segments WHERE doc_id = ? AND version = ?", (document.doc_id, document.version)
    )
    return int(found.fetchone()[0])


def count_rows_by_version(connection: sqlite3.Connection) -> Mapping[DocumentVersion, int]:
    """Return the number of rows of each version of each document."""
    rows = connection.execute("SELECT doc_id, version, count(*) FROM segments GROUP BY doc_id, version")
    return {DocumentVersion(doc_id, version): number for doc_id, version, number in rows}


def document_rows(connection: sqlite3.Connection, doc_ids: Collection[str]) -> I64:
    """Return the ids of the rows of these documents."""
    found = connection.execute(
        "SELECT id FROM segments WHERE doc_id IN (SELECT value FROM json_each(?))", (json.dumps(sorted(doc_ids)),)
    )
    return np.array([row[0] for row in found], np.int64)
