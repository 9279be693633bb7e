"""Codes of vectors, two bits per component, by which a search skips the rows that are far from a phrase.

A fixed rotation spreads each vector evenly over its components, so that a few bits of each tell most of a cosine (Gao
and Long, "RaBitQ", 2024). The first bit is the sign, and rows with many other signs than the phrase are skipped
(Charikar, "Similarity Estimation Techniques from Rounding Algorithms", 2002). The second bit halves the error for the
rest. The rotation and the steps are the same for all vectors, so no row depends on another one.
"""

from collections.abc import Sequence
from functools import cache
from hashlib import shake_256
from math import sqrt
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, I64, U16, U64, Bools
from groundwire.adapters.local.index.arrays.parallel import parallel_for
from groundwire.adapters.local.index.arrays.similarity import GrowableRows

CODES_VERSION: Final = 1
"""Version of rotation and steps; codes of another version are computed anew."""

_WORD_BITS: Final = 64
_ROW_BITS: Final = 2
_QUERY_BITS: Final = 3
_STEPS: Final = {_ROW_BITS: 0.9957, _QUERY_BITS: 0.586}
"""Steps of the best uniform quantiser of a normal distribution (Max, "Quantizing for Minimum Distortion", 1960)."""

_BLOCK_ROWS: Final = 1 << 14
"""Rows compared at a time: input and output stay in the second-level cache."""

_SLICE_ROWS: Final = 2 * _BLOCK_ROWS
_REFINED_ROWS: Final = 1 << 10
"""Rows estimated at a time, for the same reason."""

_SKIPPED: Final = np.uint16(0xFFFF)
"""Distance of a row that is not admitted: more than vectors have components."""

_MAX_MISSING_PRODUCTS: Final = 1 << 33
"""Limit of the work of a search that computes codes, in rows times squared dimension: 58,254 rows of 384 components
take half a second of one core.
"""


