"""Arrays that only grow at their end, so that a view of a running search stays valid."""

from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)

_MIN_CAPACITY: Final = 1024


class GrowableRows(Generic[Scalar]):
    """Rows of one shape, with spare capacity behind them.

    Args:
        cells: array whose first rows are written, capacity included; later rows may be overwritten.
    """

    def __init__(self, cells: NDArray[Scalar]) -> None:
        self._cells = cells

    def write(self, first_row: int, rows: NDArray[Scalar]) -> None:
        """Write `rows` from `first_row` on; earlier rows stay."""
        needed = first_row + len(rows)
        if needed > len(self._cells):
            # Half as much again, so that each row is copied a bounded number of times.
            self._cells = self._grown(first_row, max(needed, _MIN_CAPACITY, len(self._cells) * 3 // 2))
        self._cells[first_row:needed] = rows

    def view(self, rows: int) -> NDArray[Scalar]:
        """Return the first `rows` rows, not copied."""
        return self._cells[:rows]

    def _grown(self, written: int, capacity: int) -> NDArray[Scalar]:
        # The system allocates no memory for rows that nobody has written.
        grown = np.empty((capacity, *self._cells.shape[1:]), self._cells.dtype)
        grown[:written] = self._cells[:written]
        return grown
