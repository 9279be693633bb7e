"""Arrays that only grow at their end, so that a view which a search holds stays true meanwhile."""

from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)

_MIN_CAPACITY: Final = 1024


class GrowableRows(Generic[Scalar]):
    """Rows of one shape, with room behind them.

    Args:
        cells: whose first rows are already written, room included; rows behind them may be overwritten.
    """

    def __init__(self, cells: NDArray[Scalar]) -> None:
        self._cells = cells

    def write(self, first_row: int, rows: NDArray[Scalar]) -> None:
        """Rows from `first_row` on are `rows`; those before stay."""
        needed = first_row + len(rows)
        if needed > len(self._cells):
            self._cells = self._grown(first_row, max(needed, _MIN_CAPACITY, len(self._cells) * 3 // 2))
        self._cells[first_row:needed] = rows

    def view(self, rows: int) -> NDArray[Scalar]:
        """The first `rows` rows, not copied."""
        return self._cells[:rows]

    def _grown(self, kept: int, room: int) -> NDArray[Scalar]:
        # Memory that nobody has written to is not taken from the machine yet.
        grown = np.empty((room, *self._cells.shape[1:]), self._cells.dtype)
        grown[:kept] = self._cells[:kept]
        return grown
