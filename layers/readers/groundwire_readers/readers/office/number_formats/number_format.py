"""A number format: the text that it shows for a number or a text."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from groundwire_readers.contents.raw_values import with_raw_value
from groundwire_readers.readers.office.number_formats.dates import DateLayout, date_layout, date_text
from groundwire_readers.readers.office.number_formats.digits import (
    FILL_MARK,
    DecimalLayout,
    decimal_layout,
    decimal_text,
    shown_literal,
)
from groundwire_readers.readers.office.number_formats.general import decimal_of, general_text
from groundwire_readers.readers.office.number_formats.quotients import FractionLayout, fraction_layout, fraction_text
from groundwire_readers.readers.office.number_formats.tokens import (
    MAX_CODE_CHARACTERS,
    Condition,
    Section,
    Token,
    TokenKind,
    sections_of,
)

_MAX_SECTIONS: Final = 4
_NUMBER_SECTIONS: Final = 3
"""Sections for positive, negative and zero numbers."""
_CACHED_FORMATS: Final = 1_000
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:E[+-]?\d{1,3})?", re.IGNORECASE | re.ASCII)
_FILLED: Final = re.compile(rf"(?<=\w){FILL_MARK}+(?=\w)")
_FINITE: Final = 1e308
_Layout = DecimalLayout | FractionLayout | DateLayout | None
_NEGATIVE: Final = Condition("<", 0.0)


class NumberFormat:
    """Rule by which a program shows a value: up to four sections, for positive, negative, zero numbers and texts.

    A format that no program accepts shows numbers as General does.
    """

    def __init__(self, code: str, *, is_1904: bool = False) -> None:
        """Read the format code; `is_1904` is whether the days of the workbook count from 1904."""
        sections = sections_of(code) if len(code) <= MAX_CODE_CHARACTERS else []
        if not sections or len(sections) > _MAX_SECTIONS:
            sections = sections_of("General")
        self._text: Section | None = None
        self._count = len(sections)
        if len(sections) == _MAX_SECTIONS or sections[-1].has(TokenKind.TEXT):
            self._text = sections.pop()
        self._numbers = [_NumberSection(section, is_1904=is_1904) for section in sections]
        self._conditions = _conditions(sections)
        self._shows_dates = any(section.shows_dates for section in self._numbers)

    @property
    def hides_numbers(self) -> bool:
        """Effect on numbers: true if a format such as ";;;" displays nothing for any."""
        return self._count > _NUMBER_SECTIONS - 1 and all(section.is_empty for section in self._numbers)

    @property
    def hides_texts(self) -> bool:
        """Effect on texts: true if the format displays nothing for them."""
        return self._count == _MAX_SECTIONS and self._text is not None and not _shows_any(self._text)

    def number_text(self, value: float) -> str:
        """Return the text that a number shows."""
        if not abs(value) < _FINITE:
            return str(value)
        for section, condition in zip(self._numbers, self._conditions, strict=True):
            if condition is None or condition.is_met(value):
                return _filled(section.text(value, shows_sign=not self._implies_sign(condition)))
        return general_text(value)

    def cell_text(self, value: float) -> str:
        """Return the text that a number shows, with the number marked where rounding hides some of its digits."""
        text = self.number_text(value)
        # The number of a day is no figure of the document.
        return text if self._shows_dates or not abs(value) < _FINITE else with_raw_value(text, decimal_of(value))

    def text_text(self, text: str) -> str:
        """Return the text that a text shows."""
        if self._text is None:
            return text
        tokens = self._text.tokens
        return _filled("".join(text if token.kind is TokenKind.TEXT else shown_literal(token) for token in tokens))

    def _implies_sign(self, condition: Condition | None) -> bool:
        if condition is not None:
            return condition.has_one_sign
        first = self._conditions[0]
        # After a section for all numbers from zero, the other one is for negative numbers.
        return len(self._conditions) == 2 and first is not None and not first.limit and first.operator in (">", ">=")  # noqa: PLR2004


def _filled(text: str) -> str:
    return _FILLED.sub(" ", text).replace(FILL_MARK, "") if FILL_MARK in text else text


def _conditions(sections: Sequence[Section]) -> list[Condition | None]:
    """Return the condition of each section; None for one that takes all numbers that are left."""
    own = [section.condition for section in sections]
    match own:
        case [first, second]:
            return [first or Condition(">=", 0.0), second]
        case [first, second, _]:
            return [first or Condition(">", 0.0), second or _NEGATIVE, None]
        case _:
            return own


class _NumberSection:
    """A section for numbers."""

    def __init__(self, section: Section, *, is_1904: bool) -> None:
        self._tokens = section.tokens
        self._is_1904 = is_1904
        self.is_empty = not _shows_any(section)
        self._is_general = section.has(TokenKind.GENERAL)
        self._layout: _Layout = None if self._is_general else _layout(section)

    @property
    def shows_dates(self) -> bool:
        """Kind of its texts: true for a date or a time."""
        return isinstance(self._layout, DateLayout)

    def text(self, value: float, *, shows_sign: bool) -> str:
        """Return the text of a number; `shows_sign` is whether a negative one has a minus sign."""
        layout = self._layout
        if isinstance(layout, DateLayout):
            return date_text(layout, value, is_1904=self._is_1904) or general_text(value)
        if self._is_general:
            text, is_shown = self._with_general(abs(value)), True
        elif layout is None:
            text, is_shown = "".join(map(shown_literal, self._tokens)), bool(self._tokens)
        else:
            size = abs(decimal_of(value))
            is_decimal = isinstance(layout, DecimalLayout)
            text, is_shown = decimal_text(layout, size) if is_decimal else fraction_text(layout, size)
        return f"-{text.lstrip()}" if value < 0 and shows_sign and is_shown else text

    def _with_general(self, size: float) -> str:
        pieces = (general_text(size) if _is_general(token) else shown_literal(token) for token in self._tokens)
        return "".join(pieces)


def _shows_any(section: Section) -> bool:
    return any(token.text.strip() for token in section.tokens if token.kind not in (TokenKind.BLANK, TokenKind.FILL))


def _is_general(token: Token) -> bool:
    return token.kind is TokenKind.GENERAL


def _layout(section: Section) -> _Layout:
    if section.has(TokenKind.DATE, TokenKind.ELAPSED, TokenKind.HALF_DAY):
        return date_layout(section)
    if section.has(TokenKind.SLASH) and (layout := fraction_layout(section.tokens)) is not None:
        return layout
    return decimal_layout(section.tokens) if section.has(TokenKind.DIGIT) else None


@lru_cache(maxsize=_CACHED_FORMATS)
def number_format(code: str, *, is_1904: bool = False) -> NumberFormat:
    """Return the number format of a code."""
    return NumberFormat(code, is_1904=is_1904)


def shown_number(value: str, code: str, *, is_1904: bool) -> str:
    """Return the text that a number shows, with its raw value marked; a value that is no number is unchanged."""
    text = value.strip()
    if _NUMBER.fullmatch(text) is None:
        return value
    return number_format(code, is_1904=is_1904).cell_text(float(text))
