"""Rate limit of a key or a tenant: the generic cell rate algorithm (GCRA), arithmetic only.

A store keeps one number per key, the theoretical arrival time (`tat`): the time at which an evenly spaced caller would
have used the calls admitted so far. Stores apply `spend` within one atomic step.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RateAllowed:
    """Result that admits the call; true in a condition.

    Attributes:
        arrival_time: theoretical arrival time that the store must keep, epoch seconds.
    """

    arrival_time: float

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class RateExceeded:
    """Result that denies the call, which then is not counted; false in a condition.

    Attributes:
        retry_after_seconds: seconds until the earliest repeat that is admitted; above 0.
    """

    retry_after_seconds: float

    def __bool__(self) -> bool:
        return False


def spend(arrival_time: float | None, now: float, rate_per_minute: int, burst: int) -> RateAllowed | RateExceeded:
    """Decide whether one more call at `now` is within the rate; within t seconds at most `burst + rate * t` are.

    Args:
        arrival_time: theoretical arrival time after the last admitted call, epoch seconds; None before the first one.
        now: epoch seconds; a clock that went backwards only delays, it never admits more.
        rate_per_minute: sustained calls per minute, at least 1.
        burst: calls admitted at once after a pause, at least 1.
    """
    step = 60.0 / rate_per_minute
    if arrival_time is None or arrival_time <= now:
        return RateAllowed(now + step)
    # Both operands are near epoch time, so that `now + retry_after_seconds` is exactly `earliest`, without rounding.
    earliest = arrival_time - step * (burst - 1)
    return RateAllowed(arrival_time + step) if earliest <= now else RateExceeded(earliest - now)
