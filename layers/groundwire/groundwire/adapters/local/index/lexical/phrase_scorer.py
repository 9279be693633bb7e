"""Scores of the phrases of one search: the rows that score best, and the scores of single rows.

The weights of single terms in rows are cached, for the terms that phrases have in common.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, F64, I32, I64, U16, U32, Bools
from groundwire.adapters.local.index.arrays.parallel import kth_highest_bound, parallel_for, top_k
from groundwire.adapters.local.index.arrays.prefetch import WORDS, touch

_MAX_CACHE_BYTES: Final = 1 << 26
_DENSE_FROM: Final = 8
"""Rarity limit: a term in at least one of this many rows is stored dense, one code per row.

Adding 100,000 dense codes takes 35 µs, and adding the postings of an eighth of the rows about as long. A lower limit
would fill the cache with dense codes.
"""

_SHIFT: Final = np.uint32(15)
"""Bits of a single below the nine significant ones of a weight. The sign above them is 0, so that 16 bits remain."""


@dataclass(frozen=True, slots=True, eq=False)
class TermWeights:
    """Saturated counts of one term, which depend on no other row.

    Attributes:
        rows: rows with the term, ascending; None: `codes` has all rows.
        codes: the saturated count in each row, as `encode_weights` makes them; 0 where the term does not occur.
        row_count: number of rows with the term, deleted ones included.
    """

    rows: I32 | None
    codes: U16
    row_count: int

    def count_in(self, mask: Bools) -> int:
        """Return the number of rows of this mask with the term."""
        if self.rows is None:
            return int(np.count_nonzero((self.codes > 0) & mask))
        return int(np.count_nonzero(mask[self.rows]))

    def weights_of(self, rows: I64) -> F32:
        """Return the saturated count in each of these rows."""
        if self.rows is None:
            return decode_weights(self.codes[rows])
        if not len(self.rows):
            return np.zeros(len(rows), np.float32)
        # The type of the term's rows: numpy converts them all for a search among numbers of another type.
        positions = np.searchsorted(self.rows, rows.astype(np.int32))
        np.minimum(positions, len(self.rows) - 1, out=positions)
        return decode_weights(np.where(self.rows[positions] == rows, self.codes[positions], np.uint16(0)))

    @property
    def size_bytes(self) -> int:
        """Size in bytes."""
        return self.codes.nbytes + (0 if self.rows is None else self.rows.nbytes)


def encode_weights(weights: F32) -> U16:
    """Return weights of nine significant bits as 16 bits each, without a loss."""
    return (weights.view(np.uint32) >> _SHIFT).astype(np.uint16)


def decode_weights(codes: U16, out: U32 | None = None) -> F32:
    """Return the weights of `encode_weights`, in the memory of `out` if it is given."""
    bits = np.left_shift(codes, _SHIFT, out=out, dtype=np.uint32)
    return bits.view(np.float32)


def make_term_weights(rows: I32, weights: F32, row_count: int) -> TermWeights:
    """Make the weights of a term that occurs in these rows, of `row_count` rows in total; copies what it keeps."""
    codes = encode_weights(weights)
    if len(rows) * _DENSE_FROM < row_count:
        return TermWeights(rows.copy(), codes, len(rows))
    dense = np.zeros(row_count, np.uint16)
    dense[rows] = codes
    return TermWeights(None, dense, len(rows))


class TermWeightCache:
    """Cache of the most recently used terms, up to 64 MB; valid as long as the rows stay the same."""

    def __init__(self) -> None:
        self._weights: OrderedDict[int, TermWeights] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, terms: Iterable[int]) -> dict[int, TermWeights]:
        """Return the cached weights among these terms."""
        with self._lock:
            found = {term: self._weights[term] for term in terms if term in self._weights}
            for term in found:
                self._weights.move_to_end(term)
        return found

    def put(self, added: dict[int, TermWeights]) -> None:
        """Store the weights, and evict the least recently used."""
        with self._lock:
            for term, one in added.items():
                if term not in self._weights:
                    self._weights[term] = one
                    self._bytes += one.size_bytes
            while self._bytes > _MAX_CACHE_BYTES:
                self._bytes -= self._weights.popitem(last=False)[1].size_bytes


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
