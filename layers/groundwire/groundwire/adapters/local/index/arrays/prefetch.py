"""Prefetch of mapped arrays: a search requests the parts that it reads next, so that the system reads them at once.

Without it, the first use of each page waits for the disk, and the system reads up to megabytes around it: a first
search that needs 200 MB of a million segments reads 2 GB. Arrays that are not mapped are left alone.

The bytes that a search reads are counted for benches and tests.
"""

import mmap
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.local.index.arrays.dtypes import I64, Bools

MASK: Final = "access mask"
WORDS: Final = "words"
POSTINGS: Final = "postings"
CODES: Final = "codes"
VECTORS: Final = "vectors"
WINDOWS: Final = "windows"

_counts: Final[ContextVar["Counter[str] | None"]] = ContextVar("touched bytes", default=None)


@contextmanager
def counting() -> Generator["Counter[str]"]:
    """Count the bytes that searches of this thread read during the block, by part of the index."""
    counts: Counter[str] = Counter()
    token = _counts.set(counts)
    try:
        yield counts
    finally:
        _counts.reset(token)


def touch(part: str, size_bytes: int) -> None:
    """Count bytes of a part, on the thread that searches."""
    counts = _counts.get()
    if counts is not None:
        counts[part] += size_bytes


Array = NDArray[Any]

_BLOCK_SHIFT: Final = 14
"""Binary logarithm of a block's bytes, 16 kB: a disk that is bounded by its number of reads reads that much as fast as
one page, and few bytes are read in vain."""
_MAX_ADVICE_BLOCKS: Final = 8
"""Blocks of one advice, 128 kB: systems cut a longer one to their read-ahead, which is that by default."""
_WILL_NEED: Final[int | None] = getattr(mmap, "MADV_WILLNEED", None)


_IDLE_CALLS: Final = 32
"""Calls in a row that find nothing to request, after which a file counts as read: then they would cost a hundredth of a
search for nothing."""


class _Mapping(NamedTuple):
    """File that an array is mapped from, and the array's first byte in it."""

    file: mmap.mmap
    offset: int


class _Requests:
    """Requested blocks of a file; one that the system dropped since is read when it is used.

    Attributes:
        blocks: mask of the file's blocks.
        idle_calls: latest calls in a row for blocks that all were requested before.
    """

    def __init__(self, file: mmap.mmap) -> None:
        self.blocks: Bools = np.zeros((len(file) >> _BLOCK_SHIFT) + 1, np.bool_)
        self.idle_calls = 0


# Weak keys: the requests of a file go with its mapping.
_requests: WeakKeyDictionary[mmap.mmap, _Requests] = WeakKeyDictionary()
_lock: Final = threading.Lock()


def prefetch_rows(array: Array, rows: I64) -> None:
    """Request these rows of an array."""
    prefetch_spans(array, rows, rows + 1)


def prefetch_all(array: Array) -> None:
    """Request a whole array."""
    prefetch_spans(array, np.zeros(1, np.int64), np.array([len(array)]))


def prefetch_spans(array: Array, starts: I64, ends: I64) -> None:
    """Request the rows of an array from each start to before its end, unless this process did so before."""
    mapping = _mapping_of(array)
    if mapping is None or not len(starts):
        return
    requests = _requests_of(mapping.file)
    if requests.idle_calls >= _IDLE_CALLS:
        return
    size = array.strides[0]
    first = (mapping.offset + starts * size) >> _BLOCK_SHIFT
    last = (mapping.offset + np.maximum(ends, starts + 1) * size - 1) >> _BLOCK_SHIFT
    missing = _missing(requests.blocks, first, last)
    if missing is None:
        requests.idle_calls += 1
        return
    requests.idle_calls = 0
    requests.blocks |= missing
    _advise(mapping.file, missing)


def _mapping_of(array: Array) -> _Mapping | None:
    """Return the file that an array, or the array that it is a view of, is mapped from."""
    if _WILL_NEED is None or not array.size:
        return None
    whole: object = array
    while isinstance(whole, np.ndarray):
        if isinstance(whole.base, mmap.mmap):
            return _Mapping(whole.base, array.ctypes.data - whole.ctypes.data)
        whole = whole.base
    return None


def _requests_of(file: mmap.mmap) -> _Requests:
    with _lock:
        found = _requests.get(file)
        if found is None:
            found = _requests[file] = _Requests(file)
        return found


def _missing(requested: Bools, first: I64, last: I64) -> Bools | None:
    """Return the mask of the blocks from each first to its last that were not requested; None if all were."""
    # Spans of at most two blocks need no count over the whole file.
    if requested[first].all() and requested[last].all() and int((last - first).max()) <= 1:
        return None
    size = len(requested) + 1
    covered = np.cumsum(np.bincount(first, minlength=size) - np.bincount(last + 1, minlength=size))[:-1] > 0
    missing = covered & ~requested
    return missing if missing.any() else None


def _advise(file: mmap.mmap, blocks: Bools) -> None:
    edges = np.flatnonzero(np.diff(blocks, prepend=False, append=False)).tolist()
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        for block in range(start, end, _MAX_ADVICE_BLOCKS):
            begin = block << _BLOCK_SHIFT
            size = min(min(block + _MAX_ADVICE_BLOCKS, end) << _BLOCK_SHIFT, len(file)) - begin
            # It is advice: where the system does not take it, the pages are read when they are used.
            with suppress(OSError):
                if size > 0 and _WILL_NEED is not None:
                    file.madvise(_WILL_NEED, begin, size)
