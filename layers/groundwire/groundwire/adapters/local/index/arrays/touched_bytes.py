"""Bytes of arrays that a search reads, counted for benches and tests."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

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
