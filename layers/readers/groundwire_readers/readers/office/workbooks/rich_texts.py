"""Rich texts of a workbook: the runs of a text with separate fonts, in cells and in the shared strings."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element
from xml.parsers import expat

from groundwire_readers.readers.office.workbooks.cell_styles import CellFont, WorkbookColours
from groundwire_readers.readers.office.workbooks.hidden_ranges import read_xml, without_ranges

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main "
_STRING_ITEM, _RUN, _RUN_PROPERTIES = f"{_SHEET}si", f"{_SHEET}r", f"{_SHEET}rPr"
# Without one of these properties, every run looks as its cell.
_FONT_PROPERTIES: Final = (b"color", b"sz")
_END_TAG: Final = re.compile(rb"</(?:[^\s:>]{1,100}:)?([^\s:>]{1,100})\s*>")


@dataclass(frozen=True, slots=True)
class TextRun:
    """Run of a rich text: its font, None for the font of the cell, and its bytes `first` to `end` (exclusive)."""

    font: CellFont | None
    first: int
    end: int


def may_have_fonts(part: bytes) -> bool:
    """Return whether any text of the part may have runs with separate fonts."""
    return any(mark in part for mark in _FONT_PROPERTIES)


def end_of_element(part: bytes, position: int, tag: str) -> int:
    """Return the end of the element whose end event is at `position`; an empty-element tag ends right there."""
    found = _END_TAG.match(part, position)
    is_its_own = found is not None and found[1].decode(errors="replace") == tag.rpartition(" ")[2]
    return found.end() if found is not None and is_its_own else position


class RunReader:
    """Reader of the runs of a rich text, from the events of a parser of `part`."""

    def __init__(self, parser: expat.XMLParserType, part: bytes, colours: WorkbookColours) -> None:
        self.runs: list[TextRun] = []
        self._parser = parser
        self._part = part
        self._colours = colours
        self._first = 0
        self._font: CellFont | None = None
        self._properties: Element | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        if self._properties is not None:
            self._properties.append(Element(tag, attributes))
        elif tag == _RUN_PROPERTIES:
            self._properties = Element(tag)
        elif tag == _RUN:
            self._first, self._font = self._parser.CurrentByteIndex, None

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        if tag == _RUN_PROPERTIES and self._properties is not None:
            self._font, self._properties = self._colours.font(self._properties), None
        elif tag == _RUN:
            end = end_of_element(self._part, self._parser.CurrentByteIndex, tag)
            self.runs.append(TextRun(self._font, self._first, end))


class SharedTexts:
    """The shared strings of a workbook, which cells refer to by index.

    Attributes:
        fonts: distinct fonts of each rich text, by its index; None for the font of the cell.
    """

    def __init__(self, part: bytes, colours: WorkbookColours) -> None:
        """Read the shared strings part; `part` is empty if the workbook has none.

        Raises:
            UnreadableDocument: see `read_xml`.
        """
        self._part = part
        self._runs = _runs_by_number(part, colours) if may_have_fonts(part) else {}
        self.fonts: Mapping[int, tuple[CellFont | None, ...]] = {
            number: tuple(dict.fromkeys(run.font for run in runs)) for number, runs in self._runs.items()
        }
        self._displayed: set[tuple[int, CellFont | None]] = set()

    def show(self, number: int, fonts: Iterable[CellFont | None]) -> None:
        """Record that a cell displays the runs of the text that have these fonts."""
        self._displayed |= {(number, font) for font in fonts}

    def visible_part(self) -> bytes:
        """Return the part without the runs that no cell displays."""
        runs = ((number, run) for number, runs in self._runs.items() for run in runs)
        hidden = ((run.first, run.end) for number, run in runs if (number, run.font) not in self._displayed)
        return without_ranges(self._part, hidden)


def _runs_by_number(part: bytes, colours: WorkbookColours) -> dict[int, tuple[TextRun, ...]]:
    found: dict[int, tuple[TextRun, ...]] = {}
    parser = expat.ParserCreate(namespace_separator=" ")
    reader = RunReader(parser, part, colours)
    number = -1

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal number
        if tag == _STRING_ITEM:
            number += 1
            reader.runs = []
        reader.start(tag, attributes)

    def end(tag: str) -> None:
        reader.end(tag)
        if tag == _STRING_ITEM and any(run.font is not None for run in reader.runs):
            found[number] = tuple(reader.runs)

    read_xml(part, start, end, parser)
    return found
