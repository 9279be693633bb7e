"""BM25 over the living rows, exact at every moment: no statistic remembers a row that has gone.

Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009; inverse document frequency as in
Lucene, which stays positive for a term that most passages hold. Each language is a field of its own: its rows'
number, average length and term frequencies are counted among themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays import F32, F64, I64, Bools
from groundwire.adapters.local.index.postings import Hits, Piece, find
from groundwire.adapters.local.index.snapshot import Snapshot
from groundwire.adapters.local.index.term_weights import KeptWeights, Weights, weights
from groundwire.adapters.local.index.terms import COUNT_UNIT

K1: Final = 1.2
B: Final = 0.75


Term = tuple[int, int]
"""A term's number and the slot of its language."""


@dataclass(frozen=True, slots=True, eq=False)
class Bm25:
    """What scoring needs of all rows.

    Attributes:
        norms: `K1 * (1 - B + B * length / average length)` per row, in eighths as counts are.
        living: rows that have not gone; only they count in any statistic.
        rows: how many are living, per language.
        spoken: shape (collections, languages), which languages the living rows of a collection have.
        kept: what terms that were asked for before add to the scores.
    """

    pieces: tuple[Piece, ...]
    norms: F32
    living: Bools
    rows: I64
    spoken: Bools
    kept: KeptWeights

    def scores(self, phrases: Sequence[Sequence[Term]], admitted: Bools) -> F64:
        """Shape (phrases, admitted rows), 0 where no term matches.

        Args:
            phrases: terms of every language asked; a repeated one counts twice.
            admitted: per row; a row that has gone is not.
        """
        languages = dict(sorted(term for phrase in phrases for term in phrase))
        known = self.kept.of(languages)
        if missing := {term: language for term, language in languages.items() if term not in known}:
            added = self._weights(missing)
            self.kept.keep(added)
            known |= added
        places = np.flatnonzero(admitted)
        if len(places) == len(admitted):
            return np.stack([_of_all([known[term] for term, _ in phrase], len(admitted)) for phrase in phrases])
        return np.stack([_of_some([known[term] for term, _ in phrase], places, len(admitted)) for phrase in phrases])

    def _weights(self, languages: Mapping[int, int]) -> dict[int, Weights]:
        """Of terms, ascending, each with the slot of its language."""
        hits = find(self.pieces, np.array(list(languages), np.uint64))
        idf = self._idf(hits, np.array(list(languages.values()), np.int64))
        impacts = np.repeat(idf, hits.frequencies) * self._saturated(hits)
        spans = [slice(*hits.starts[number : number + 2].tolist()) for number in range(len(languages))]
        rows = len(self.living)
        return {
            term: weights(hits.rows[span].copy(), impacts[span].copy(), rows)
            for term, span in zip(languages, spans, strict=True)
        }

    def _idf(self, hits: Hits, languages: I64) -> F32:
        """Per term, among the rows of its language."""
        living = hits if int(self.rows.sum()) == len(self.living) else hits.of(self.living)
        rarity = (self.rows[languages] - living.frequencies + 0.5) / (living.frequencies + 0.5)
        return np.log1p(rarity).astype(np.float32)

    def _saturated(self, hits: Hits) -> F32:
        counts = hits.counts.astype(np.float32)
        return np.divide(counts * np.float32(K1 + 1), counts + self.norms[hits.rows], dtype=np.float32)


def _of_all(terms: Sequence[Weights], rows: int) -> F64:
    scores = np.zeros(rows)
    for one in terms:
        one.add_to(scores)
    return scores


def _of_some(terms: Sequence[Weights], places: I64, rows: int) -> F64:
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


def statistics(snapshot: Snapshot) -> Bm25:
    """Of the rows that have not gone. Runs whenever somebody has written, over all rows: in few passes."""
    living, shape = snapshot.living, (len(snapshot.collections.values), len(snapshot.languages.values))
    place = snapshot.collection_of * np.int32(shape[1]) + snapshot.language_of
    lengths, all_live = snapshot.lengths, bool(living.all())
    counted, measured = (place, lengths) if all_live else (place[living], lengths[living])
    rows = np.bincount(counted, minlength=shape[0] * shape[1]).reshape(shape)
    total = np.bincount(counted, measured, shape[0] * shape[1]).reshape(shape).sum(axis=0)
    per_length = (COUNT_UNIT * K1 * B * rows.sum(axis=0) / np.maximum(total, 1.0)).astype(np.float32)
    # Most indexes have one language: then one number serves all rows.
    steepness = per_length[0] if shape[1] == 1 else per_length[snapshot.language_of]
    norms = np.multiply(lengths, steepness, dtype=np.float32)
    norms += np.float32(COUNT_UNIT * K1 * (1 - B))
    return Bm25(snapshot.pieces, norms, living, rows.sum(axis=0), rows > 0, KeptWeights())
