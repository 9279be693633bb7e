"""BM25 over the living rows, exact at every moment: no statistic remembers a row that has gone.

Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009; inverse document frequency as in
Lucene, which stays positive for a term that most passages hold.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays import F64, I32, I64, Bools
from groundwire.adapters.local.index.postings import Hits, Piece, find

K1: Final = 1.2
B: Final = 0.75


@dataclass(frozen=True, slots=True, eq=False)
class Bm25:
    """What scoring needs of all rows.

    Attributes:
        norms: `K1 * (1 - B + B * length / average length)` per row.
        living: rows that have not gone; only they count in any statistic.
    """

    pieces: tuple[Piece, ...]
    norms: F64
    living: Bools
    rows: int

    def scores(self, phrases: Sequence[Sequence[int]], admitted: Bools) -> F64:
        """Shape (phrases, rows): 0 where no term matches or the row is not admitted."""
        wanted = sorted({term for phrase in phrases for term in phrase})
        hits = find(self.pieces, np.array(wanted, np.uint64))
        kept = self.living[hits.rows]
        frequencies = np.bincount(hits.number[kept], minlength=len(wanted))
        admitted_hits = _only(hits, kept & admitted[hits.rows])
        impacts = self._idf(frequencies)[admitted_hits.number] * self._saturated(admitted_hits)
        bounds = np.searchsorted(admitted_hits.number, np.arange(len(wanted) + 1))
        spans = {term: slice(bounds[number], bounds[number + 1]) for number, term in enumerate(wanted)}
        scores = np.zeros((len(phrases), len(self.norms)))
        for phrase, row in zip(phrases, scores, strict=True):
            _add_up(row, [spans[term] for term in phrase], admitted_hits.rows, impacts)
        return scores

    def _idf(self, frequencies: I64) -> F64:
        return np.log1p((self.rows - frequencies + 0.5) / (frequencies + 0.5))

    def _saturated(self, hits: Hits) -> F64:
        return (K1 + 1) * hits.counts / (hits.counts + self.norms[hits.rows])


def statistics(pieces: tuple[Piece, ...], lengths: I64, living: Bools) -> Bm25:
    """`lengths` in terms, of all rows."""
    rows = int(np.count_nonzero(living))
    average = float(lengths[living].sum()) / rows if rows else 0.0
    relative = lengths / average if average else np.zeros(len(lengths))
    return Bm25(pieces, K1 * (1 - B + B * relative), living, rows)


def _only(hits: Hits, kept: Bools) -> Hits:
    return Hits(hits.number[kept], hits.rows[kept], hits.counts[kept])


def _add_up(row: F64, spans: Sequence[slice], rows: I32, impacts: F64) -> None:
    if spans:
        matched = np.concatenate([rows[span] for span in spans])
        weights = np.concatenate([impacts[span] for span in spans])
        row += np.bincount(matched, weights, len(row))
