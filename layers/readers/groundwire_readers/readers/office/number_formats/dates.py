"""Dates, times and durations of a number format.

A date is as shown if its text tells day, month and century. Otherwise it is an ISO date, such as for `m/d/yy`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from groundwire_readers.readers.office.number_formats.digits import shown_literal
from groundwire_readers.readers.office.number_formats.tokens import Section, Token, TokenKind

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS: Final = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_DAY_MS: Final = 86_400_000
_EPOCH_1900, _EPOCH_1904 = date(1899, 12, 30), date(1904, 1, 1)
_LAST_DAY_1900, _LAST_DAY_1904 = 2_958_465, 2_957_003
"""Serial number of 31 December 9999."""
_LEAP_DAY: Final = 60
"""Serial number of 29 February 1900, a day that only Excel has."""
_LONG_DATE, _LONG_TIME = 0xF800, 0xF400
"""Locale identifiers for the long date and the time of the viewer's system."""
_ENGLISH: Final = (0, 0x09)
_MILLISECOND_PLACES: Final = 3
_SHORT, _INITIAL = 3, 5
_FULL_YEAR: Final = 3
"""Letters from which a year has four digits."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date and time of a workbook: its day in words of a calendar, and milliseconds in all."""

    year: int
    month: int
    day: int
    weekday: int
    total: int

    @property
    def iso(self) -> str:
        """Date in the form of ISO 8601."""
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"


@dataclass(frozen=True, slots=True)
class DateLayout:
    """A section with a date or a time.

    Attributes:
        tokens: its tokens; minutes are "n" instead of "m", and the places of a second's decimals one DIGIT token.
        unit: milliseconds that the time is rounded to; a clock without decimals is not rounded.
        has_half_days: whether hours count to twelve.
        iso_range: positions (first, end) of the tokens that an ISO date stands for; None if all are as shown.
    """

    tokens: tuple[Token, ...]
    unit: int
    has_half_days: bool
    iso_range: tuple[int, int] | None


def date_layout(section: Section) -> DateLayout:
    """Return the layout of a section with a date or a time."""
    tokens = _with_minutes(_with_decimals(section.tokens))
    if section.locale & 0xFFFF == _LONG_TIME:
        tokens = [token for token in tokens if token.kind is not TokenKind.DATE or token.text[0] in "hns"]
    return DateLayout(
        tuple(tokens),
        _unit(tokens),
        any(token.kind is TokenKind.HALF_DAY for token in tokens),
        _iso_range(tokens, section.locale & 0xFFFF),
    )


def _unit(tokens: Sequence[Token]) -> int:
    places = max((len(token.text) - 1 for token in tokens if token.kind is TokenKind.DIGIT), default=0)
    is_elapsed = any(token.kind is TokenKind.ELAPSED for token in tokens)
    has_seconds = any(_letter(token) == "s" for token in tokens)
    return 10 ** max(0, _MILLISECOND_PLACES - places) if has_seconds and (places or is_elapsed) else 1


def _letter(token: Token) -> str:
    return token.text[0] if token.kind in (TokenKind.DATE, TokenKind.ELAPSED) else ""


def _is_date(token: Token) -> bool:
    return token.kind is TokenKind.DATE and token.text[0] not in "hns"


