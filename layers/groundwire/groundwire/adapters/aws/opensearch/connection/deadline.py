"""How long a request may take, within what its caller has left."""

import time
from typing import Final

from groundwire.domain import limits
from groundwire.ports.deadline import remaining_seconds

SEARCH_SECONDS: Final = float(limits.SEARCH_SECONDS)
"""Of everything that reads: a serverless collection that sleeps takes 10 to 30 to wake, and the gateway gives up."""

WRITE_SECONDS: Final = 120.0
"""Of one part of a bulk, however often it is sent: no gateway waits for it."""

NEW_INDEX_SECONDS: Final = 20.0
"""Until a new index can be used."""

_MIN_SECONDS: Final = 0.05


class Deadline:
    """A moment of this process's steady clock, no later than the end that was set for the whole call."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + remaining_seconds(seconds)

    @property
    def seconds_left(self) -> float:
        """Seconds until then; never 0, which a socket takes for "no limit"."""
        return max(_MIN_SECONDS, self._end - time.monotonic())

    def allows(self, seconds: float) -> bool:
        """Whether there is still more time than that."""
        return time.monotonic() + seconds < self._end
