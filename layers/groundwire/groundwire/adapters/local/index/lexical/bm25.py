"""BM25 over the living rows, exact at every moment: no statistic remembers a row that has gone.

Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009; inverse document frequency as in
Lucene, which stays positive for a term that most passages hold. Each language is a field of its own: its rows'
number, average length and term frequencies are counted among themselves.
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
"""A term's number and the slot of its language."""


@dataclass(frozen=True, slots=True, eq=False)
class Bm25:
    """What scoring needs of all rows.

    Attributes:
        norms: `K1 * (1 - B + B * length / average length)` per row, in eighths as counts are.
        live_mask: rows that have not gone; only they count in any statistic.
        rows_per_language: how many are living, per language.
        collection_languages: shape (collections, languages), which languages the living rows of a collection have.
        score_cache: what terms that were asked for before add to the scores.
    """

    postings: tuple[PostingsSegment, ...]
    norms: F32
    live_mask: Bools
    rows_per_language: I64
    collection_languages: Bools
    score_cache: TermScoreCache

    def scores(self, phrases: Sequence[Sequence[LanguageTerm]], admitted: Bools) -> F64:
        """Shape (phrases, admitted rows), 0 where no term matches.

        Args:
            phrases: terms of every language asked; a repeated one counts twice.
            admitted: per row; a row that has gone is not.
        """
        languages = dict(sorted(term for phrase in phrases for term in phrase))
        known = self.score_cache.get(languages)
        if missing := {term: language for term, language in languages.items() if term not in known}:
            added = self._term_scores(missing)
            self.score_cache.put(added)
            known |= added
        places = np.flatnonzero(admitted)
        if len(places) == len(admitted):
            return np.stack([_score_all_rows([known[term] for term, _ in phrase], len(admitted)) for phrase in phrases])
        return np.stack(
            [_score_some_rows([known[term] for term, _ in phrase], places, len(admitted)) for phrase in phrases]
        )

    def _term_scores(self, languages: Mapping[int, int]) -> dict[int, TermScores]:
        """Of terms, ascending, each with the slot of its language."""
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
        """Per term, among the rows of its language."""
        living = (
            hits if int(self.rows_per_language.sum()) == len(self.live_mask) else hits.restricted_to(self.live_mask)
        )
        rarity = (self.rows_per_language[languages] - living.document_frequencies + 0.5) / (
            living.document_frequencies + 0.5
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


def _score_some_rows(terms: Sequence[TermScores], places: I64, rows: int) -> F64:
    """Common terms are looked up where they are wanted; adding them to every row would be most of the work."""
    of_all = np.zeros(rows)
    for one in terms:
        if one.rows is not None:
            one.add_to(of_all)
    scores = of_all[places]
    for one in terms:
        if one.rows is None:
            scores += one.values[places]
    return scores
