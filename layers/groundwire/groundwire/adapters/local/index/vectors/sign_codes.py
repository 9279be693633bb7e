"""Nearly the nearest rows, by the signs of their vectors alone: a 32nd of what the vectors take is read.

The angle between two vectors grows with the number of components that differ in sign (Charikar, "Similarity
Estimation Techniques from Rounding Algorithms", 2002). Whoever is far by that is passed over; the rest is compared
exactly by the caller.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, I64, U16, U64
from groundwire.adapters.local.index.arrays.growable import GrowableRows
from groundwire.adapters.local.index.vectors.parallel import parallel_for

_WORD_BITS: Final = 64
_BLOCK_ROWS: Final = 1 << 14
"""Rows whose signs are compared at a time: what is read and written stays in the second-level cache."""

_SLICE_ROWS: Final = 4 * _BLOCK_ROWS


class SignCodes:
    """The signs of a matrix of vectors that only grows at its end.

    Args:
        words: per 64 components an array with one word for each row.
    """

    def __init__(self, words: Sequence[U64]) -> None:
        self._words = [GrowableRows(word) for word in words]

    def write(self, at: int, vectors: F32) -> None:
        """Rows from `at` on are those of `vectors`; rows before stay."""
        for word, rows in zip(self._words, encode_signs(vectors), strict=True):
            word.write(at, rows)

    def view(self, rows: int) -> list[U64]:
        """The first `rows` rows, not copied."""
        return [word.view(rows) for word in self._words]


def words_per_vector(dimension: int) -> int:
    """How many words the signs of one vector take."""
    return -(-dimension // _WORD_BITS)


def empty_sign_codes(dimension: int) -> SignCodes:
    """Of no row."""
    return SignCodes([np.empty(0, np.uint64)] * words_per_vector(dimension))


def encode_signs(vectors: F32) -> list[U64]:
    """Per 64 components one word for each row; a component above zero sets its bit."""
    bits = np.zeros((len(vectors), 8 * words_per_vector(vectors.shape[1])), np.uint8)
    packed = np.packbits(vectors > 0, axis=1)
    bits[:, : packed.shape[1]] = packed
    return list(np.ascontiguousarray(bits.view(np.uint64).T))


def nearest_by_sign(signs: Sequence[U64], query: F32, admitted: I64, count: int) -> I64:
    """Places in `admitted`, ascending, of the `count` rows that differ least from the query in sign, or of more
    where the last of them differ equally.

    Args:
        signs: of all rows, as `signs_of` has them.
        query: shape (dimension,).
        admitted: which rows, ascending.
        count: at least 1.
    """
    differing = _hamming_distances(signs, [int(word[0]) for word in encode_signs(query[np.newaxis])], admitted)
    within = np.cumsum(np.bincount(differing))
    return np.flatnonzero(differing <= np.searchsorted(within, min(count, len(admitted))))


def _hamming_distances(signs: Sequence[U64], query: Sequence[int], admitted: I64) -> U16:
    """Per admitted row, in how many components its sign is another."""
    found = np.zeros(len(admitted), np.uint16)
    is_all = len(admitted) == len(signs[0])

    def count(places: slice) -> None:
        for start in range(places.start, places.stop, _BLOCK_ROWS):
            some = slice(start, min(start + _BLOCK_ROWS, places.stop))
            for word, wanted in zip(signs, query, strict=True):
                rows = word[some] if is_all else word[admitted[some]]
                found[some] += np.bitwise_count(rows ^ np.uint64(wanted))

    parallel_for(count, len(admitted), _SLICE_ROWS)
    return found
