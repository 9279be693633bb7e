"""BM25 over the live rows, exact at every moment: no statistic includes a deleted row.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009; inverse document frequency as in Lucene,
which stays positive for a term that most passages contain. Each language is a field of its own: number of rows, average
length and term frequencies count only its rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, F64, I64, Bools
from groundwire.adapters.local.index.lexical.postings import PostingsSegment, TermPostings, find_postings
from groundwire.adapters.local.index.lexical.term_scores import TermScoreCache, TermScores, make_term_scores

K1: Final = 1.2
B: Final = 0.75


LanguageTerm = tuple[int, int]
"""Term id and slot of its language."""


@dataclass(frozen=True, slots=True, eq=False)
class Bm25:
    """Statistics of all rows for scoring.

    Attributes:
        norms: `K1 * (1 - B + B * length / average length)` per row, in eighths as counts are.
        live_mask: rows that are not deleted; only they count in any statistic.
        rows_per_language: number of live rows per language.
        collection_languages: shape (collections, languages): languages of a collection's live rows.
        score_cache: scores of terms from earlier queries.
    """

    postings: tuple[PostingsSegment, ...]
    norms: F32
    live_mask: Bools
    rows_per_language: I64
    collection_languages: Bools
    score_cache: TermScoreCache

    def scores(self, phrases: Sequence[Sequence[LanguageTerm]], admitted: Bools) -> F64:
        """Return scores of shape (phrases, admitted rows), 0 where no term matches.

        Args:
            phrases: terms of every language of the query; a repeated one counts twice.
            admitted: mask per row, False for deleted rows.
        """
        languages = dict(sorted(term for phrase in phrases for term in phrase))
        known = self.score_cache.get(languages)
        if missing := {term: language for term, language in languages.items() if term not in known}:
            added = self._term_scores(missing)
            self.score_cache.put(added)
            known |= added
        positions = np.flatnonzero(admitted)
        if len(positions) == len(admitted):
            return np.stack([_score_all_rows([known[term] for term, _ in phrase], len(admitted)) for phrase in phrases])
        return np.stack(
            [_score_some_rows([known[term] for term, _ in phrase], positions, len(admitted)) for phrase in phrases]
        )

    def _term_scores(self, languages: Mapping[int, int]) -> dict[int, TermScores]:
        """Compute the scores of these terms, ascending, each with the slot of its language."""
        hits = find_postings(self.postings, np.array(list(languages), np.uint64))
        idf = self._idf(hits, np.array(list(languages.values()), np.int64))
        impacts = np.repeat(idf, hits.document_frequencies) * self._saturated_counts(hits)
        spans = [slice(*hits.starts[number : number + 2].tolist()) for number in range(len(languages))]
        rows = len(self.live_mask)
        return {
            term: make_term_scores(hits.rows[span].copy(), impacts[span].copy(), rows)
            for term, span in zip(languages, spans, strict=True)
        }

    def _idf(self, hits: TermPostings, languages: I64) -> F32:
        """Return the inverse document frequency per term, among the rows of its language."""
        live = hits if int(self.rows_per_language.sum()) == len(self.live_mask) else hits.restricted_to(self.live_mask)
        rarity = (self.rows_per_language[languages] - live.document_frequencies + 0.5) / (
            live.document_frequencies + 0.5
        )
        return np.log1p(rarity).astype(np.float32)

    def _saturated_counts(self, hits: TermPostings) -> F32:
        counts = hits.counts.astype(np.float32)
        return np.divide(counts * np.float32(K1 + 1), counts + self.norms[hits.rows], dtype=np.float32)


def _score_all_rows(terms: Sequence[TermScores], rows: int) -> F64:
    scores = np.zeros(rows)
    for one in terms:
        one.add_to(scores)
    return scores


def _score_some_rows(terms: Sequence[TermScores], positions: I64, rows: int) -> F64:
    """Score some rows; looks common terms up at these rows only, because adding them to every row costs most."""
    all_scores = np.zeros(rows)
    for one in terms:
        if one.rows is not None:
            one.add_to(all_scores)
    scores = all_scores[positions]
    for one in terms:
        if one.rows is None:
            scores += one.values[positions]
    return scores
