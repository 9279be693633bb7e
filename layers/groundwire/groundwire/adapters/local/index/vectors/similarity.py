"""Exact cosine similarity to every admitted row."""

from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, I64
from groundwire.adapters.local.index.arrays.growable import GrowableRows
from groundwire.adapters.local.index.arrays.parallel import parallel_for
from groundwire.adapters.local.index.arrays.prefetch import prefetch_all, prefetch_rows

_BLOCK_ROWS: Final = 128
"""Rows multiplied at a time: a block of usual vectors stays in the second-level cache, and is small enough for the
multiplication that copies nothing; with 256 it takes twice as long.
"""

_SLICE_ROWS: Final = 32 * _BLOCK_ROWS
"""Rows that one thread takes at a time: one call multiplies all their blocks, and so needs the interpreter once."""

_GATHERED_ROWS: Final = 4 * _BLOCK_ROWS

_GATHER_BELOW: Final = 0.6
"""Share of rows up to which gathering is faster than reading all of them."""


class VectorMatrix(GrowableRows[np.float32]):
    """Matrix of vectors that only grows at its end."""

    def __init__(self, dimension: int, cells: F32 | None = None) -> None:
        super().__init__(np.empty((0, dimension), np.float32) if cells is None else cells)


def cosines(vectors: F32, queries: F32, admitted: I64) -> F32:
    """Return an array of shape (queries, admitted): the dot products of unit vectors, clipped to -1 to 1.

    Args:
        vectors: shape (rows, dimension).
        queries: shape (queries, dimension).
        admitted: the rows to compare, ascending.
    """
    if len(admitted) > _GATHER_BELOW * len(vectors):
        found = _multiply_all(vectors, queries)
        found = found if len(admitted) == len(vectors) else found[:, admitted]
        return np.clip(found, -1.0, 1.0, out=found)
    return gathered_cosines(vectors, queries, admitted)


def gathered_cosines(vectors: F32, queries: F32, admitted: I64) -> F32:
    """Return what `cosines` does, with every bit independent of the rows that are not admitted."""
    found = _multiply_gathered(vectors, queries, admitted)
    return np.clip(found, -1.0, 1.0, out=found)


def _multiply_all(vectors: F32, queries: F32) -> F32:
    found = np.empty((len(queries), len(vectors)), np.float32)
    prefetch_all(vectors)

    def multiply(rows: slice) -> None:
        _multiply(vectors[rows], queries, found[:, rows])

    parallel_for(multiply, len(vectors), _SLICE_ROWS)
    return found


def _multiply_gathered(vectors: F32, queries: F32, admitted: I64) -> F32:
    found = np.empty((len(queries), len(admitted)), np.float32)
    prefetch_rows(vectors, admitted)

    def gather_and_multiply(positions: slice) -> None:
        buffer = np.empty((_GATHERED_ROWS, vectors.shape[1]), np.float32)
        for start in range(positions.start, positions.stop, _GATHERED_ROWS):
            some = slice(start, min(start + _GATHERED_ROWS, positions.stop))
            # Any other mode than "raise" gathers into `buffer` without a copy; all positions are valid rows.
            gathered = vectors.take(admitted[some], 0, out=buffer[: some.stop - some.start], mode="clip")
            _multiply(gathered, queries, found[:, some])

    parallel_for(gather_and_multiply, len(admitted), _SLICE_ROWS)
    return found


def _multiply(rows: F32, queries: F32, found: F32) -> None:
    """Multiply block by block, without the copy that one multiplication of everything would make first."""
    blocks = len(rows) // _BLOCK_ROWS
    whole = blocks * _BLOCK_ROWS
    if blocks:
        cube = rows[:whole].reshape(blocks, _BLOCK_ROWS, rows.shape[1]).transpose(0, 2, 1)
        products = np.matmul(queries, cube)
        found[:, :whole] = products.transpose(1, 0, 2).reshape(len(queries), whole)
    if whole < len(rows):
        np.matmul(queries, rows[whole:].T, out=found[:, whole:])
