"""Cosine similarity to every admitted row, exact."""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays import F32, I64

_BLOCK_ROWS: Final = 128
"""Rows multiplied at a time: a block of usual vectors stays in the second-level cache."""

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
        found = _products((vectors[at] for at in _blocks(len(vectors))), len(vectors), queries)[admitted]
    else:
        found = _products((vectors[admitted[at]] for at in _blocks(len(admitted))), len(admitted), queries)
    return np.clip(np.ascontiguousarray(found.T), -1.0, 1.0)


def _blocks(rows: int) -> Iterator[slice]:
    return (slice(start, start + _BLOCK_ROWS) for start in range(0, rows, _BLOCK_ROWS))


def _products(blocks: Iterable[F32], rows: int, queries: F32) -> F32:
    """Shape (rows, queries)."""
    found = np.empty((rows, len(queries)), np.float32)
    for at, block in zip(_blocks(rows), blocks, strict=True):
        np.matmul(block, queries.T, out=found[at])
    return found
