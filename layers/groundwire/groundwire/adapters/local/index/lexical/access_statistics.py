"""Statistics of the rows that one caller may read: no row that is closed to it counts in any number."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Final

import numpy as np

from groundwire.adapters.lexical.weighting import rarity
from groundwire.adapters.local.index.arrays.dtypes import I64, Bools
from groundwire.adapters.local.index.lexical.term_weights import TermWeights

_MAX_CACHE_BYTES: Final = 1 << 25
_MAX_FREQUENCIES: Final = 8_192
"""Limit of cached frequencies of one caller: about a megabyte."""


class AccessStatistics:
    """Number of readable rows, and of those with a term.

    Attributes:
        readable: mask of the rows that the caller's rights admit, whatever a search narrows.
        rows: shape (collections, languages): numbers of readable rows.
        row_count: number of readable rows in total.
    """

    def __init__(self, readable: Bools, rows: I64) -> None:
        self.readable = readable
        self.rows = rows
        self._rows_per_language: list[int] = rows.sum(axis=0).tolist()
        self.row_count = sum(self._rows_per_language)
        self._reads_all = self.row_count == len(readable)
        self._frequencies: dict[int, int] = {}

    def languages_in(self, collections: list[bool]) -> list[int]:
        """Return the slots of the languages of the readable rows in these collections, ascending."""
        slots: list[int] = np.flatnonzero(self.rows[collections].any(axis=0)).tolist()
        return slots

    def rarities(self, languages: Mapping[int, int], weights: Mapping[int, TermWeights]) -> dict[int, np.float32]:
        """Return the inverse document frequency of each term among the readable rows of its language.

        Args:
            languages: slot of the language, by term.
            weights: weights of at least these terms.
        """
        return {
            term: self._rarity(language, self._frequency(term, weights[term])) for term, language in languages.items()
        }

    def _rarity(self, language: int, frequency: int) -> np.float32:
        rows = self._rows_per_language[language]
        # One number at a time: a vectorised logarithm may round by the position in the array.
        return np.float32(rarity(rows, frequency))

    def _frequency(self, term: int, weights: TermWeights) -> int:
        """Return the number of readable rows with the term."""
        if self._reads_all:
            return weights.row_count
        if (known := self._frequencies.get(term)) is None:
            known = weights.count_in(self.readable)
            if len(self._frequencies) >= _MAX_FREQUENCIES:
                self._frequencies = {}
            self._frequencies[term] = known
        return known


class AccessStatisticsCache:
    """Cache of the statistics of recent callers, up to 32 MB; valid as long as rows and policies stay the same."""

    def __init__(self) -> None:
        self._statistics: OrderedDict[Hashable, AccessStatistics] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, rights: Hashable, build: Callable[[], AccessStatistics]) -> AccessStatistics:
        """Return the statistics of a caller with these rights; `build` makes them where they are not cached."""
        with self._lock:
            if (known := self._statistics.get(rights)) is not None:
                self._statistics.move_to_end(rights)
                return known
        # Outside of the lock: other searches need not wait, and building twice does no harm.
        built = build()
        with self._lock:
            self._statistics[rights] = built
            while len(self._statistics) > 1 and len(self._statistics) * built.readable.nbytes > _MAX_CACHE_BYTES:
                self._statistics.popitem(last=False)
        return built
