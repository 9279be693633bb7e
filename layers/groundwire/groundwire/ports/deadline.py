"""How long an answer may still take: set once for a call, read by every adapter that waits for something."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_DEADLINE: Final[ContextVar[float | None]] = ContextVar("until", default=None)


@contextmanager
def time_limit(seconds: float) -> Generator[None]:
    """What is done inside is worth nothing later than this; an earlier end that was set before stays."""
    end = time.monotonic() + seconds
    before = _DEADLINE.get()
    token = _DEADLINE.set(end if before is None else min(before, end))
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def remaining_seconds(limit: float) -> float:
    """Seconds that may still be waited, from 0 to `limit`; `limit` where no end was set, or in another thread."""
    until = _DEADLINE.get()
    return limit if until is None else min(limit, max(0.0, until - time.monotonic()))
