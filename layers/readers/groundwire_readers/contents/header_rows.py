"""Header rows of a table whose format declares none, or not all of them, by what its cells show."""

import re
from collections.abc import Sequence
from typing import Final

from groundwire_readers.contents.currencies import CURRENCY_SIGNS

_VALUE: Final = re.compile(rf"[-+(~<>≤≥±{CURRENCY_SIGNS}]*+\s*+\d[\d.,:/' -]*+\s*+[%)A-Za-z°]{{0,3}}")
_YEAR: Final = re.compile(r"(?:19|20)\d\d", re.ASCII)
_NO_VALUE: Final = re.compile(r"[-\u2013\u2014.]{1,3}|n/?a\.?|none", re.IGNORECASE)
"""Text in place of a value."""
_ROWS_LOOKED_AT: Final = 200
_MOST_HEADER_ROWS: Final = 6


def is_value(text: str) -> bool:
    """Return whether the text is a number, with or without a unit; a year may be the name of a column."""
    return _VALUE.fullmatch(text.strip()) is not None


def header_rows_of(rows: Sequence[Sequence[str]], spans: Sequence[tuple[int, int]] = (), declared: int = 0) -> int:
    """Return the number of rows that name the columns; 0 where the first row is data.

    Args:
        rows: texts by row and column, without empty rows.
        spans: cells that span several rows: the row of each, and the row after its last one.
        declared: number of rows that the format declares as header.
    """
    if not rows:
        return 0
    body = rows[1 : 1 + _ROWS_LOOKED_AT]
    most = min(_MOST_HEADER_ROWS, len(rows) - 1)
    count = declared or int((bool(body) and not _is_data(rows[0], body)) or len(rows) == 1)
    # A header ends where the last of its cells ends.
    while count and (end := max((end for start, end in spans if start < count and end <= most), default=0)) > count:
        count = end
    while 0 < count < most and not declared and _names_rest(rows, count):
        count += 1
    return min(count, max(1, len(rows) - 1)) if count else 0


def _is_data(row: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Return whether a first row has values where the rows below it have them."""
    columns = _value_columns(body)
    values = [text for column, text in enumerate(row) if column in columns and is_value(text)]
    return bool(values) and not _are_names(values)


def _are_names(values: Sequence[str]) -> bool:
    """Return whether values name columns: years, or numbers that follow each other, such as months or sizes."""
    if all(map(_YEAR.fullmatch, values)):
        return True
    numbers = [int(text) for text in values if text.isascii() and text.isdecimal() and len(text) < 4]  # noqa: PLR2004
    return len(values) > 1 and numbers == list(range(numbers[0] if numbers else 0, len(values) + (numbers or [0])[0]))


def _names_rest(rows: Sequence[Sequence[str]], count: int) -> bool:
    """Return whether a row names the columns that the header rows above it leave open, above values."""
    above, row, body = rows[count - 1], rows[count], rows[count + 1 : count + 1 + _ROWS_LOOKED_AT]
    used = {column for each in (row, *body) for column, text in enumerate(each) if text}
    open_columns = {column for column in used if column >= len(above) or not above[column]}
    named = {column for column, text in enumerate(row) if text}
    # A header with names in all columns is complete, and a row with gaps of its own is a group or data.
    if not open_columns or not open_columns <= named or len(named) < max(2, len(used) - 1):
        return False
    if any((is_value(text) and not _YEAR.fullmatch(text)) or _NO_VALUE.fullmatch(text) for text in row if text):
        return False
    return bool(_value_columns(body) & named)


def _value_columns(rows: Sequence[Sequence[str]]) -> set[int]:
    """Return the columns most of whose texts are values."""
    counts: dict[int, list[int]] = {}
    for row in rows:
        for column, text in enumerate(row):
            if text:
                count = counts.setdefault(column, [0, 0])
                count[0] += is_value(text)
                count[1] += 1
    return {column for column, (values, texts) in counts.items() if 2 * values > texts}
