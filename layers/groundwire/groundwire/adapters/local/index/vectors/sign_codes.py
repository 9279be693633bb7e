"""Approximate nearest rows by the signs of their vectors alone, which are a 32nd of the vectors' size.

The angle between two vectors grows with the number of components that differ in sign (Charikar, "Similarity Estimation
Techniques from Rounding Algorithms", 2002). Rows with many differences are skipped; the caller compares the rest
exactly.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, I64, U16, U64
from groundwire.adapters.local.index.arrays.growable import GrowableRows
from groundwire.adapters.local.index.arrays.parallel import parallel_for
from groundwire.adapters.local.index.arrays.prefetch import prefetch_all

_WORD_BITS: Final = 64
_BLOCK_ROWS: Final = 1 << 14
"""Rows compared at a time: input and output stay in the second-level cache."""

_SLICE_ROWS: Final = 4 * _BLOCK_ROWS


class SignCodes:
    """Sign codes of a matrix of vectors that only grows at its end.

    Args:
        words: per 64 components an array with one word for each row.
    """

    def __init__(self, words: Sequence[U64]) -> None:
        self._words = [GrowableRows(word) for word in words]

    def write(self, first_row: int, vectors: F32) -> None:
        """Write the codes of `vectors` from row `first_row` on; earlier rows stay."""
        for word, rows in zip(self._words, encode_signs(vectors), strict=True):
            word.write(first_row, rows)

    def view(self, rows: int) -> list[U64]:
        """Return the codes of the first `rows` rows, not copied."""
        return [word.view(rows) for word in self._words]


def words_per_vector(dimension: int) -> int:
    """Return the number of words of one vector's sign code."""
    return -(-dimension // _WORD_BITS)


def empty_sign_codes(dimension: int) -> SignCodes:
    """Return the sign codes of no rows."""
    return SignCodes([np.empty(0, np.uint64)] * words_per_vector(dimension))


def encode_signs(vectors: F32) -> list[U64]:
    """Return one array per 64 components with one word for each row; a component above zero sets its bit."""
    bits = np.zeros((len(vectors), 8 * words_per_vector(vectors.shape[1])), np.uint8)
    packed = np.packbits(vectors > 0, axis=1)
    bits[:, : packed.shape[1]] = packed
    # One array per word, so that a comparison reads memory in order.
    return list(np.ascontiguousarray(bits.view(np.uint64).T))


def nearest_by_sign(signs: Sequence[U64], query: F32, admitted: I64, count: int) -> I64:
    """Return positions in `admitted`, ascending, of the `count` rows with the fewest sign differences, more on a tie.

    Args:
        signs: codes of all rows, from `encode_signs`.
        query: shape (dimension,).
        admitted: the rows to compare, ascending.
        count: at least 1.
    """
    distances = _hamming_distances(signs, [int(word[0]) for word in encode_signs(query[np.newaxis])], admitted)
    within = np.cumsum(np.bincount(distances))
    return np.flatnonzero(distances <= np.searchsorted(within, min(count, len(admitted))))


def _hamming_distances(signs: Sequence[U64], query: Sequence[int], admitted: I64) -> U16:
    """Return per admitted row the number of components with another sign."""
    found = np.zeros(len(admitted), np.uint16)
    for word in signs:
        prefetch_all(word)
    is_all = len(admitted) == len(signs[0])

    def count(positions: slice) -> None:
        for start in range(positions.start, positions.stop, _BLOCK_ROWS):
            some = slice(start, min(start + _BLOCK_ROWS, positions.stop))
            for word, query_word in zip(signs, query, strict=True):
                rows = word[some] if is_all else word[admitted[some]]
                found[some] += np.bitwise_count(rows ^ np.uint64(query_word))

    parallel_for(count, len(admitted), _SLICE_ROWS)
    return found