class VectorCodes:
    """Codes of a matrix of vectors that only grows at its end.

    Args:
        signs: per 64 components an array with one word for each row.
        codes: both bits of each component, signs first, shape (rows, 2 * words).
        rows: rows whose codes these are.
    """

    def __init__(self, signs: Sequence[U64], codes: U64, rows: int) -> None:
        # All rows are compared by sign, word by word; some rows by their whole code, which is one read of memory each.
        self._signs = [GrowableRows(word) for word in signs]
        self._codes = GrowableRows(codes)
        self._rows = rows

    @property
    def rows(self) -> int:
        """Number of rows whose codes are there."""
        return self._rows

    @property
    def sign_bytes(self) -> int:
        """Bytes of the signs of a row; a whole code has twice as many."""
        return len(self._signs) * _WORD_BITS // 8

    def extend(self, vectors: F32) -> bool:
        """Add the codes of the rows without any; return False if they are too many for a search."""
        if (len(vectors) - self._rows) * vectors.shape[1] ** 2 > _MAX_MISSING_PRODUCTS:
            return False
        for start in range(self._rows, len(vectors), _BLOCK_ROWS):
            signs, codes = encode(vectors[start : start + _BLOCK_ROWS])
            for word, rows in zip(self._signs, signs, strict=True):
                word.write(start, rows)
            self._codes.write(start, codes)
        self._rows = max(self._rows, len(vectors))
        return True

    def signs(self, rows: int) -> list[U64]:
        """Return the signs of the first `rows` rows, one array per 64 components, not copied."""
        return [word.view(rows) for word in self._signs]

    def nearest(self, queries: F32, admitted: Bools, coarse: int, fine: int) -> list[I64]:
        """Return per query the admitted rows that are nearest by their codes, ascending; more on a tie.

        Args:
            queries: shape (queries, dimension).
            admitted: mask of the first rows.
            coarse: number of rows by sign.
            fine: number of rows among these by both bits.
        """
        planes = _bit_planes(queries, _QUERY_BITS)
        # Beyond the admitted rows, the next nearest ones are hidden.
        coarse = min(coarse, int(np.count_nonzero(admitted)))
        by_sign = self._sign_distances(planes[-1], admitted)
        found: list[I64] = [np.empty(0, np.int64)] * len(queries)

        def refine(numbers: slice) -> None:
            for number in range(numbers.start, numbers.stop):
                rows, distances = by_sign
                near = np.flatnonzero(_within(distances[number], coarse))
                near = near if rows is None else rows[near]
                found[number] = near[_within(self._distances(near, planes[:, number]), fine)]

        parallel_for(refine, len(queries), 1)
        return found

    def _sign_distances(self, queries: U64, admitted: Bools) -> tuple[I64 | None, U16]:
        """Return rows, None for all, and the number of components with another sign, of shape (queries, rows)."""
        signs = self.signs(len(admitted))
        rows = np.flatnonzero(admitted)
        # Closed rows between many admitted ones are compared too, and then count as far away.
        takes_all = 2 * len(rows) > len(admitted)
        found = np.empty((len(queries), len(admitted) if takes_all else len(rows)), np.uint16)
        words: list[list[np.uint64]] = [list(query) for query in queries]

        def count(positions: slice) -> None:
            for start in range(positions.start, positions.stop, _BLOCK_ROWS):
                some = slice(start, min(start + _BLOCK_ROWS, positions.stop))
                block = [word[some] if takes_all else word.take(rows[some]) for word in signs]
                for number, query in enumerate(words):
                    _count_differences(block, query, found[number, some])
                if takes_all:
                    np.copyto(found[:, some], _SKIPPED, where=~admitted[some])

        parallel_for(count, found.shape[1], _SLICE_ROWS)
        return None if takes_all else rows, found

    def _distances(self, rows: I64, query: U64) -> F32:
        """Return estimated distances of rows, both bits against all bits of the query; lower is nearer."""
        found = np.empty(len(rows), np.float32)
        codes = self._codes.view(self._rows)
        # A bit weighs twice as much as the next lower one, of rows and of the query.
        weights = np.repeat(np.array([2, 1], np.float32), codes.shape[1] // 2)
        # As long as a block: numpy is slow at repeating a few words for each row.
        masks = [np.tile(plane, 2 * _REFINED_ROWS).reshape(_REFINED_ROWS, -1) for plane in query]
        block, changed = np.empty((2, _REFINED_ROWS, codes.shape[1]), np.uint64)
        counts = np.empty(block.shape, np.uint8)
        for start in range(0, len(rows), _REFINED_ROWS):
            some = rows[start : start + _REFINED_ROWS]
            size = len(some)
            # Any other mode than "raise" gathers without a copy; all rows are valid.
            gathered = codes.take(some, 0, out=block[:size], mode="clip")
            differences = np.zeros(gathered.shape, np.uint16)
            for bit, mask in enumerate(masks):
                np.bitwise_xor(gathered, mask[:size], out=changed[:size])
                np.bitwise_count(changed[:size], out=counts[:size])
                differences += np.left_shift(counts[:size], bit, dtype=np.uint16)
            found[start : start + size] = differences.astype(np.float32) @ weights
        return found


def empty_vector_codes(dimension: int) -> VectorCodes:
    """Return the codes of no rows."""
    size = words_per_vector(dimension)
    return VectorCodes([np.empty(0, np.uint64)] * size, np.empty((0, 2 * size), np.uint64), 0)


def words_per_vector(dimension: int) -> int:
    """Return the number of words that hold one bit of each component."""
    return -(-dimension // _WORD_BITS)


def encode(vectors: F32) -> tuple[list[U64], U64]:
    """Return the signs of vectors, one array per 64 components, and their whole codes, shape (rows, 2 * words)."""
    lower, signs = _bit_planes(vectors, _ROW_BITS)
    words = np.ascontiguousarray(signs.T)
    return [words[number] for number in range(len(words))], np.concatenate([signs, lower], axis=1)


def _bit_planes(vectors: F32, bits: int) -> U64:
    """Return the bits of each component's level, the lowest first, shape (bits, rows, words)."""
    dimension = vectors.shape[1]
    levels = np.floor(vectors @ _rotation(dimension) * np.float32(sqrt(dimension) / _STEPS[bits]))
    highest = 1 << bits
    numbers = np.clip(levels + highest // 2, 0, highest - 1).astype(np.uint8)
    planes = np.zeros((bits, len(vectors), 8 * words_per_vector(dimension)), np.uint8)
    for bit in range(bits):
        packed = np.packbits(numbers >> bit & 1, axis=1)
        planes[bit, :, : packed.shape[1]] = packed
    return planes.view(np.uint64)


@cache
def _rotation(dimension: int) -> F32:
    """Return a fixed orthogonal matrix: an orthogonal basis of pseudorandom signs."""
    bits = np.frombuffer(shake_256(b"rotation").digest(-(-dimension * dimension // 8)), np.uint8)
    signs = np.unpackbits(bits)[: dimension * dimension].reshape(dimension, dimension) * 2.0 - 1.0
    basis, triangle = np.linalg.qr(signs)
    # LAPACK libraries differ in the signs of columns, and stored codes depend on them.
    return (basis * np.sign(np.diag(triangle))).astype(np.float32)


def _count_differences(block: Sequence[U64], query: Sequence[np.uint64], found: U16) -> None:
    """Write the number of bits in which each row of the block differs from the query."""
    differences = np.empty(len(found), np.uint64)
    counts = np.empty(len(found), np.uint8)
    found.fill(0)
    for word, query_word in zip(block, query, strict=True):
        np.bitwise_xor(word, query_word, out=differences)
        np.bitwise_count(differences, out=counts)
        np.add(found, counts, out=found)


def _within(distances: U16 | F32, count: int) -> Bools:
    """Return the mask of the `count` lowest distances, more on a tie."""
    if len(distances) <= count:
        return np.ones(len(distances), np.bool_)
    return distances <= np.partition(distances, count - 1)[count - 1]
