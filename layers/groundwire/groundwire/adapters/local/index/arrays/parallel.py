"""Parallel loop over many rows, by the calling thread and helpers that share one queue of slices."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

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
