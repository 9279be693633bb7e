"""Cosine similarity to every admitted row, exact."""

from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays import F32, I64

_GATHER_ROWS: Final = 512
"""Rows gathered at a time: they stay in the cache between the copy and the product."""

_GATHER_BELOW: Final = 0.6
"""Share of rows up to which gathering beats reading all of them."""


class VectorRows:
    """A matrix that only grows at its end, so a view that a search holds stays true meanwhile."""

    def __init__(self, dimension: int) -> None:
        self._cells: F32 = np.empty((0, dimension), np.float32)

    def write(self, at: int, vectors: F32) -> None:
        """Rows from `at` on are `vectors`; rows before stay."""
        needed = at + len(vectors)
        if needed > len(self._cells):
            # Memory that nobody has written to is not taken from the machine yet.
            grown = np.empty((max(needed, 1024, len(self._cells) * 3 // 2), self._cells.shape[1]), np.float32)
            grown[:at] = self._cells[:at]
            self._cells = grown
        self._cells[at:needed] = vectors

    def view(self, rows: int) -> F32:
        """The first `rows` rows, not copied."""
        return self._cells[:rows]


def cosines(vectors: F32, queries: F32, admitted: I64) -> F32:
    """Shape (queries, admitted): the dot products of unit vectors, kept within -1 to 1.

    Args:
        vectors: shape (rows, dimension).
        queries: shape (queries, dimension).
        admitted: which rows, ascending.
    """
    if len(admitted) > _GATHER_BELOW * len(vectors):
        found = (vectors @ queries.T)[admitted]
    else:
        found = np.empty((len(admitted), len(queries)), np.float32)
        for start in range(0, len(admitted), _GATHER_ROWS):
            block = vectors[admitted[start : start + _GATHER_ROWS]]
            np.matmul(block, queries.T, out=found[start : start + _GATHER_ROWS])
    return np.clip(np.ascontiguousarray(found.T), -1.0, 1.0)
