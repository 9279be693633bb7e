"""Points in time in filters, and their order to stored dates, each of which is its day's beginning in UTC."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Final

from groundwire.domain.filters.value_tests import Operator


@dataclass(frozen=True, slots=True)
class Moment:
    """Point in time, by its day in UTC.

    Attributes:
        is_midnight: it is the day's beginning, which is the time that a stored date has.
    """

    day: date
    is_midnight: bool

    def day_operator(self, operator: Operator) -> Operator:
        """Return the order of a date to the day that is the date's order to this point in time."""
        return operator if self.is_midnight else _AFTER_MIDNIGHT[operator]


def utc_moment(text: str, fraction: str | None) -> Moment:
    """Return the point in time of an ISO text with a zone.

    Args:
        text: date, time without fractions of a second, and zone.
        fraction: digits of the fraction of a second, of any number.

    Raises:
        ValueError: a part is not valid, or the day in UTC is outside the years 1 to 9999.
    """
    try:
        moment = datetime.fromisoformat(text).astimezone(UTC)
    # The zone can move a day out of the calendar.
    except OverflowError:
        raise ValueError(text) from None
    # Digits beyond Python's microseconds also make a moment later than midnight.
    return Moment(moment.date(), moment.time() == time() and not (fraction or "").strip("0"))


_AFTER_MIDNIGHT: Final = {
    Operator.LT: Operator.LE,
    Operator.LE: Operator.LE,
    Operator.GT: Operator.GT,
    Operator.GE: Operator.GT,
}
