"""Time of one check of a stack: all waits share one budget, and the deletion of the tenant has its part in it."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

from groundwire.domain.errors import DomainError, InvalidInput
from groundwire.entry.cli.commands.doctor.findings import Check, DefectFound, Finding, run_check
from groundwire.entry.cli.console import warn

_Answer = TypeVar("_Answer")
AWAKE_SECONDS: Final = 180.0
"""Bound of a run whose index answered at once."""
ASLEEP_SECONDS: Final = 300.0
"""Bound of a run whose index slept, or has not answered yet."""
DELETION_SECONDS: Final = 30.0
"""Part of either bound that only the deletion may use."""
_POLL_SECONDS: Final = 1.0
_PROGRESS_SECONDS: Final = 10.0


class RunBudget:
    """Seconds that one run may take from its creation on.

    Args:
        clock: seconds.
        sleep: waits between two questions.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._started = clock()
        # Before the index has answered, nobody knows whether it sleeps.
        self.limit_s = ASLEEP_SECONDS

    def expect_awake(self) -> None:
        """Shorten the bound to that of a run whose index is awake."""
        self.limit_s = AWAKE_SECONDS

    @property
    def elapsed_s(self) -> float:
        """Seconds since the run began."""
        return self._clock() - self._started

    def run(self, check: str, run: Check, promise: str) -> Finding:
        """Return the finding of a check; after the time of the checks, that it was not tried."""
        if self.elapsed_s < self._checks_end_s:
            return run_check(check, run, promise)
        text = f"Not tried: the checks took the {self._checks_end_s:.0f} s that they have. Run the command again."
        return Finding(check, ok=False, detail=text, promise=promise)

    def wait(self, ask: Callable[[], _Answer], what: str, seconds: float) -> _Answer:
        """Return the first true answer within the seconds and within the time of the checks.

        An error counts as no answer, but for one that no time mends.

        Raises:
            DefectFound: there was none in time, or `ask` raised it.
            InvalidInput: `ask` raised it.
        """
        return self._wait_until(min(self.elapsed_s + seconds, self._checks_end_s), ask, what)

    def wait_for_deletion(self, ask: Callable[[], _Answer]) -> _Answer:
        """Return the first true answer within the whole time; ask once even after it."""
        return self._wait_until(self.limit_s, ask, "the deletion")

    @property
    def _checks_end_s(self) -> float:
        return self.limit_s - DELETION_SECONDS

    def _wait_until(self, end_s: float, ask: Callable[[], _Answer], what: str) -> _Answer:
        started_s = shown_s = self.elapsed_s
        while True:
            reason = ""
            try:
                if answer := ask():
                    return answer
            except (DefectFound, InvalidInput):
                raise
            except DomainError as error:
                reason = f" The last error: {error}"
            now_s = self.elapsed_s
            if now_s >= end_s:
                of_run = f", as a run takes {self.limit_s:.0f} s" if end_s >= self._checks_end_s else ""
                raise DefectFound(f"{now_s - started_s:.0f} s were not enough for {what}{of_run}.{reason}")
            if now_s - shown_s >= _PROGRESS_SECONDS:
                shown_s = now_s
                warn(f"   waiting for {what}, at most {end_s - now_s:.0f} s more", style="dim")
            self._sleep(_POLL_SECONDS)
