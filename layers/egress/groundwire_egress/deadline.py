"""Deadline of one call: set once, read by all adapters that wait for a response."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_DEADLINE: Final[ContextVar[float | None]] = ContextVar("until", default=None)


@contextmanager
def time_limit(seconds: float) -> Generator[None]:
    """Set the deadline of the block to `seconds` from now; an earlier deadline stays in force."""
    deadline = time.monotonic() + seconds
    previous = _DEADLINE.get()
    token = _DEADLINE.set(deadline if previous is None else min(previous, deadline))
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def remaining_seconds(limit: float) -> float:
    """Return the remaining time, from 0 to `limit`; `limit` without a deadline, or in another thread."""
    deadline = _DEADLINE.get()
    return limit if deadline is None else min(limit, max(0.0, deadline - time.monotonic()))
