"""What single terms add to the scores of rows, kept for the terms that phrases have in common."""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays import F32, F64, I32

_KEPT_BYTES: Final = 1 << 26
_DENSE_FROM: Final = 16
"""A term that one row in so many has is kept as a number for each row: adding those is many times as fast."""


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Of one term.

    Attributes:
        rows: which rows have it, each once; None: all rows are told of.
        values: what it adds to the score of each.
    """

    rows: I32 | None
    values: F32

    def add_to(self, scores: F64) -> None:
        """`scores` is per row."""
        if self.rows is None:
            scores += self.values
        else:
            scores[self.rows] += self.values

    @property
    def size(self) -> int:
        """In bytes."""
        return self.values.nbytes + (0 if self.rows is None else self.rows.nbytes)


def weights(rows: I32, values: F32, of: int) -> Weights:
    """Of a term that these of so many rows have."""
    if len(rows) * _DENSE_FROM < of:
        return Weights(rows, values)
    dense = np.zeros(of, np.float32)
    dense[rows] = values
    return Weights(None, dense)


class KeptWeights:
    """Those of the terms asked for last, up to 64 MB; for as long as rows and statistics stay."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, Weights] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def of(self, terms: Iterable[int]) -> dict[int, Weights]:
        """Those that are kept."""
        with self._lock:
            found = {term: self._kept[term] for term in terms if term in self._kept}
            for term in found:
                self._kept.move_to_end(term)
        return found

    def keep(self, added: dict[int, Weights]) -> None:
        """They are kept, and others not any more."""
        with self._lock:
            for term, one in added.items():
                if term not in self._kept:
                    self._kept[term] = one
                    self._bytes += one.size
            while self._bytes > _KEPT_BYTES:
                self._bytes -= self._kept.popitem(last=False)[1].size
