"""Saturated weights of single terms in rows, cached for the terms that phrases have in common."""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, I32, I64, U16, U32, Bools

_MAX_CACHE_BYTES: Final = 1 << 26
_DENSE_FROM: Final = 8
"""Rarity limit: a term in at least one of this many rows is stored dense, one code per row.

Adding 100,000 dense codes takes 35 µs, and adding the postings of an eighth of the rows about as long. A lower limit
would fill the cache with dense codes.
"""

_SHIFT: Final = np.uint32(15)
"""Bits of a single below the nine significant ones of a weight. The sign above them is 0, so that 16 bits remain."""


@dataclass(frozen=True, slots=True, eq=False)
class TermWeights:
    """Saturated counts of one term, which depend on no other row.

    Attributes:
        rows: rows with the term, ascending; None: `codes` has all rows.
        codes: the saturated count in each row, as `encode_weights` makes them; 0 where the term does not occur.
        row_count: number of rows with the term, deleted ones included.
    """

    rows: I32 | None
    codes: U16
    row_count: int

    def count_in(self, mask: Bools) -> int:
        """Return the number of rows of this mask with the term."""
        if self.rows is None:
            return int(np.count_nonzero((self.codes > 0) & mask))
        return int(np.count_nonzero(mask[self.rows]))

    def weights_of(self, rows: I64) -> F32:
        """Return the saturated count in each of these rows."""
        if self.rows is None:
            return decode_weights(self.codes[rows])
        if not len(self.rows):
            return np.zeros(len(rows), np.float32)
        # The type of the term's rows: numpy converts them all for a search among numbers of another type.
        positions = np.searchsorted(self.rows, rows.astype(np.int32))
        np.minimum(positions, len(self.rows) - 1, out=positions)
        return decode_weights(np.where(self.rows[positions] == rows, self.codes[positions], np.uint16(0)))

    @property
    def size_bytes(self) -> int:
        """Size in bytes."""
        return self.codes.nbytes + (0 if self.rows is None else self.rows.nbytes)


def encode_weights(weights: F32) -> U16:
    """Return weights of nine significant bits as 16 bits each, without a loss."""
    return (weights.view(np.uint32) >> _SHIFT).astype(np.uint16)


def decode_weights(codes: U16, out: U32 | None = None) -> F32:
    """Return the weights of `encode_weights`, in the memory of `out` if it is given."""
    bits = np.left_shift(codes, _SHIFT, out=out, dtype=np.uint32)
    return bits.view(np.float32)


def make_term_weights(rows: I32, weights: F32, row_count: int) -> TermWeights:
    """Make the weights of a term that occurs in these rows, of `row_count` rows in total; copies what it keeps."""
    codes = encode_weights(weights)
    if len(rows) * _DENSE_FROM < row_count:
        return TermWeights(rows.copy(), codes, len(rows))
    dense = np.zeros(row_count, np.uint16)
    dense[rows] = codes
    return TermWeights(None, dense, len(rows))


class TermWeightCache:
    """Cache of the most recently used terms, up to 64 MB; valid as long as the rows stay the same."""

    def __init__(self) -> None:
        self._weights: OrderedDict[int, TermWeights] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, terms: Iterable[int]) -> dict[int, TermWeights]:
        """Return the cached weights among these terms."""
        with self._lock:
            found = {term: self._weights[term] for term in terms if term in self._weights}
            for term in found:
                self._weights.move_to_end(term)
        return found

    def put(self, added: dict[int, TermWeights]) -> None:
        """Store the weights, and evict the least recently used."""
        with self._lock:
            for term, one in added.items():
                if term not in self._weights:
                    self._weights[term] = one
                    self._bytes += one.size_bytes
            while self._bytes > _MAX_CACHE_BYTES:
                self._bytes -= self._weights.popitem(last=False)[1].size_bytes
