"""Removal of the cells in a worksheet's hidden rows and columns; all other bytes stay the same."""

import re
from typing import Final
from xml.parsers import expat

from groundwire.adapters.parse.readers.office.workbooks.hidden_ranges import remove_hidden_ranges

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main "
_ON: Final = ("1", "true")
_COLUMN: Final = re.compile(r"[A-Z]{1,3}")
_COLUMNS_MAX: Final = 16_384


def without_hidden_cells(part: bytes) -> bytes:
    """Return the worksheet with hidden cells emptied.

    Raises:
        DocumentRefused: see `read_xml`.
    """
    if b"hidden=" not in part:
        return part
    return remove_hidden_ranges(part, _HiddenCellFinder)


class _HiddenCellFinder:
    """Finder of the byte ranges of hidden cells' contents."""

    def __init__(self, parser: expat.XMLParserType, part: bytes) -> None:
        self.ranges: list[tuple[int, int]] = []
        self._parser = parser
        self._part = part
        self._columns: set[int] = set()
        self._row_is_hidden = False
        self._column = 0
        self._first = 0
        self._depth_in_cell = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        if self._depth_in_cell:
            self._depth_in_cell += 1
            if self._depth_in_cell == 2:  # noqa: PLR2004 - a child of the cell
                self._first = self._parser.CurrentByteIndex
        elif tag == f"{_SHEET}col" and attributes.get("hidden") in _ON:
            first, last = (_number(attributes.get(name, "")) for name in ("min", "max"))
            self._columns |= set(range(first, min(last, _COLUMNS_MAX) + 1))
        elif tag == f"{_SHEET}row":
            self._row_is_hidden, self._column = attributes.get("hidden") in _ON, 0
        elif tag == f"{_SHEET}c":
            self._column = _column(attributes.get("r", "")) or self._column + 1
            self._depth_in_cell = 1

    def end(self, _: str) -> None:
        """Handle the end of an element."""
        if not self._depth_in_cell:
            return
        self._depth_in_cell -= 1
        if self._depth_in_cell == 1 and (self._row_is_hidden or self._column in self._columns):
            end = self._part.index(b">", self._parser.CurrentByteIndex) + 1
            self.ranges.append((self._first, end))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 8 else 0  # noqa: PLR2004


def _column(reference: str) -> int:
    """Return the column's number, such as 28 for "AB7"; 0 for an empty reference."""
    letters = _COLUMN.match(reference)
    number = 0
    for letter in letters[0] if letters else "":
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
