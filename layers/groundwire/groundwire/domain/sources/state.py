"""State of a source between calls: rates, circuit breakers, protocol and time of the last listing of its tools.

The transitions are pure; a store keeps the state, so that all processes of a server share it. A failed call opens the
circuit of its caller alone, because the caller's own input may have caused it. Only a failed listing of the tools,
which nobody's input changes, opens the circuit for all.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.keys.grants import KeyKind
from groundwire.domain.keys.rate_limit import RateExceeded, spend
from groundwire.domain.limits import (
    SOURCE_BURST,
    SOURCE_CALLS_PER_MINUTE,
    SOURCE_FAILURES,
    SOURCE_LISTING_SECONDS,
    SOURCE_PAUSE_SECONDS,
)

if TYPE_CHECKING:
    from groundwire.domain.keys.caller import Caller

_LONGEST_PAUSE_FACTOR: Final = 16
_LEAST_PARTS: Final = 2
"""Parts of a rate: one is left for others, however few there are."""
_MAX_CALLERS: Final = 64
"""Callers that a state holds: those who called last, in some 5 kB."""
_UNKNOWN_USERS: Final = "*"


class SourceCaller(NamedTuple):
    """Caller of a source, by hashes: a state names neither keys nor users.

    Attributes:
        key: of a personal key or a signed-in user, else the key that acts for its users.
        user: whom such a key names; None for the others.
        is_known: whether the directory or a token knows the user; else the key could have invented the name.
    """

    key: str
    user: str | None
    is_known: bool

    @classmethod
    def of(cls, caller: "Caller") -> "SourceCaller":
        """Return the caller as sources know it."""
        user = _hash(f"{caller.kid}\0{caller.principal.user or ''}")
        if caller.kind is not KeyKind.ACT_AS:
            return cls(user, None, is_known=True)
        return cls(_hash(caller.kid), user, is_known=caller.has_known_user)

    @property
    def name(self) -> str:
        """Return the entry of the caller: the user's, or the key's."""
        return self.key if self.user is None else f"{self.key}.{self.user}"

    @property
    def rate_name(self) -> str:
        """Return the entry with the caller's part of the rate: one for all names that a key could have invented."""
        return self.name if self.is_known else f"{self.key}.{_UNKNOWN_USERS}"


class CallerState(NamedTuple):
    """State of a key or a user at one source.

    Attributes:
        failures: calls without an answer since the last answer.
        closed_until: no call is made before this time, epoch seconds.
        arrival_time: theoretical arrival time within its part of the rate; None before the first call.
    """

    failures: int = 0
    closed_until: float = 0.0
    arrival_time: float | None = None


class SourceState(NamedTuple):
    """State of a source.

    Attributes:
        arrival_time: theoretical arrival time of its rate limit, epoch seconds; None before the first call.
        failures: calls and listings without an answer since the last answer, of all callers.
        closed_until: no call is made before this time, epoch seconds; 0: the circuit is closed.
        protocol: version of the protocol that its server uses; None: unknown.
        listed_at: time of the last listing of its tools, epoch seconds; 0: never.
        callers: state of each key and user that called.
    """

    arrival_time: float | None = None
    failures: int = 0
    closed_until: float = 0.0
    protocol: str | None = None
    listed_at: float = 0.0
    callers: Mapping[str, CallerState] = {}

    def needs_listing(self, now: float) -> bool:
        """Return whether the tools must be listed before a call, since the last listing is old."""
        # Below 0 the clock went back: the age is unknown, and the tools are listed again.
        return not 0 <= now - self.listed_at < SOURCE_LISTING_SECONDS

    def of(self, name: str) -> CallerState:
        """Return the state of a key or user."""
        return self.callers.get(name, CallerState())

    def with_caller(self, name: str, changed: CallerState, now: float) -> "SourceState":
        """Return the state with this one of a key or user; of too many, those who called last are kept."""
        callers = {**self.callers, name: changed}
        idle = [each for each, kept in callers.items() if _is_idle(kept, now)]
        for each in [*idle, *sorted(callers, key=lambda each: callers[each].arrival_time or 0.0)]:
            if len(callers) <= _MAX_CALLERS and each not in idle:
                break
            callers.pop(each, None)
        return self._replace(callers=callers)


class CircuitOpen(NamedTuple):
    """Result that denies a call: the source's server did not answer repeatedly.

    Attributes:
        retry_after_seconds: time until a call is made again.
        is_for_all: the server failed for everybody, and not only for this caller.
    """

    retry_after_seconds: float
    is_for_all: bool


