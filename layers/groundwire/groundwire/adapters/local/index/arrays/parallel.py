"""Loops over many rows: by the calling thread and helpers that share one queue of slices, and for highest scores."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import F32, F64, I64

_MAX_HELPERS: Final = 3
"""Helpers besides the caller: memory bandwidth is the limit, and more threads do not read faster."""


def parallel_for(work: Callable[[slice], None], row_count: int, slice_rows: int) -> None:
    """Call `work` once for each slice of `slice_rows` rows, the last maybe shorter, in any order and on any thread.

    A helper that is busy with another search is not waited for: then the caller does everything itself.
    """
    slices = [slice(start, min(start + slice_rows, row_count)) for start in range(0, row_count, slice_rows)]
    # An iterator of a list hands out each slice once, also to several threads.
    remaining = iter(slices)

    def take() -> None:
        for rows_of_one in remaining:
            work(rows_of_one)

    helpers = [_pool().submit(take) for _ in range(min(_helpers(), len(slices) - 1))]
    try:
        take()
    finally:
        for helper in helpers:
            # A helper that has begun may still write into the arrays of the caller.
            if not helper.cancel():
                helper.result()


@cache
def _helpers() -> int:
    # The affinity has the cores that this process may use; macOS has no such call.
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores - 1, _MAX_HELPERS)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max(1, _helpers()), "groundwire-search")


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
