"""Removal of invisible cell content from the XML of a worksheet; all other bytes are unchanged."""

import re
from typing import Final
from xml.parsers import expat

from groundwire_readers.readers.office.workbooks.cell_visibility import SheetCell, SheetFormats
from groundwire_readers.readers.office.workbooks.hidden_ranges import remove_hidden_ranges
from groundwire_readers.readers.office.workbooks.rich_texts import RunReader, end_of_element
from groundwire_readers.readers.office.workbooks.sheet_areas import column_number

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main "
_TRUE_VALUES: Final = ("1", "true")
_COLUMN_LETTERS: Final = re.compile(r"[A-Z]{1,3}")
_MAX_COLUMNS: Final = 16_384
_TEXT_TYPES: Final = ("s", "str", "inlineStr")
_VALUE_ELEMENTS: Final = (f"{_SHEET}v", f"{_SHEET}is")


def without_hidden_cells(part: bytes, formats: SheetFormats) -> tuple[bytes, bool]:
    """Return the worksheet with hidden cells emptied, and whether formats hide any in a visible row and column.

    Raises:
        UnreadableDocument: see `read_xml`.
    """
    finders: list[_HiddenCellFinder] = []

    def finder(parser: expat.XMLParserType, whole: bytes) -> _HiddenCellFinder:
        finders.append(_HiddenCellFinder(parser, whole, formats))
        return finders[-1]

    return remove_hidden_ranges(part, finder), finders[0].found


class _HiddenCellFinder:
    """Finder of the byte ranges of invisible cell content; `found` is whether a format hides any."""

    def __init__(self, parser: expat.XMLParserType, part: bytes, formats: SheetFormats) -> None:
        self.ranges: list[tuple[int, int]] = []
        self.found = False
        self._parser = parser
        self._part = part
        self._formats = formats
        self._is_hidden_column = bytearray(_MAX_COLUMNS + 1)
        self._row_is_hidden = False
        self._row = 0
        self._column = 0
        self._cell: dict[str, str] = {}
        self._child_start = 0
        self._child_ranges: list[tuple[int, int]] = []
        self._has_content = False
        self._depth_in_cell = 0
        self._value: list[str] = []
        self._inline = RunReader(parser, part, formats.styles.colours)
        if formats.texts.fonts:
            parser.CharacterDataHandler = self._text

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        if self._depth_in_cell:
            self._depth_in_cell += 1
            self._has_content |= tag in _VALUE_ELEMENTS
            self._inline.start(tag, attributes)
            if self._depth_in_cell == 2:  # noqa: PLR2004 - a child of the cell
                self._child_start = self._parser.CurrentByteIndex
        elif tag == f"{_SHEET}col" and attributes.get("hidden") in _TRUE_VALUES:
            first, last = (_number(attributes.get(name, "")) for name in ("min", "max"))
            hidden = max(0, min(last, _MAX_COLUMNS) + 1 - first)
            self._is_hidden_column[first : first + hidden] = b"\1" * hidden
        elif tag == f"{_SHEET}row":
            self._row_is_hidden, self._column = attributes.get("hidden") in _TRUE_VALUES, 0
            # Row numbers and cell references are optional: without one, the next position counts.
            self._row = _number(attributes.get("r", "")) or self._row + 1
        elif tag == f"{_SHEET}c":
            letters = _COLUMN_LETTERS.match(attributes.get("r", ""))
            self._column = column_number(letters[0]) if letters else self._column + 1
            self._cell, self._child_ranges, self._value, self._depth_in_cell = attributes, [], [], 1
            self._has_content, self._inline.runs = False, []

    def _text(self, data: str) -> None:
        if self._depth_in_cell > 1:
            self._value.append(data)

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        if not self._depth_in_cell:
            return
        self._depth_in_cell -= 1
        self._inline.end(tag)
        if self._depth_in_cell == 1:
            self._child_ranges.append(
                (self._child_start, end_of_element(self._part, self._parser.CurrentByteIndex, tag))
            )
        elif not self._depth_in_cell and self._child_ranges:
            if self._row_is_hidden or self._is_hidden_column[min(self._column, _MAX_COLUMNS)]:
                self.ranges += self._child_ranges
            elif self._has_content:
                self._add_invisible_parts()

    def _add_invisible_parts(self) -> None:
        """Add the ranges of the invisible parts of a cell in a visible row and column."""
        kind = self._cell.get("t")
        cell = SheetCell(self._column, self._row, _number(self._cell.get("s", "")), kind in _TEXT_TYPES)
        texts, runs = self._formats.texts, self._inline.runs if kind == "inlineStr" else []
        number = _number("".join(self._value).strip()) if texts.fonts and kind == "s" else -1
        fonts = [run.font for run in runs] or texts.fonts.get(number, (None,))
        invisible = self._formats.invisible_parts(cell, fonts)
        if all(invisible):
            self.ranges += self._child_ranges
        else:
            self.ranges += [
                (run.first, run.end) for run, is_invisible in zip(runs, invisible, strict=False) if is_invisible
            ]
            texts.show(number, (font for font, is_invisible in zip(fonts, invisible, strict=True) if not is_invisible))
        self.found |= any(invisible)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0  # noqa: PLR2004
