"""How long an answer may still take: set once for a call, read by every adapter that waits for something."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_UNTIL: Final[ContextVar[float | None]] = ContextVar("until", default=None)


@contextmanager
def within(seconds: float) -> Generator[None]:
    """What is done inside is worth nothing later than this; an earlier end that was set before stays."""
    end = time.monotonic() + seconds
    before = _UNTIL.get()
    token = _UNTIL.set(end if before is None else min(before, end))
    try:
        yield
    finally:
        _UNTIL.reset(token)


def remaining(most: float) -> float:
    """Seconds that may still be waited, from 0 to `most`; `most` where no end was set, or in another thread."""
    until = _UNTIL.get()
    return most if until is None else min(most, max(0.0, until - time.monotonic()))
