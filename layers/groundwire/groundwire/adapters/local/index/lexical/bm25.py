"""BM25 over the rows that the caller may read: no other row changes a score.

Statistics count the rows that one caller may read: a row that is hidden from it is in no number. The formula is that of
`adapters.lexical.weighting`, in single precision. Each language is a field of its own: number of rows and term
frequencies count only its rows.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.lexical.weighting import LENGTHLESS_NORM, MAX_WEIGHT, WEIGHT_MASK, length_factor, rarity
from groundwire.adapters.local.index.arrays.dtypes import F32, I64, Bools
from groundwire.adapters.local.index.arrays.parallel import parallel_for
from groundwire.adapters.local.index.arrays.prefetch import POSTINGS, touch
from groundwire.adapters.local.index.lexical.phrase_scorer import (
    PhraseScorer,
    TermWeightCache,
    TermWeights,
    WeightedTerm,
    make_term_weights,
)
from groundwire.adapters.local.index.lexical.postings import PostingsSegment, TermPostings, find_postings

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


_BLOCK_POSTINGS: Final = 1 << 14
"""Postings whose weights are computed at a time: what lies between stays in the second-level cache."""

_SLICE_POSTINGS: Final = 16 * _BLOCK_POSTINGS
"""Postings that one thread takes at a time; for fewer, a second one costs more than it saves."""

LanguageTerm = tuple[int, int]
"""Term id and slot of its language."""


@dataclass(frozen=True, slots=True, eq=False)
class Bm25:
    """Postings of all rows, with caches of what phrases and callers have in common.

    Attributes:
        lengths: weighted number of terms per row, in eighths as counts are.
        languages: code per slot.
        weight_cache: weights of terms from earlier queries.
        statistics_cache: statistics of earlier callers.
    """

    postings: tuple[PostingsSegment, ...]
    lengths: I64
    languages: Sequence[str]
    weight_cache: TermWeightCache
    statistics_cache: AccessStatisticsCache

    def scorer(self, phrases: Sequence[Sequence[LanguageTerm]], statistics: AccessStatistics) -> PhraseScorer:
        """Return the scorer of the phrases.

        Args:
            phrases: terms of every language of the query; a repeated one counts twice.
            statistics: statistics of the caller.
        """
        languages = {term: language for phrase in phrases for term, language in phrase}
        weights = self._weights(languages)
        rarities = statistics.rarities(languages, weights)
        terms = [[WeightedTerm(weights[term], rarities[term]) for term, _ in phrase] for phrase in phrases]
        limits = [_highest_score(phrase, rarities) for phrase in phrases]
        return PhraseScorer(terms, [limit for limit, _ in limits], [count for _, count in limits])

    def _weights(self, languages: Mapping[int, int]) -> dict[int, TermWeights]:
        known = self.weight_cache.get(languages)
        if missing := {term: languages[term] for term in sorted(languages.keys() - known.keys())}:
            added = self._read_weights(missing)
            self.weight_cache.put(added)
            known |= added
        return known

    def _read_weights(self, languages: Mapping[int, int]) -> dict[int, TermWeights]:
        """Compute the weights of these terms, ascending, each with the slot of its language."""
        hits = find_postings(self.postings, np.array(list(languages), np.uint64))
        steepness = np.array([length_factor(self.languages[slot]) for slot in languages.values()], np.float32)
        values = self._saturated(hits, np.repeat(steepness, hits.document_frequencies))
        spans = [slice(*hits.starts[number : number + 2].tolist()) for number in range(len(languages))]
        return {
            term: make_term_weights(hits.rows[span], values[span], len(self.lengths))
            for term, span in zip(languages, spans, strict=True)
        }

    def _saturated(self, hits: TermPostings, steepness: F32) -> F32:
        """Return the saturated count of each posting, by the steepness of its term."""
        values = np.empty(len(hits.rows), np.float32)
        # A posting, and the length of its row.
        touch(POSTINGS, len(values) * (hits.rows.itemsize + hits.counts.itemsize + self.lengths.itemsize))

        def saturate(some: slice) -> None:
            for start in range(some.start, some.stop, _BLOCK_POSTINGS):
                block = slice(start, min(start + _BLOCK_POSTINGS, some.stop))
                norms = np.multiply(self.lengths[hits.rows[block]], steepness[block], dtype=np.float32)
                norms += np.float32(LENGTHLESS_NORM)
                counts = hits.counts[block].astype(np.float32)
                np.divide(counts * np.float32(MAX_WEIGHT), counts + norms, out=values[block])
                bits = values[block].view(np.uint32)
                np.bitwise_and(bits, np.uint32(WEIGHT_MASK), out=bits)

        parallel_for(saturate, len(values), _SLICE_POSTINGS)
        return values


def _highest_score(phrase: Sequence[LanguageTerm], rarities: Mapping[int, np.float32]) -> tuple[float, int]:
    """Return the score of a row of one language with all terms of the phrase infinitely often, and their number."""
    totals: dict[int, tuple[float, int]] = {}
    for term, language in phrase:
        total, count = totals.get(language, (0.0, 0))
        totals[language] = total + float(rarities[term]), count + 1
    total, count = max(totals.values(), default=(0.0, 0))
    return MAX_WEIGHT * total, count
