"""Deadlines of requests, within the time that the caller has left."""

import time
from typing import Final

from groundwire.domain import limits
from groundwire.ports.deadline import remaining_seconds

SEARCH_SECONDS: Final = float(limits.SEARCH_SECONDS)
"""Timeout of every read: a sleeping serverless collection takes 10 to 30 s to wake, and the gateway has its own
timeout."""

WRITE_SECONDS: Final = 120.0
"""Timeout of one bulk batch, retries included: no gateway waits for it."""

NEW_INDEX_SECONDS: Final = 20.0
"""Longest wait until a new index can be used."""

_MIN_SECONDS: Final = 0.05


class Deadline:
    """End of a request on this process's monotonic clock, never later than the deadline of the whole call."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + remaining_seconds(seconds)

    @property
    def seconds_left(self) -> float:
        """Seconds until the deadline; never 0, which a socket takes for "no limit"."""
        return max(_MIN_SECONDS, self._end - time.monotonic())

    def allows(self, seconds: float) -> bool:
        """Return whether more than this time is left."""
        return time.monotonic() + seconds < self._end
