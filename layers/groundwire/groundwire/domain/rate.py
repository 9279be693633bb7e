"""How fast a key may call: the generic cell rate algorithm, arithmetic only.

One number is kept per key, the theoretical arrival time (`tat`): the moment at which an evenly spaced
caller would have used up what was admitted so far. Stores apply `spend` within one atomic step.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spent:
    """The call is admitted; true in a condition.

    Attributes:
        tat: what the store must keep, epoch seconds.
    """

    tat: float

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Wait:
    """The call is over the limit and spends nothing; false in a condition.

    Attributes:
        seconds: the earliest moment at which a repeat is admitted, counted from now; above 0.
    """

    seconds: float

    def __bool__(self) -> bool:
        return False


def spend(tat: float | None, now: float, rate_per_minute: int, burst: int) -> Spent | Wait:
    """Whether one more call at `now` is within the rate; within t seconds at most `burst + rate * t` are.

    Args:
        tat: as kept by the last admitted call, epoch seconds; None before the first one.
        now: epoch seconds; a clock that went backwards only delays, it never admits more.
        rate_per_minute: sustained calls per minute, at least 1.
        burst: how many may come at once after a pause, at least 1.
    """
    step = 60.0 / rate_per_minute
    if tat is None or tat <= now:
        return Spent(now + step)
    # Both sides stay near epoch time, so that `now + seconds` is this very moment, without rounding.
    earliest = tat - step * (burst - 1)
    return Spent(tat + step) if earliest <= now else Wait(earliest - now)
