"""Removal of what a person does not see from the cells of a worksheet; all other bytes stay the same."""

import re
from typing import Final
from xml.parsers import expat

from groundwire_readers.readers.office.workbooks.cell_visibility import SheetCell, SheetLook
from groundwire_readers.readers.office.workbooks.hidden_ranges import remove_hidden_ranges
from groundwire_readers.readers.office.workbooks.rich_texts import RunReader, end_of_element
from groundwire_readers.readers.office.workbooks.sheet_areas import column_number

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main "
_ON: Final = ("1", "true")
_COLUMN: Final = re.compile(r"[A-Z]{1,3}")
_COLUMNS_MAX: Final = 16_384
_TEXT_TYPES: Final = ("s", "str", "inlineStr")
_CONTENTS: Final = (f"{_SHEET}v", f"{_SHEET}is")


def without_hidden_cells(part: bytes, look: SheetLook) -> tuple[bytes, bool]:
    """Return the worksheet with hidden cells emptied, and whether any was not seen in a visible row and column.

    Raises:
        UnreadableDocument: see `read_xml`.
    """
    finders: list[_HiddenCellFinder] = []

    def finder(parser: expat.XMLParserType, whole: bytes) -> _HiddenCellFinder:
        finders.append(_HiddenCellFinder(parser, whole, look))
        return finders[-1]

    return remove_hidden_ranges(part, finder), finders[0].found


class _HiddenCellFinder:
    """Finder of the byte ranges of hidden cells' contents; `found` is whether the look of any hides it."""

    def __init__(self, parser: expat.XMLParserType, part: bytes, look: SheetLook) -> None:
        self.ranges: list[tuple[int, int]] = []
        self.found = False
        self._parser = parser
        self._part = part
        self._look = look
        self._columns = bytearray(_COLUMNS_MAX + 1)
        self._row_is_hidden = False
        self._row = 0
        self._column = 0
        self._cell: dict[str, str] = {}
        self._first = 0
        self._own: list[tuple[int, int]] = []
        self._has_content = False
        self._depth_in_cell = 0
        self._value: list[str] = []
        self._inline = RunReader(parser, part, look.styles.colours)
        if look.texts.fonts:
            parser.CharacterDataHandler = self._text

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        if self._depth_in_cell:
            self._depth_in_cell += 1
            self._has_content |= tag in _CONTENTS
            self._inline.start(tag, attributes)
            if self._depth_in_cell == 2:  # noqa: PLR2004 - a child of the cell
                self._first = self._parser.CurrentByteIndex
        elif tag == f"{_SHEET}col" and attributes.get("hidden") in _ON:
            first, last = (_number(attributes.get(name, "")) for name in ("min", "max"))
            hidden = max(0, min(last, _COLUMNS_MAX) + 1 - first)
            self._columns[first : first + hidden] = b"\1" * hidden
        elif tag == f"{_SHEET}row":
            self._row_is_hidden, self._column = attributes.get("hidden") in _ON, 0
            # The numbers of rows and cells are optional: without one, the next place counts.
            self._row = _number(attributes.get("r", "")) or self._row + 1
        elif tag == f"{_SHEET}c":
            found = _COLUMN.match(attributes.get("r", ""))
            self._column = column_number(found[0]) if found else self._column + 1
            self._cell, self._own, self._value, self._depth_in_cell = attributes, [], [], 1
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
            self._own.append((self._first, end_of_element(self._part, self._parser.CurrentByteIndex, tag)))
        elif not self._depth_in_cell and self._own:
            if self._row_is_hidden or self._columns[min(self._column, _COLUMNS_MAX)]:
                self.ranges += self._own
            elif self._has_content:
                self._remove_unseen()

    def _remove_unseen(self) -> None:
        """Remove what nobody sees of a cell in a visible row and column."""
        kind = self._cell.get("t")
        cell = SheetCell(self._column, self._row, _number(self._cell.get("s", "")), kind in _TEXT_TYPES)
        texts, runs = self._look.texts, self._inline.runs if kind == "inlineStr" else []
        number = _number("".join(self._value).strip()) if texts.fonts and kind == "s" else -1
        fonts = [run.font for run in runs] or texts.fonts.get(number, (None,))
        unseen = self._look.unseen(cell, fonts)
        if all(unseen):
            self.ranges += self._own
        else:
            self.ranges += [(run.first, run.end) for run, is_unseen in zip(runs, unseen, strict=False) if is_unseen]
            texts.show(number, (font for font, is_unseen in zip(fonts, unseen, strict=True) if not is_unseen))
        self.found |= any(unseen)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0  # noqa: PLR2004
