"""Calls to sources within the limits that all processes of a server share: rate, circuit breaker, pinned tools."""

from contextlib import suppress
from math import ceil
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import LimitExceeded, Unavailable
from groundwire.domain.keys.fairness.work import Work
from groundwire.domain.keys.rate_limit import RateExceeded
from groundwire.domain.limits import SOURCE_VALIDATION_SECONDS
from groundwire.domain.sources.state import (
    CircuitOpen,
    SourceCaller,
    SourceState,
    admit_call,
    after_answer,
    after_failed_call,
    after_failed_listing,
    is_changed_by_answer,
)
from groundwire.ports.deadline import outside, remaining_seconds, time_limit
from groundwire.ports.sources import SourceClient, SourceToolChanged, SourceUnavailable
from groundwire_egress.mcp_client.calls import SourceAnswer, SourceListing, SourceTarget, SourceToolCall
from groundwire_egress.mcp_client.limits import SOURCE_CALL_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.ports.system import Clock
    from groundwire.services.sources.states import SourceStates

_LEAST_SECONDS: Final = 0.1
_COUNTED_SECONDS: Final = 3.0
"""Least time of a request whose failure counts: a server that had less, after waits of its caller, may well work."""
_CHANGED: Final = "The tool was not called: its server changed the declaration since an administrator accepted it."


class GuardedSources:
    """Implements `ports.sources.SourceGateway` by a client and the stored states of sources.

    Args:
        clock: epoch seconds.
    """

    def __init__(self, client: SourceClient, states: "SourceStates", clock: "Clock") -> None:
        self._client = client
        self._states = states
        self._clock = clock

    def inspect(self, target: SourceTarget) -> SourceListing:
        """Return the tools of the source's server; nothing is stored, as the source may not be either.

        Raises:
            SourceUnavailable: the server does not answer as an MCP server in time.
            SignInRequired: the credential needs a user's token, which the target has not.
        """
        with time_limit(SOURCE_VALIDATION_SECONDS), outside(Work.SOURCE):
            return self._client.list_tools(target, None, _seconds_left(SOURCE_VALIDATION_SECONDS))

    def call(self, target: SourceTarget, call: SourceToolCall, caller: SourceCaller) -> SourceAnswer:
        """Return the result of a tool.

        Raises:
            SourceUnavailable: the server does not answer in time, or did not answer repeatedly before.
            SourceToolChanged: it declares the tool differently than accepted.
            SignInRequired: the credential needs a user's token, which the target has not.
            LimitExceeded: the source was called too often.
        """
        with time_limit(SOURCE_CALL_SECONDS), outside(Work.SOURCE):
            _seconds_left(SOURCE_CALL_SECONDS)
            state = self._admit(target, caller)
            protocol = self._check_tool(target, call, state)
            seconds = _seconds_left(SOURCE_CALL_SECONDS)
            try:
                answer = self._client.call_tool(target, call, protocol, seconds)
            # A refused credential is an answer of the server, so it does not open the circuit.
            except SourceUnavailable:
                self._record_failure(target, seconds, lambda stored: after_failed_call(stored, caller, self._clock()))
                raise
        if is_changed_by_answer(state, caller, answer.protocol):
            self._record(target, lambda stored: after_answer(stored, caller, answer.protocol, self._clock()))
        return answer

    def _record_failure(
        self, target: SourceTarget, seconds: float, change: "Callable[[SourceState], SourceState]"
    ) -> None:
        """Store the failure of a request, unless it had less time than a server needs."""
        if seconds >= _COUNTED_SECONDS:
            self._record(target, change)

    def _record(self, target: SourceTarget, change: "Callable[[SourceState], SourceState]") -> None:
        """Store the outcome of a call, of a source that still has a state; the call is not lost where that fails."""
        with suppress(Unavailable):
            self._states.change(target.tenant, target.source_id, change, creates=False)

    def _admit(self, target: SourceTarget, caller: SourceCaller) -> SourceState:
        """Count the call and return the state.

        Raises:
            LimitExceeded: the source was called too often.
            SourceUnavailable: its server did not answer repeatedly, everybody or this caller.
        """
        # A list, because the function below is called again after a concurrent change.
        denials: list[RateExceeded | CircuitOpen] = []

        def admit(state: SourceState) -> SourceState | None:
            admitted = admit_call(state, caller, self._clock())
            if isinstance(admitted, SourceState):
                return admitted
            denials.append(admitted)
            return None

        state = self._change(target, admit)
        if state is not None:
            return state
        denial, seconds = denials[-1], max(1, ceil(denials[-1].retry_after_seconds))
        if isinstance(denial, RateExceeded):
            raise LimitExceeded(
                "The source was not called, because it has been called too often. Try again later.", seconds
            )
        failed = "its server has failed" if denial.is_for_all else "your calls to its server have failed"
        raise SourceUnavailable(f"The source was not called, because {failed} repeatedly. Try again later.", seconds)

    def _check_tool(self, target: SourceTarget, call: SourceToolCall, state: SourceState) -> str | None:
        """Check the tool against the declarations and return the version of the protocol; None: unknown.

        Raises:
            SourceUnavailable: the server lists no tools, or no time is left.
            SourceToolChanged: it declares the tool differently than accepted.
        """
        protocol = state.protocol
        if state.needs_listing(self._clock()):
            seconds = _seconds_left(SOURCE_CALL_SECONDS)
            try:
                listing = self._client.list_tools(target, protocol, seconds)
            except SourceUnavailable:
                self._record_failure(target, seconds, lambda stored: after_failed_listing(stored, self._clock()))
                raise
            tools = self._states.store_listing(target.tenant, target.source_id, listing)
            protocol = listing.protocol
        else:
            # Another call may have listed the tools since the caller of this one looked.
            tools = self._states.listing(target.tenant, target.source_id)
        if call.tool not in tools or tools[call.tool].digest != call.digest:
            raise SourceToolChanged(_CHANGED)
        return protocol

    def _change(
        self, target: SourceTarget, change: "Callable[[SourceState], SourceState | None]"
    ) -> SourceState | None:
        return self._states.change(target.tenant, target.source_id, change, creates=True)


def _seconds_left(limit: float) -> float:
    """Return the time for the next request.

    Raises:
        SourceUnavailable: the waits before used it up, which is no failure of the source.
    """
    seconds = remaining_seconds(limit)
    if seconds < _LEAST_SECONDS:
        raise SourceUnavailable("The time limit of the call is over, so the source was not called. Try again later.", 1)
    return seconds
