"""State of a source between calls: rate, circuit breaker, protocol and time of the last listing of its tools.

The transitions are pure; a store keeps the state, so that all processes of a server share it.
"""

from typing import Final, NamedTuple

from groundwire.domain.keys.rate_limit import RateExceeded, spend
from groundwire.domain.limits import (
    SOURCE_BURST,
    SOURCE_CALLS_PER_MINUTE,
    SOURCE_FAILURES,
    SOURCE_LISTING_SECONDS,
    SOURCE_PAUSE_SECONDS,
)

_LONGEST_PAUSE_FACTOR: Final = 16


class SourceState(NamedTuple):
    """State of a source.

    Attributes:
        arrival_time: theoretical arrival time of its rate limit, epoch seconds; None before the first call.
        failures: calls without an answer since the last answer.
        closed_until: no call is made before this time, epoch seconds; 0: the circuit is closed.
        protocol: version of the protocol that its server uses; None: unknown.
        listed_at: time of the last listing of its tools, epoch seconds; 0: never.
    """

    arrival_time: float | None = None
    failures: int = 0
    closed_until: float = 0.0
    protocol: str | None = None
    listed_at: float = 0.0

    def needs_listing(self, now: float) -> bool:
        """Return whether the tools must be listed before a call, since the last listing is old."""
        # Below 0 the clock went back: the age is unknown, and the tools are listed again.
        return not 0 <= now - self.listed_at < SOURCE_LISTING_SECONDS


class CircuitOpen(NamedTuple):
    """Result that denies a call: the source's server did not answer repeatedly.

    Attributes:
        retry_after_seconds: time until a call is made again.
    """

    retry_after_seconds: float


def admit_call(state: SourceState, now: float) -> SourceState | RateExceeded | CircuitOpen:
    """Return the state with one more call, or why it is not made."""
    if now < state.closed_until:
        return CircuitOpen(state.closed_until - now)
    spent = spend(state.arrival_time, now, SOURCE_CALLS_PER_MINUTE, SOURCE_BURST)
    return spent if isinstance(spent, RateExceeded) else state._replace(arrival_time=spent.arrival_time)


def after_failure(state: SourceState, now: float) -> SourceState:
    """Return the state after a call without an answer; each one beyond `SOURCE_FAILURES` doubles the pause."""
    failures = state.failures + 1
    if failures < SOURCE_FAILURES:
        return state._replace(failures=failures)
    # The inner bound avoids huge powers, since a server that is gone may fail for years.
    factor = min(2 ** min(failures - SOURCE_FAILURES, 8), _LONGEST_PAUSE_FACTOR)
    return state._replace(failures=failures, closed_until=now + SOURCE_PAUSE_SECONDS * factor)


def after_answer(state: SourceState, protocol: str) -> SourceState:
    """Return the state after an answer in this version of the protocol."""
    return state._replace(failures=0, closed_until=0.0, protocol=protocol)
