"""How long a call as a whole may take, whatever it consists of."""

import time
from typing import Final

SEARCH_SECONDS: Final = 24.0
"""The gateway in front gives up after 30; a serverless collection that sleeps takes 10 to 30 to wake."""

WRITE_SECONDS: Final = 120.0
"""Of one request that writes: no gateway waits for it."""

_LEAST: Final = 0.05


class Deadline:
    """A moment of this process's steady clock."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until then; never 0, which a socket takes for "no limit"."""
        return max(_LEAST, self._end - time.monotonic())

    def allows(self, seconds: float) -> bool:
        """Whether there is still more time than that."""
        return time.monotonic() + seconds < self._end
