"""Raw values: numbers of cells that are stored with more digits than the cell shows.

A reader marks the number beside the shown text. A table block takes it out of the text, so that search finds it while
no passage contains it.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from groundwire_readers.text.runs import marked_value, values_of

_DIGITS: Final = re.compile(r"\d", re.ASCII)
_NUMBER: Final = re.compile(r"[-+]?(?:\d{1,30}\.?\d{0,30}|\.\d{1,30})(?:[eE][-+]?\d{1,2})?", re.ASCII)
_MAX_ZEROS: Final = 12
"""Zeros at an end of a number above which it is written with an exponent, as nobody searches it otherwise."""
MAX_ROW_VALUES: Final = 200
"""Raw values that are kept of one row."""

RawValue = tuple[int, str]
"""Row of a table, and the raw value of one of its cells; row 0 for a paragraph."""


def with_raw_value(shown: str, value: Decimal) -> str:
    """Return the shown text, with the number marked if some of its digits are not in the text.

    A percentage, a scaled number and leading zeros have the digits of the number; a text without digits rounds nothing.
    """
    digits = "".join(map(str, value.as_tuple().digits)).strip("0")
    in_text = "".join(_DIGITS.findall(shown))
    return shown if not in_text or digits in in_text else f"{shown}{marked_value(_written(value))}"


def number_of(text: str) -> Decimal | None:
    """Return the number that an attribute declares, with the 15 digits that programs keep; None for other text."""
    return Decimal(format(float(text), ".15g")) if _NUMBER.fullmatch(text.strip()) else None


def _written(value: Decimal) -> str:
    number = value.normalize()
    exponent = int(number.as_tuple().exponent)
    size = len(number.as_tuple().digits)
    return str(number) if exponent > _MAX_ZEROS or -exponent > size + _MAX_ZEROS else format(number, "f")


def raw_values(rows: Sequence[Sequence[str]]) -> list[RawValue]:
    """Return the raw values that are marked in the cells, each once per row, in order."""
    return [(place, value) for place, row in enumerate(rows) for value in _of_row(row)]


def _of_row(row: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(value for cell in row for value in values_of(cell)))[:MAX_ROW_VALUES]
