"""Removal of what a person does not see from the cells of a worksheet; all other bytes stay the same."""

import re
from dataclasses import dataclass
from typing import Final
from xml.parsers import expat

from groundwire.adapters.parse.readers.office.workbooks.cell_styles import CellStyle, CellStyles
from groundwire.adapters.parse.readers.office.workbooks.hidden_ranges import remove_hidden_ranges
from groundwire.adapters.parse.readers.office.workbooks.sheet_areas import SheetAreas, column_number

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main "
_ON: Final = ("1", "true")
_COLUMN: Final = re.compile(r"[A-Z]{1,3}")
_END_TAG: Final = re.compile(rb"</(?:[^\s:>]{1,100}:)?([^\s:>]{1,100})\s*>")
_COLUMNS_MAX: Final = 16_384
_TEXT_TYPES: Final = ("s", "str", "inlineStr")
_CONTENTS: Final = (f"{_SHEET}v", f"{_SHEET}is")
_COLOUR: Final = f"{_SHEET}color"
_NO_STYLE: Final = CellStyle()


@dataclass(frozen=True, slots=True)
class SheetLook:
    """Look of the cells of a sheet; `coloured_texts` are the shared texts with a colour of their own."""

    styles: CellStyles
    areas: SheetAreas
    coloured_texts: frozenset[int]


def without_hidden_cells(part: bytes, look: SheetLook) -> tuple[bytes, bool]:
    """Return the worksheet with hidden cells emptied, and whether any was not seen in a visible row and column.

    Raises:
        DocumentRefused: see `read_xml`.
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
        self._has_colour = False
        self._depth_in_cell = 0
        self._value: list[str] = []
        if look.coloured_texts:
            parser.CharacterDataHandler = self._text

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        if self._depth_in_cell:
            self._depth_in_cell += 1
            self._has_content |= tag in _CONTENTS
            self._has_colour |= tag == _COLOUR
            if self._depth_in_cell == 2:  # noqa: PLR2004 - a child of the cell
                self._first = self._parser.CurrentByteIndex
        elif tag == f"{_SHEET}col" and attributes.get("hidden") in _ON:
            first, last = (_number(attributes.get(name, "")) for name in ("min", "max"))
            hidden = max(0, min(last, _COLUMNS_MAX) + 1 - first)
            self._columns[first : first + hidden] = b"\1" * hidden
        elif tag == f"{_SHEET}row":
            self._row_is_hidden, self._column = attributes.get("hidden") in _ON, 0
            self._row = _number(attributes.get("r", "")) or self._row + 1
        elif tag == f"{_SHEET}c":
            found = _COLUMN.match(attributes.get("r", ""))
            self._column = column_number(found[0]) if found else self._column + 1
            self._cell, self._own, self._value, self._depth_in_cell = attributes, [], [], 1
            self._has_content = self._has_colour = False

    def _text(self, data: str) -> None:
        if self._depth_in_cell > 1:
            self._value.append(data)

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        if not self._depth_in_cell:
            return
        self._depth_in_cell -= 1
        if self._depth_in_cell == 1:
            self._own.append((self._first, self._end_of_child(tag)))
        elif not self._depth_in_cell and self._own:
            if self._row_is_hidden or self._columns[min(self._column, _COLUMNS_MAX)]:
                self.ranges += self._own
            elif self._has_content and self._is_unseen():
                self.ranges += self._own
                self.found = True

    def _end_of_child(self, tag: str) -> int:
        """Return the byte after a child that ends; one of a single tag ends where the parser is."""
        position = self._parser.CurrentByteIndex
        found = _END_TAG.match(self._part, position)
        is_its_own = found is not None and found[1].decode(errors="replace") == tag.rpartition(" ")[2]
        return found.end() if found is not None and is_its_own else position

    def _is_unseen(self) -> bool:
        """Return whether the cell is shown, but not what is in it."""
        areas, styles = self._look.areas, self._look.styles.cells
        number = _number(self._cell.get("s", ""))
        style = styles[number] if number < len(styles) else _NO_STYLE
        is_text = self._cell.get("t") in _TEXT_TYPES
        if style.hides_texts if is_text else style.hides_numbers:
            return True
        if areas.are_too_many:
            return False
        here = [one for area, one in areas.hiding if area.has(self._column, self._row)]
        if any(one.hides_texts if is_text else one.hides_numbers for one in here):
            return True
        if not style.is_invisible or self._has_colour or self._has_own_colour():
            return False
        others = areas.coloured if style.is_filled else [*areas.coloured, *areas.filled]
        return not any(area.has(self._column, self._row) for area in others)

    def _has_own_colour(self) -> bool:
        """Return whether the cell has a shared text of which a part has a colour of its own."""
        if not self._look.coloured_texts or self._cell.get("t") != "s":
            return False
        return _number("".join(self._value).strip()) in self._look.coloured_texts


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0  # noqa: PLR2004
