"""Exact cosine similarity to every admitted row, and of each one's best sentence window for each phrase.

The arrays of vectors only grow at their end, so that a view of a running search stays valid.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.local.index.arrays.dtypes import F32, I16, I64
from groundwire.adapters.local.index.arrays.parallel import parallel_for
from groundwire.adapters.local.index.arrays.prefetch import prefetch_all, prefetch_rows
from groundwire.adapters.local.sqlite.errors import UndecodableRow
from groundwire.domain.search.fusion import semantic_score

Scalar = TypeVar("Scalar", bound=np.generic)

_MIN_CAPACITY: Final = 1024


class GrowableRows(Generic[Scalar]):
    """Rows of one shape, with spare capacity behind them.

    Args:
        cells: array whose first rows are written, capacity included; later rows may be overwritten.
    """

    def __init__(self, cells: NDArray[Scalar]) -> None:
        self._cells = cells

    def write(self, first_row: int, rows: NDArray[Scalar]) -> None:
        """Write `rows` from `first_row` on; earlier rows stay."""
        needed = first_row + len(rows)
        if needed > len(self._cells):
            # Half as much again, so that each row is copied a bounded number of times.
            self._cells = self._grown(first_row, max(needed, _MIN_CAPACITY, len(self._cells) * 3 // 2))
        self._cells[first_row:needed] = rows

    def view(self, rows: int) -> NDArray[Scalar]:
        """Return the first `rows` rows, not copied."""
        return self._cells[:rows]

    def _grown(self, written: int, capacity: int) -> NDArray[Scalar]:
        # The system allocates no memory for rows that nobody has written.
        grown = np.empty((capacity, *self._cells.shape[1:]), self._cells.dtype)
        grown[:written] = self._cells[:written]
        return grown


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


_BLOCK_WINDOWS: Final = 256
"""Windows multiplied at a time: a block of usual vectors stays in the second-level cache."""

_SLICE_WINDOWS: Final = 1_024
"""Windows that one thread takes at a time."""

_HALF_BITS: Final = np.int32(-1879056384)
"""Mask of a half's sign, exponent and mantissa in a single, after a shift by `_SHIFT`: 0x8fffe000."""

_SHIFT: Final = np.int32(13)
_REBIASED: Final = np.float32(2.0**112)
"""Factor between the exponents' biases, 15 and 127."""

NO_WINDOW: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class SentenceWindows:
    """Windows of some segments, one segment's after the other's.

    Attributes:
        half_bits: shape (windows, dimension), float16 as it is stored, viewed as int16.
        starts: where each segment's windows begin, and at the end the number of windows.
    """

    half_bits: I16
    starts: I64


@dataclass(frozen=True, slots=True, eq=False)
class SemanticScores:
    """Similarities of segments and their windows to the phrases, each array of shape (segments, phrases).

    Attributes:
        score: combined score of passage and best window.
        best_window: number of the best window, `NO_WINDOW` where there is none.
    """

    score: F32
    best_window: I64


def semantic_scores(windows: SentenceWindows, queries: F32, passages: F32) -> SemanticScores:
    """Score every segment for every phrase; a segment without windows counts as its own only window.

    Args:
        windows: windows of the segments.
        queries: shape (phrases, dimension).
        passages: shape (segments, phrases), similarity of the whole passage.
    """
    counts = np.diff(windows.starts)
    with_windows = np.flatnonzero(counts)
    best, number = passages.copy(), np.full(passages.shape, NO_WINDOW, np.int64)
    if len(with_windows):
        found = _dot_products(windows.half_bits, queries)
        starts = windows.starts[with_windows]
        best[with_windows] = np.maximum.reduceat(found, starts)
        number[with_windows] = _best_window_numbers(found, best[with_windows], starts, counts[with_windows])
    return SemanticScores(np.clip(semantic_score(passages, best), -1.0, 1.0), number)


def half_to_single(halves: I16) -> F32:
    """Convert float16 to float32, exact for finite numbers; several times as fast as numpy's own cast."""
    wide = halves.astype(np.int32)
    np.left_shift(wide, _SHIFT, out=wide)
    np.bitwise_and(wide, _HALF_BITS, out=wide)
    # The exponent still has the bias of a half, which the factor corrects.
    numbers = wide.view(np.float32)
    return np.multiply(numbers, _REBIASED, out=numbers)


def decode_windows(stored: Sequence[bytes], dimension: int) -> SentenceWindows:
    """Decode the stored windows of segments; no bytes mean no windows."""
    size = 2 * dimension
    if any(len(blob) % size for blob in stored):
        raise UndecodableRow("length of windows")
    lengths = np.fromiter(map(len, stored), np.int64, len(stored))
    starts = np.concatenate([[0], np.cumsum(lengths // size)]).astype(np.int64)
    return SentenceWindows(
        np.frombuffer(b"".join(stored), "<i2").reshape(-1, dimension).astype(np.int16, copy=False), starts
    )


def _dot_products(halves: I16, queries: F32) -> F32:
    """Return the dot products, of shape (windows, phrases)."""
    found = np.empty((len(halves), len(queries)), np.float32)

    def multiply(some: slice) -> None:
        for start in range(some.start, some.stop, _BLOCK_WINDOWS):
            block = slice(start, min(start + _BLOCK_WINDOWS, some.stop))
            np.matmul(half_to_single(halves[block]), queries.T, out=found[block])

    parallel_for(multiply, len(halves), _SLICE_WINDOWS)
    return found


def _best_window_numbers(found: F32, best: F32, starts: I64, counts: I64) -> I64:
    """Return the number of each segment's best window; of equal ones the first."""
    numbers = np.arange(len(found)) - np.repeat(starts, counts)
    best_numbers = np.where(found == np.repeat(best, counts, axis=0), numbers[:, np.newaxis], len(found))
    return np.minimum.reduceat(best_numbers, starts)