def _with_decimals(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens with a point and the zeros after it as one token, such as ".000"."""
    places = ""
    for token, following in zip(tokens, [*tokens[1:], Token(TokenKind.END, "")], strict=True):
        if token.kind is TokenKind.POINT and following.kind is TokenKind.DIGIT:
            places = "."
        elif token.kind is TokenKind.DIGIT and places:
            places += "0"
        else:
            yield token
        if places and token.kind is TokenKind.DIGIT and following.kind is not TokenKind.DIGIT:
            yield Token(TokenKind.DIGIT, places)
            places = ""


def _with_minutes(tokens: Iterator[Token]) -> list[Token]:
    """Return the tokens with minutes as "n": an "m" after hours or before seconds."""
    found = list(tokens)
    parts = [position for position, token in enumerate(found) if _letter(token)]
    for at, position in enumerate(parts):
        token = found[position]
        if token.kind is TokenKind.DATE and token.text in ("m", "mm"):
            before = _letter(found[parts[at - 1]]) if at else ""
            after = _letter(found[parts[at + 1]]) if at + 1 < len(parts) else ""
            if before == "h" or after == "s":
                found[position] = Token(token.kind, "n" * len(token.text))
        elif token.kind is TokenKind.ELAPSED and token.text[0] == "m":
            found[position] = Token(token.kind, "n" * len(token.text))
    return found


def _iso_range(tokens: Sequence[Token], locale: int) -> tuple[int, int] | None:
    """Return the range of the date if its text leaves the day, the month or the century open."""
    places = [position for position, token in enumerate(tokens) if _is_date(token)]
    if not places or (locale != _LONG_DATE and _is_certain([tokens[position].text for position in places], locale)):
        return None
    return places[0], places[-1] + 1


def _is_certain(parts: Sequence[str], locale: int) -> bool:
    numbers = [part for part in parts if not _is_name(part)]
    names = [part for part in parts if _is_name(part)]
    has_month_name = any(part[0] == "m" for part in names)
    order = "".join(part[0] for part in numbers)
    has_year = any(part[0] == "y" and len(part) >= _FULL_YEAR for part in numbers)
    is_ordered = order in ("y", "ym", "my", "ymd") or (has_month_name and order in ("dy", "yd", "y"))
    is_english = not names or locale & 0x3FF in _ENGLISH
    return has_year and is_ordered and is_english and all(len(part) != _INITIAL or part[0] != "m" for part in parts)


def _is_name(part: str) -> bool:
    return part[0] in "md" and len(part) >= _SHORT


def date_text(layout: DateLayout, serial: float, *, is_1904: bool) -> str | None:
    """Return the text of a serial number; None if it is no date of the calendar."""
    has_date = any(_is_date(token) for token in layout.tokens)
    if serial < 0 and not has_date:
        text = date_text(layout, -serial, is_1904=is_1904)
        return None if text is None else f"-{text}"
    moment = _moment(serial, layout.unit, is_1904=is_1904)
    if moment is None:
        return None
    first, end = layout.iso_range or (0, 0)
    tokens = layout.tokens
    if not end:
        return "".join(_shown(token, moment, layout) for token in tokens)
    pieces = [_shown(token, moment, layout) for token in tokens[:first]]
    # Times within the range of the date are kept behind it.
    inner = [token for token in tokens[first:end] if _letter(token) in ("h", "n", "s")]
    pieces += [moment.iso, " " if inner else "", ":".join(_shown(token, moment, layout) for token in inner)]
    return "".join([*pieces, *(_shown(token, moment, layout) for token in tokens[end:])])


def _moment(serial: float, unit: int, *, is_1904: bool) -> Moment | None:
    last = _LAST_DAY_1904 if is_1904 else _LAST_DAY_1900
    if not 0 <= serial < last + 1:
        return None
    total = (int(serial * _DAY_MS + 0.5) + unit // 2) // unit * unit
    days = min(total // _DAY_MS, last)
    if not is_1904 and days in (0, _LEAP_DAY):
        return Moment(1900, 2 if days else 1, 29 if days else 0, 2 if days else 5, total)
    # Before the day that never was, serial numbers are one day behind.
    offset = 1 if not is_1904 and days < _LEAP_DAY else 0
    day = (_EPOCH_1904 if is_1904 else _EPOCH_1900) + timedelta(days=days + offset)
    return Moment(day.year, day.month, day.day, day.weekday(), total)


def _shown(token: Token, moment: Moment, layout: DateLayout) -> str:
    if token.kind is TokenKind.ELAPSED:
        unit = {"h": 3_600_000, "n": 60_000, "s": 1_000}[token.text[0]]
        return f"{moment.total // unit:0{len(token.text)}d}"
    if token.kind is TokenKind.DIGIT:
        return token.text[0] + f"{moment.total % 1_000:03d}"[: len(token.text) - 1].ljust(len(token.text) - 1, "0")
    hour = moment.total % _DAY_MS // 3_600_000
    if token.kind is TokenKind.HALF_DAY:
        return token.text.split("/")[hour >= 12]  # noqa: PLR2004 - noon
    return _of_date(token.text, moment, hour, layout) if token.kind is TokenKind.DATE else shown_literal(token)


def _of_date(text: str, moment: Moment, hour: int, layout: DateLayout) -> str:
    letter, length = text[0], len(text)
    if letter in "md" and length >= _SHORT:
        name = _MONTHS[moment.month - 1] if letter == "m" else _DAYS[moment.weekday]
        return name[:_SHORT] if length == _SHORT else name[0] if letter == "m" and length == _INITIAL else name
    if letter == "y":
        return f"{moment.year:04d}" if length >= _FULL_YEAR else f"{moment.year % 100:02d}"
    numbers = {
        "m": moment.month,
        "d": moment.day,
        "h": (hour + 11) % 12 + 1 if layout.has_half_days else hour,
        "n": moment.total // 60_000 % 60,
        "s": moment.total // 1_000 % 60,
    }
    return f"{numbers[letter]:0{min(length, 2)}d}" if letter in numbers else ""
