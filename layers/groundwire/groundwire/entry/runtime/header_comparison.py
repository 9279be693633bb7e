"""Comparison of the identity headers that a function received with the context from which the gateway writes them.

No decision depends on these headers. The counts are for the operator: only they tell that the gateway of an account
overwrites what a client sent, because whoever sent it sees the same response either way.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import DomainError
from groundwire.entry.http.authorizer_context import are_headers_overwritten

if TYPE_CHECKING:
    from groundwire.entry.runtime.telemetry import Telemetry
    from groundwire.ports import Clock, HeaderChecks

COUNT_HEADER: Final = "x-count-identity-headers"
"""Header by which an admitted caller asks that its call is counted also where nothing differs."""


class HeaderComparison:
    """Counts admitted calls with other identity headers than the authorizer's; other calls cost no request."""

    def __init__(self, checks: "HeaderChecks", clock: "Clock", telemetry: "Telemetry") -> None:
        self._checks = checks
        self._clock = clock
        self._telemetry = telemetry

    def compare(self, tenant: str, event: Mapping[str, object], headers: Mapping[str, str]) -> None:
        """Compare an admitted call's headers (by lower-case name); an error is logged, and the call continues."""
        is_different = not are_headers_overwritten(event, headers)
        if not is_different and COUNT_HEADER not in headers:
            return
        try:
            self._checks.record(tenant, self._clock(), is_different=is_different)
        except DomainError as error:
            self._telemetry.error(f"The identity headers of a call could not be counted: {error}")
