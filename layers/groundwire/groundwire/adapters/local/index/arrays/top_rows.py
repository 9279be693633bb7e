"""Highest of many scores, without sorting them."""

from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, F64, I64

_MIN_MAXIMA: Final = 8
"""Maxima per score that is looked for: with fewer, many scores lie above the lowest of the best maxima."""


def top_k(scores: F32 | F64, k: int) -> I64:
    """Return the positions of the `k` highest scores, in no order; of equal ones the first."""
    if k <= 0:
        return np.empty(0, np.int64)
    if len(scores) <= k:
        return np.arange(len(scores))
    some = scores[scores >= kth_highest_bound(scores, k)]
    threshold = np.partition(some, len(some) - k)[len(some) - k]
    above = np.flatnonzero(scores > threshold)
    return np.concatenate([above, np.flatnonzero(scores == threshold)[: k - len(above)]])


def kth_highest_bound(scores: F32 | F64, k: int) -> np.float32 | np.float64:
    """Return a number that at least `k` scores reach, close to the `k`-th highest; 0 if there are fewer scores.

    Args:
        scores: any numbers.
        k: at least 1.
    """
    if len(scores) < k:
        return scores.dtype.type(0)
    maxima = scores
    while len(maxima) >= 2 * _MIN_MAXIMA * k:
        half = len(maxima) // 2
        # Each half is read in order, which is ten times as fast as the maximum of each row of a table.
        maxima = np.maximum(maxima[:half], maxima[half : 2 * half])
    return np.partition(maxima, len(maxima) - k)[len(maxima) - k]
