"""Moments as a calendar has them."""

import math
from datetime import UTC, datetime


def utc_datetime(seconds: float) -> datetime | None:
    """Return the whole second of a moment in epoch seconds, in UTC; None where the years 1 to 9999 do not hold it."""
    try:
        return datetime.fromtimestamp(math.floor(seconds), UTC)
    except (OverflowError, ValueError, OSError):
        return None
