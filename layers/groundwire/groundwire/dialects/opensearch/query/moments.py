"""Dates and points in time of queries, as the days between which they lie."""

import re
from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

from groundwire.domain.filters.expression import Operator
from groundwire.domain.filters.moments import utc_moment

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MONTH: Final = re.compile(r"([0-9]{4})-([0-9]{2})")
_YEAR: Final = re.compile(r"[0-9]{4}")
_MILLISECONDS: Final = re.compile(r"-?[0-9]{1,15}")
_MOMENT: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?:\.([0-9]{1,9}))?(Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_MILLISECONDS: Final = 86_400_000


class DatePeriod(NamedTuple):
    """A date or a point in time in UTC.

    Attributes:
        first, last: days of the period: of a month or a year several, else one.
        is_whole: it begins with its first day; a later point of a day does not.
    """

    first: date
    last: date
    is_whole: bool = True

    @property
    def is_day(self) -> bool:
        """Return whether a stored day can be equal to it."""
        return self.is_whole and self.first == self.last

    def order(self, operator: Operator) -> tuple[Operator, date]:
        """Return the order of a stored day that is its order to this moment; a period begins and ends as it is long."""
        match operator:
            case Operator.GT:
                return operator, self.last
            case Operator.GE:
                return (operator if self.is_whole else Operator.GT), self.first
            case Operator.LT:
                return (operator if self.is_whole else Operator.LE), self.first
            case _:
                return operator, self.last


def parse_moment(text: str) -> DatePeriod | None:
    """Return the moment of a text: a year, month or day, point in time, or milliseconds since 1970; None for others."""
    try:
        if _DAY.fullmatch(text):
            return _day(date.fromisoformat(text))
        if (found := _MONTH.fullmatch(text)) is not None:
            year, month = int(found[1]), int(found[2])
            return DatePeriod(date(year, month, 1), date(year, month, monthrange(year, month)[1]))
        if _YEAR.fullmatch(text):
            return DatePeriod(date(int(text), 1, 1), date(int(text), 12, 31))
        # After the year: the engine, too, reads four digits as a year.
        if _MILLISECONDS.fullmatch(text):
            return moment_of_milliseconds(int(text))
        if (found := _MOMENT.fullmatch(text)) is not None:
            moment = utc_moment(found[1] + (found[3] or "Z"), found[2])
            return DatePeriod(moment.day, moment.day, moment.is_midnight)
    except ValueError:
        pass
    return None


def moment_of_milliseconds(milliseconds: int) -> DatePeriod | None:
    """Return the moment of milliseconds since 1970, as sort values and buckets have it; None outside the calendar."""
    try:
        day = (_EPOCH + timedelta(days=milliseconds // _DAY_MILLISECONDS)).date()
    except OverflowError:
        return None
    return DatePeriod(day, day, milliseconds % _DAY_MILLISECONDS == 0)


def _day(day: date) -> DatePeriod:
    return DatePeriod(day, day)
