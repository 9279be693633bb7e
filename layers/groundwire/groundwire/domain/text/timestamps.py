"""Epoch seconds as UTC dates and times."""

import math
from datetime import UTC, datetime


def utc_datetime(seconds: float) -> datetime | None:
    """Return epoch seconds as UTC, rounded down to the second; None outside the years 1 to 9999."""
    try:
        return datetime.fromtimestamp(math.floor(seconds), UTC)
    # Which of them is raised depends on the C library of the platform.
    except (OverflowError, ValueError, OSError):
        return None
