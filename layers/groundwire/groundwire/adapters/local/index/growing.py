"""Arrays that only grow at their end, so that a view which a search holds stays true meanwhile."""

from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Cell = TypeVar("Cell", bound=np.generic)

_LEAST: Final = 1024


class GrowingRows(Generic[Cell]):
    """Rows of one shape, with room behind them.

    Args:
        cells: whose first rows are already written, room included; rows behind them may be overwritten.
    """

    def __init__(self, cells: NDArray[Cell]) -> None:
        self._cells = cells

    def write(self, at: int, rows: NDArray[Cell]) -> None:
        """Rows from `at` on are `rows`; those before stay."""
        needed = at + len(rows)
        if needed > len(self._cells):
            self._cells = self._grown(at, max(needed, _LEAST, len(self._cells) * 3 // 2))
        self._cells[at:needed] = rows

    def view(self, rows: int) -> NDArray[Cell]:
        """The first `rows` rows, not copied."""
        return self._cells[:rows]

    def _grown(self, kept: int, room: int) -> NDArray[Cell]:
        # Memory that nobody has written to is not taken from the machine yet.
        grown = np.empty((room, *self._cells.shape[1:]), self._cells.dtype)
        grown[:kept] = self._cells[:kept]
        return grown
