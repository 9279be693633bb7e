"""Work on many rows, shared by the calling thread and helpers, which take from one pile what is left."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

_MAX_HELPERS: Final = 3
"""Beside the caller: reading memory is what takes the time, and more threads do not read it faster."""


def parallel_for(work: Callable[[slice], None], row_count: int, slice_rows: int) -> None:
    """`work` is done once for each slice of `slice_rows` rows, the last maybe shorter, in no order and on any thread.

    A helper that is busy with another search is not waited for: then the caller does all by itself.
    """
    slices = [slice(start, min(start + slice_rows, row_count)) for start in range(0, row_count, slice_rows)]
    left = iter(slices)

    def take() -> None:
        for rows_of_one in left:
            work(rows_of_one)

    helpers = [_pool().submit(take) for _ in range(min(_helpers(), len(slices) - 1))]
    try:
        take()
    finally:
        for helper in helpers:
            if not helper.cancel():
                helper.result()


@cache
def _helpers() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores - 1, _MAX_HELPERS)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max(1, _helpers()), "groundwire-search")
