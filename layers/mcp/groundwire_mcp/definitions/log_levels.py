"""Severities of the messages that a client may want."""

from typing import Final, Literal, TypeAlias

LogLevel: TypeAlias = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
LOG_LEVELS: Final[tuple[LogLevel, ...]] = (
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
)
"""Log levels of RFC 5424, least severe first."""


def parse_log_level(value: object) -> LogLevel | None:
    """Return the level of this name; None if it is missing."""
    return next((level for level in LOG_LEVELS if level == value), None)
