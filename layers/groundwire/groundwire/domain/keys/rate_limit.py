"""How fast a key may call: the generic cell rate algorithm, arithmetic only.

One number is kept per key, the theoretical arrival time (`tat`): the moment at which an evenly spaced
caller would have used up what was admitted so far. Stores apply `spend` within one atomic step.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RateAllowed:
    """The call is admitted; true in a condition.

    Attributes:
        arrival_time: what the store must keep, epoch seconds.
    """

    arrival_time: float

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class RateExceeded:
    """The call is over the limit and spends nothing; false in a condition.

    Attributes:
        retry_after_seconds: the earliest moment at which a repeat is admitted, counted from now; above 0.
    """

    retry_after_seconds: float

    def __bool__(self) -> bool:
        return False


def spend(arrival_time: float | None, now: float, rate_per_minute: int, burst: int) -> RateAllowed | RateExceeded:
    """Whether one more call at `now` is within the rate; within t seconds at most `burst + rate * t` are.

    Args:
        arrival_time: as kept by the last admitted call, epoch seconds; None before the first one.
        now: epoch seconds; a clock that went backwards only delays, it never admits more.
        rate_per_minute: sustained calls per minute, at least 1.
        burst: how many may come at once after a pause, at least 1.
    """
    step = 60.0 / rate_per_minute
    if arrival_time is None or arrival_time <= now:
        return RateAllowed(now + step)
    # Both sides stay near epoch time, so that `now + seconds` is this very moment, without rounding.
    earliest = arrival_time - step * (burst - 1)
    return RateAllowed(arrival_time + step) if earliest <= now else RateExceeded(earliest - now)
