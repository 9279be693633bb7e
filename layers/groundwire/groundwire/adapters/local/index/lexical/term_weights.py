"""Saturated weights of single terms in rows, cached for the terms that phrases have in common."""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, I32, Bools

_MAX_CACHE_BYTES: Final = 1 << 26
_DENSE_FROM: Final = 4
"""Rarity limit: a term in at least one of this many rows is stored dense, one number per row, which adds much faster.

With 100,000 passages a limit of 16 filled the cache with dense terms: 25 terms of five phrases were computed anew in
each search, 14 with a limit of 4, so that a search of a tenth takes a seventh less time, and one of all 4 % less.
"""


@dataclass(frozen=True, slots=True, eq=False)
class TermWeights:
    """Saturated counts of one term, which depend on no other row.

    Attributes:
        rows: rows with the term, each once; None: `values` has all rows.
        values: the term's saturated count in each row, 0 where it does not occur.
        row_count: number of rows with the term, deleted ones included.
    """

    rows: I32 | None
    values: F32
    row_count: int

    def count_in(self, mask: Bools) -> int:
        """Return the number of rows of this mask with the term."""
        if self.rows is None:
            return int(np.count_nonzero((self.values > 0) & mask))
        return int(np.count_nonzero(mask[self.rows]))

    @property
    def size_bytes(self) -> int:
        """Size in bytes."""
        return self.values.nbytes + (0 if self.rows is None else self.rows.nbytes)


def make_term_weights(rows: I32, values: F32, row_count: int) -> TermWeights:
    """Make the weights of a term that occurs in these rows, of `row_count` rows in total; copies what it keeps."""
    if len(rows) * _DENSE_FROM < row_count:
        return TermWeights(rows.copy(), values.copy(), len(rows))
    dense = np.zeros(row_count, np.float32)
    dense[rows] = values
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
