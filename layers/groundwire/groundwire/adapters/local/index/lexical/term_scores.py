"""Scores that single terms add to rows, cached for the terms that phrases have in common."""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, F64, I32

_MAX_CACHE_BYTES: Final = 1 << 26
_DENSE_FROM: Final = 16
"""Rarity limit: a term in at least one of this many rows is stored dense, one number per row, which adds much faster.
"""


@dataclass(frozen=True, slots=True, eq=False)
class TermScores:
    """Scores of one term.

    Attributes:
        rows: rows with the term, each once; None: `values` has all rows.
        values: what the term adds to the score of each row.
    """

    rows: I32 | None
    values: F32

    def add_to(self, scores: F64) -> None:
        """Add the values to `scores`, one per row."""
        if self.rows is None:
            scores += self.values
        else:
            scores[self.rows] += self.values

    @property
    def size_bytes(self) -> int:
        """Size in bytes."""
        return self.values.nbytes + (0 if self.rows is None else self.rows.nbytes)


def make_term_scores(rows: I32, values: F32, row_count: int) -> TermScores:
    """Make the scores of a term that occurs in these rows, of `row_count` rows in total."""
    if len(rows) * _DENSE_FROM < row_count:
        return TermScores(rows, values)
    dense = np.zeros(row_count, np.float32)
    dense[rows] = values
    return TermScores(None, dense)


class TermScoreCache:
    """Cache of the most recently used terms, up to 64 MB; valid as long as rows and statistics stay the same."""

    def __init__(self) -> None:
        self._scores: OrderedDict[int, TermScores] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, terms: Iterable[int]) -> dict[int, TermScores]:
        """Return the cached scores among these terms."""
        with self._lock:
            found = {term: self._scores[term] for term in terms if term in self._scores}
            for term in found:
                self._scores.move_to_end(term)
        return found

    def put(self, added: dict[int, TermScores]) -> None:
        """Store the scores, and evict the least recently used."""
        with self._lock:
            for term, one in added.items():
                if term not in self._scores:
                    self._scores[term] = one
                    self._bytes += one.size_bytes
            while self._bytes > _MAX_CACHE_BYTES:
                self._bytes -= self._scores.popitem(last=False)[1].size_bytes
