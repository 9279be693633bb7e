"""Sentence windows of candidates: the score of each one's best window for each phrase."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, I16, I64
from groundwire.adapters.local.index.arrays.parallel import parallel_for
from groundwire.adapters.local.sqlite.errors import UndecodableRow
from groundwire.domain.search.fusion import semantic_score

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
