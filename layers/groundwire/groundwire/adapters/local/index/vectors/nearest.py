"""Nearest rows of each phrase: all admitted rows compared, or those that their codes leave."""

from math import sqrt
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, I64, Bools
from groundwire.adapters.local.index.arrays.parallel import parallel_for
from groundwire.adapters.local.index.arrays.top_rows import top_k
from groundwire.adapters.local.index.arrays.touched_bytes import CODES, VECTORS, touch
from groundwire.adapters.local.index.vectors.similarity import cosines, gathered_cosines
from groundwire.adapters.local.index.vectors.vector_codes import VectorCodes

EXACT_SEARCH_MAX_ROWS: Final = 200_000
"""Maximum number of admitted rows that are all compared. Codes miss near rows where all vectors of a model share a
direction (recall@50 .81 at a mean cosine of .7), so they serve only where an exact comparison takes too long.
"""

_MIN_DEPTH: Final = 50
_COARSE_ROWS: Final = 1.0
"""Rows by sign: this, times the wanted rows, times the square root of the admitted rows.

Of 14,374 passages of four collections, .999 of the 50 nearest are among the 2,699 with the fewest other signs; of a
half, a quarter and an eighth of the passages, among 1,929, 1,305 and 920. So the number grows with the square root.
With 0.8, the hardest of the collections has .9989.
"""

_FINE_ROWS: Final = 8
"""Rows by both bits for each wanted row; they are compared exactly. Of the same passages, .999 of the 50
nearest are among 222, and .9998 among 300.
"""

_ADMITTED_PER_FINE: Final = 128
"""One of so many admitted rows is compared exactly at least. It matters where more than `_FINE_ROWS` rows are nearly as
near as the nearest ones: in `bench.scale`, a hundredth of the rows lies around each centre.
"""


def nearest_rows(vectors: F32, codes: VectorCodes, queries: F32, admitted: Bools, depth: int) -> list[I64]:
    """Return per query the `depth` nearest of the admitted rows, in no order; of equal ones the first.

    Args:
        vectors: shape (rows, dimension).
        codes: their codes, which may be of fewer rows.
        queries: shape (queries, dimension).
        admitted: mask per row.
        depth: rows per query.
    """
    rows = np.flatnonzero(admitted)
    size = vectors.shape[1] * vectors.itemsize
    coarse, fine = _preselected(len(rows), depth)
    if not uses_codes(len(rows), depth) or not codes.extend(vectors):
        touch(VECTORS, len(rows) * size)
        return [rows[top_k(scores, depth)] for scores in cosines(vectors, queries, rows)]
    touch(CODES, (len(rows) + 2 * coarse * len(queries)) * codes.sign_bytes)
    near = codes.nearest(queries, admitted, coarse, fine)
    touch(VECTORS, sum(map(len, near)) * size)

    def compare(numbers: slice) -> None:
        for number in range(numbers.start, numbers.stop):
            (scores,) = gathered_cosines(vectors, queries[number : number + 1], near[number])
            near[number] = near[number][top_k(scores, depth)]

    parallel_for(compare, len(queries), 1)
    return near


def uses_codes(row_count: int, depth: int) -> bool:
    """Return whether a search of so many admitted rows skips most of them by their codes."""
    return row_count > EXACT_SEARCH_MAX_ROWS and 2 * _preselected(row_count, depth)[0] <= row_count


def _preselected(row_count: int, depth: int) -> tuple[int, int]:
    """Return the numbers of rows by sign and by both bits."""
    wide = max(depth, _MIN_DEPTH)
    return int(_COARSE_ROWS * wide * sqrt(row_count)), max(_FINE_ROWS * wide, row_count // _ADMITTED_PER_FINE)
