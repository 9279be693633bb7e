"""Logs and metrics of the REST function."""

from functools import cache

from groundwire.entry.runtime.telemetry import Telemetry


@cache
def telemetry() -> Telemetry:
    """Return the function's telemetry, created by the first call."""
    return Telemetry("api")
