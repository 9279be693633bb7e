"""BM25 over the living rows, exact at every moment: no statistic remembers a row that has gone.

Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009; inverse document frequency as in
Lucene, which stays positive for a term that most passages hold.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays import F32, F64, I64, Bools
from groundwire.adapters.local.index.postings import Hits, Piece, find

K1: Final = 1.2
B: Final = 0.75


@dataclass(frozen=True, slots=True, eq=False)
class Bm25:
    """What scoring needs of all rows.

    Attributes:
        norms: `K1 * (1 - B + B * length / average length)` per row.
        living: rows that have not gone; only they count in any statistic.
        rows: how many are living.
    """

    pieces: tuple[Piece, ...]
    norms: F32
    living: Bools
    rows: int

    def scores(self, phrases: Sequence[Sequence[int]], admitted: Bools) -> F64:
        """Shape (phrases, admitted rows), 0 where no term matches.

        Args:
            phrases: terms; a repeated one counts twice.
            admitted: per row; a row that has gone is not.
        """
        wanted = sorted({term for phrase in phrases for term in phrase})
        hits = find(self.pieces, np.array(wanted, np.uint64))
        idf = self._idf(hits)
        hits = hits.of(admitted)
        impacts = np.repeat(idf, hits.frequencies) * self._saturated(hits)
        starts = hits.starts.tolist()
        spans = {term: slice(*starts[number : number + 2]) for number, term in enumerate(wanted)}
        places = np.flatnonzero(admitted)
        scores = np.zeros((len(phrases), len(places)))
        for number, phrase in enumerate(phrases):
            if phrase:
                matched = np.concatenate([hits.rows[spans[term]] for term in phrase])
                weights = np.concatenate([impacts[spans[term]] for term in phrase])
                scores[number] = np.bincount(matched, weights, len(admitted))[places]
        return scores

    def _idf(self, hits: Hits) -> F32:
        living = hits if self.rows == len(self.living) else hits.of(self.living)
        rarity = (self.rows - living.frequencies + 0.5) / (living.frequencies + 0.5)
        return np.log1p(rarity).astype(np.float32)

    def _saturated(self, hits: Hits) -> F32:
        counts = hits.counts.astype(np.float32)
        return np.divide(counts * np.float32(K1 + 1), counts + self.norms[hits.rows], dtype=np.float32)


def statistics(pieces: tuple[Piece, ...], lengths: I64, living: Bools) -> Bm25:
    """`lengths` in terms, of all rows."""
    rows = int(np.count_nonzero(living))
    average = float(lengths[living].sum()) / rows if rows else 0.0
    relative = lengths / average if average else np.zeros(len(lengths))
    return Bm25(pieces, (K1 * (1 - B + B * relative)).astype(np.float32), living, rows)
