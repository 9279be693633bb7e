"""Scores of the phrases of one search: the rows that score best, and the scores of single rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, F64, I64, U32, Bools
from groundwire.adapters.local.index.arrays.parallel import parallel_for
from groundwire.adapters.local.index.arrays.top_rows import kth_highest_bound, top_k
from groundwire.adapters.local.index.arrays.touched_bytes import WORDS, touch
from groundwire.adapters.local.index.lexical.term_weights import TermWeights, decode_weights

_BLOCK_ROWS: Final = 1 << 16
"""Rows that are scored at a time: their sums and one term's products, 512 kB, stay in the second-level cache."""

_SLACK: Final = np.float32(1 - 1e-3)
"""Factor below any rounding of a sum in single precision: a phrase has fewer than a thousand terms."""


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """Term of a phrase.

    Attributes:
        weights: saturated counts of the term.
        rarity: inverse document frequency among the rows that the caller may read.
    """

    weights: TermWeights
    rarity: np.float32


@dataclass(frozen=True, slots=True, eq=False)
class PhraseScorer:
    """Scorer of the phrases of one search; a score is the sum over the terms in double precision, in their order.

    Attributes:
        phrases: terms of each phrase; a repeated one counts twice.
        limits: per phrase a bound that no row's score exceeds.
        term_counts: per phrase the number of terms of the language that the bound is for.
    """

    phrases: Sequence[Sequence[WeightedTerm]]
    limits: Sequence[float]
    term_counts: Sequence[int]

    def scores(self, number: int, rows: I64) -> F64:
        """Return the score of each of these rows for one phrase; 0 where no term matches."""
        total = np.zeros(len(rows))
        for term in self.phrases[number]:
            total += term.weights.weights_of(rows) * term.rarity
        return total

    def best(self, admitted: Bools, depth: int) -> list[I64]:
        """Return per phrase the `depth` admitted rows that score best, ascending; of equal ones the first.

        Args:
            admitted: mask per row.
            depth: rows per phrase; 0: none.
        """
        if depth < 1:
            return [np.empty(0, np.int64)] * len(self.phrases)
        near_best = _NearBest(self.phrases, admitted, depth)
        parallel_for(near_best.add, len(admitted), _BLOCK_ROWS)
        touch(WORDS, sum(term.weights.size_bytes for phrase in self.phrases for term in phrase))
        found: list[I64] = []
        for number in range(len(self.phrases)):
            rows = near_best.rows(number)
            found.append(rows[np.sort(top_k(self.scores(number, rows), depth))])
        return found


class _NearBest:
    """Rows that may be among the best of each phrase, by sums in single precision, collected in blocks of rows."""

    def __init__(self, phrases: Sequence[Sequence[WeightedTerm]], admitted: Bools, depth: int) -> None:
        self._phrases = phrases
        self._admitted = admitted
        self._depth = depth
        self._edges = np.arange(0, len(admitted) + _BLOCK_ROWS, _BLOCK_ROWS, dtype=np.int32)
        self._bounds: Mapping[TermWeights, list[int]] = {
            one: np.searchsorted(one.rows, self._edges).tolist()
            for one in {term.weights for phrase in phrases for term in phrase}
            if one.rows is not None
        }
        self._found: dict[int, list[tuple[I64, F32]]] = {}

    def add(self, block: slice) -> None:
        """Collect the rows of a block."""
        mask = self._admitted[block]
        if not mask.any():
            return
        factors = None if mask.all() else mask.astype(np.float32)
        sums = np.empty(len(mask), np.float32)
        products = np.empty(len(mask), np.uint32)
        near_best: list[tuple[I64, F32]] = []
        for phrase in self._phrases:
            sums.fill(0)
            for term in phrase:
                self._add_term(term, block, sums, products)
            if factors is not None:
                np.multiply(sums, factors, out=sums)
            rows = _near_best(sums, self._depth)
            near_best.append((rows + block.start, sums[rows]))
        self._found[block.start] = near_best

    def rows(self, number: int) -> I64:
        """Return the collected rows of a phrase, ascending."""
        blocks = [self._found[start][number] for start in sorted(self._found)]
        rows = np.concatenate([np.empty(0, np.int64), *(rows for rows, _ in blocks)])
        sums = np.concatenate([np.empty(0, np.float32), *(sums for _, sums in blocks)])
        return rows[_near_best(sums, self._depth)]

    def _add_term(self, term: WeightedTerm, block: slice, sums: F32, products: U32) -> None:
        one = term.weights
        if one.rows is None:
            added = decode_weights(one.codes[block], products)
            np.multiply(added, term.rarity, out=added)
            np.add(sums, added, out=sums)
            return
        bounds = self._bounds[one]
        postings = slice(*bounds[block.start // _BLOCK_ROWS : block.start // _BLOCK_ROWS + 2])
        added = decode_weights(one.codes[postings])
        np.multiply(added, term.rarity, out=added)
        # Four times as fast as `sums[rows] += added`, given indices of the machine's own type.
        np.add.at(sums, np.subtract(one.rows[postings], block.start, dtype=np.int64), added)


def _near_best(sums: F32, depth: int) -> I64:
    """Return the positions of the matches that may be among the `depth` highest sums."""
    bound = kth_highest_bound(sums, depth) * _SLACK
    return np.flatnonzero(sums >= bound) if bound > 0 else np.flatnonzero(sums)
