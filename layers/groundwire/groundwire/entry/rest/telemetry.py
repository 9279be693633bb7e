"""The function's logs and metrics."""

from functools import cache

from groundwire.entry.runtime.telemetry import Telemetry


@cache
def telemetry() -> Telemetry:
    """Of this function, made with the first call."""
    return Telemetry("api")
