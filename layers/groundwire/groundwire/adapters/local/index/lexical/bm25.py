"""BM25 over the rows that the caller may read: no other row changes a score.

The formula is that of `adapters.lexical.weighting`, in single precision. Each language is a field of its own: number of
rows and term frequencies count only its rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.lexical.weighting import LENGTHLESS_NORM, MAX_WEIGHT, WEIGHT_MASK, length_factor
from groundwire.adapters.local.index.arrays.dtypes import F32, I64
from groundwire.adapters.local.index.arrays.parallel import parallel_for
from groundwire.adapters.local.index.arrays.touched_bytes import POSTINGS, touch
from groundwire.adapters.local.index.lexical.access_statistics import AccessStatistics, AccessStatisticsCache
from groundwire.adapters.local.index.lexical.phrase_scorer import PhraseScorer, WeightedTerm
from groundwire.adapters.local.index.lexical.postings import PostingsSegment, TermPostings, find_postings
from groundwire.adapters.local.index.lexical.term_weights import TermWeightCache, TermWeights, make_term_weights

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
