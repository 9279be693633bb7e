"""Retries: an attempt is repeated a limited number of times, with growing pauses, until a deadline.

The module reads no clock and sleeps nowhere: callers give both.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeVar

Result = TypeVar("Result")
Error = TypeVar("Error", bound=Exception)

_MAX_DOUBLINGS: Final = 30
"""Limit of the exponent, so that the longest sequence of attempts gives no number beyond a float."""


class NotDone(Enum):
    """Result of an attempt that has to be repeated; an enumeration, so that type checkers tell it from a result."""

    NOT_DONE = "not done"


NOT_DONE: Final = NotDone.NOT_DONE


@dataclass(frozen=True, slots=True)
class Backoff:
    """Random pauses whose limit doubles with each repeat, so that callers that collided do not collide again.

    Attributes:
        sleep: waits for so many seconds.
        random: returns a number from 0 to 1, without 1.
        first_s, longest_s: limit of the first pause, and of every pause.
        least_share: shortest pause as a share of its limit; with 1, pauses are not random.
    """

    sleep: Callable[[float], None]
    random: Callable[[], float]
    first_s: float
    longest_s: float
    least_share: float = 0.0

    def pause_s(self, repeat: int) -> float:
        """Return the seconds of the pause before this repeat; the first repeat is number 0."""
        limit = min(self.longest_s, self.first_s * 2 ** min(repeat, _MAX_DOUBLINGS))
        return limit * (self.least_share + (1 - self.least_share) * self.random())


def _no_deadline(_pause_s: float) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Limits of the attempts.

    Attributes:
        attempts: limit of attempts, the first included; None for no limit but the deadline's.
        backoff: pauses between them; None for none.
        has_time: returns whether the deadline allows a pause of so many seconds.
    """

    attempts: int | None
    backoff: Backoff | None = None
    has_time: Callable[[float], bool] = _no_deadline


class RetryBudget:
    """Repeats that are left under a policy; for loops whose attempts share one limit over several requests."""

    def __init__(self, policy: RetryPolicy) -> None:
        self._policy = policy
        self._repeats = 0

    @property
    def is_spent(self) -> bool:
        """Return whether no attempt is left."""
        return self._policy.attempts is not None and self._repeats + 1 >= self._policy.attempts

    def take(self) -> bool:
        """Pause before the next attempt; return False at once when attempts or time are spent."""
        backoff = self._policy.backoff
        pause_s = 0.0 if backoff is None else backoff.pause_s(self._repeats)
        if self.is_spent or not self._policy.has_time(pause_s):
            return False
        self._repeats += 1
        if backoff is not None:
            backoff.sleep(pause_s)
        return True


def _is_repeatable(_error: Exception) -> bool:
    return True


def retry_on(
    error: type[Error] | tuple[type[Error], ...],
    attempt: Callable[[], Result],
    policy: RetryPolicy,
    is_repeatable: Callable[[Error], bool] = _is_repeatable,
) -> Result:
    """Return the result of the first attempt that does not raise `error`.

    Args:
        error: kinds of exceptions after which the attempt is repeated.
        attempt: function to call.
        policy: limits of the attempts.
        is_repeatable: returns whether to repeat after this very exception; not called when no attempt is left.

    Raises:
        Exception: that of the last attempt, or one that is not repeatable.
    """
    budget = RetryBudget(policy)
    while True:
        try:
            return attempt()
        except error as failure:
            if budget.is_spent or not is_repeatable(failure) or not budget.take():
                raise


def retry_until_done(attempt: Callable[[], Result | NotDone], policy: RetryPolicy) -> Result | NotDone:
    """Return the result of the first attempt that does not return `NOT_DONE`; that one when no attempt is left."""
    budget = RetryBudget(policy)
    while (result := attempt()) is NOT_DONE and budget.take():
        pass
    return result