def admit_call(state: SourceState, caller: SourceCaller, now: float) -> SourceState | RateExceeded | CircuitOpen:
    """Return the state with one more call, or why it is not made."""
    if now < state.closed_until:
        return CircuitOpen(state.closed_until - now, is_for_all=True)
    if now < (own := state.of(caller.name)).closed_until:
        return CircuitOpen(own.closed_until - now, is_for_all=False)
    key_parts = _parts(state, "", caller.key, now)
    admitted = _spend_part(state, caller.key, key_parts, now)
    if caller.user is not None and isinstance(admitted, SourceState):
        users = _parts(state, f"{caller.key}.", caller.rate_name, now)
        admitted = _spend_part(admitted, caller.rate_name, key_parts * users, now)
    if isinstance(admitted, RateExceeded):
        return admitted
    spent = spend(state.arrival_time, now, SOURCE_CALLS_PER_MINUTE, SOURCE_BURST)
    return spent if isinstance(spent, RateExceeded) else admitted._replace(arrival_time=spent.arrival_time)


def after_failed_listing(state: SourceState, now: float) -> SourceState:
    """Return the state after the server listed no tools; each failure beyond `SOURCE_FAILURES` doubles the pause."""
    failures = state.failures + 1
    return state._replace(failures=failures, closed_until=_closed_until(failures, state.closed_until, now))


def after_failed_call(state: SourceState, caller: SourceCaller, now: float) -> SourceState:
    """Return the state after a call without an answer: the caller has a pause after `SOURCE_FAILURES` of them.

    After as many of any callers, the next call lists the tools first, which shows whether the server fails for all.
    """
    own, failures = state.of(caller.name), state.failures + 1
    changed = own._replace(
        failures=own.failures + 1, closed_until=_closed_until(own.failures + 1, own.closed_until, now)
    )
    listed_at = 0.0 if failures >= SOURCE_FAILURES else state.listed_at
    # One more failed listing stops calls to the source, for as long as if no call had failed.
    failures = min(failures, SOURCE_FAILURES - 1)
    return state.with_caller(caller.name, changed, now)._replace(failures=failures, listed_at=listed_at)


def after_listing(state: SourceState, protocol: str, now: float) -> SourceState:
    """Return the state after the server listed its tools: it works, whatever single callers receive."""
    return state._replace(failures=0, closed_until=0.0, protocol=protocol, listed_at=now)


def after_answer(state: SourceState, caller: SourceCaller, protocol: str, now: float) -> SourceState:
    """Return the state after an answer in this version of the protocol."""
    changed = state.of(caller.name)._replace(failures=0, closed_until=0.0)
    return state.with_caller(caller.name, changed, now)._replace(failures=0, closed_until=0.0, protocol=protocol)


def is_changed_by_answer(state: SourceState, caller: SourceCaller, protocol: str) -> bool:
    """Return whether an answer ends failures or shows another protocol; the usual one costs no write."""
    return bool(state.failures or state.closed_until or state.of(caller.name).failures or state.protocol != protocol)


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _closed_until(failures: int, closed_until: float, now: float) -> float:
    if failures < SOURCE_FAILURES:
        return closed_until
    # The inner bound avoids huge powers, since a server that no longer exists may fail for years.
    return now + SOURCE_PAUSE_SECONDS * min(2 ** min(failures - SOURCE_FAILURES, 8), _LONGEST_PAUSE_FACTOR)


def _is_idle(caller: CallerState, now: float) -> bool:
    return not caller.failures and caller.closed_until <= now and (caller.arrival_time or 0.0) <= now


def _parts(state: SourceState, prefix: str, own: str, now: float) -> int:
    """Return the number of parties that use the rate now, this one included: keys, or users of one key."""
    users = {
        name
        for name, kept in state.callers.items()
        if name.startswith(prefix) and "." not in name[len(prefix) :] and (kept.arrival_time or 0.0) > now
    }
    return max(_LEAST_PARTS, len(users | {own}))


def _spend_part(state: SourceState, name: str, parts: int, now: float) -> SourceState | RateExceeded:
    own = state.of(name)
    rate, burst = max(1, SOURCE_CALLS_PER_MINUTE // parts), max(1, SOURCE_BURST // parts)
    spent = spend(own.arrival_time, now, rate, burst)
    if isinstance(spent, RateExceeded):
        return spent
    return state.with_caller(name, own._replace(arrival_time=spent.arrival_time), now)
