"""Texts of a workbook whose parts have fonts of their own."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element
from xml.parsers import expat

from groundwire_readers.readers.office.workbooks.cell_styles import CellFont, WorkbookColours
from groundwire_readers.readers.office.workbooks.hidden_ranges import read_xml, without_ranges

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main "
_ITEM, _RUN, _PROPERTIES = f"{_SHEET}si", f"{_SHEET}r", f"{_SHEET}rPr"
# Without one of these properties, no part of a text looks otherwise than its cell.
_MARKS: Final = (b"color", b"sz")
_END_TAG: Final = re.compile(rb"</(?:[^\s:>]{1,100}:)?([^\s:>]{1,100})\s*>")


@dataclass(frozen=True, slots=True)
class TextRun:
    """Part of a text: its font, or None for that of the cell, and the bytes from `first` to before `end`."""

    font: CellFont | None
    first: int
    end: int


def may_have_fonts(part: bytes) -> bool:
    """Return whether any text of the part may have a font of its own."""
    return any(mark in part for mark in _MARKS)


def end_of_element(part: bytes, position: int, tag: str) -> int:
    """Return the byte after an element that ends; one of a single tag ends at the parser's position."""
    found = _END_TAG.match(part, position)
    is_its_own = found is not None and found[1].decode(errors="replace") == tag.rpartition(" ")[2]
    return found.end() if found is not None and is_its_own else position


class RunReader:
    """Reader of the parts of a text with fonts of their own, from the events of a parser of `part`."""

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
        elif tag == _PROPERTIES:
            self._properties = Element(tag)
        elif tag == _RUN:
            self._first, self._font = self._parser.CurrentByteIndex, None

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        if tag == _PROPERTIES and self._properties is not None:
            self._font, self._properties = self._colours.font(self._properties), None
        elif tag == _RUN:
            end = end_of_element(self._part, self._parser.CurrentByteIndex, tag)
            self.runs.append(TextRun(self._font, self._first, end))


class SharedTexts:
    """The texts that cells refer to by number.

    Attributes:
        fonts: fonts of the texts that have any of their own, each once, by the text's number; None for that of a cell.
    """

    def __init__(self, part: bytes, colours: WorkbookColours) -> None:
        """Read the texts of the workbook's part; `part` is empty without one.

        Raises:
            UnreadableDocument: see `read_xml`.
        """
        self._part = part
        self._runs = _runs_by_number(part, colours) if may_have_fonts(part) else {}
        self.fonts: Mapping[int, tuple[CellFont | None, ...]] = {
            number: tuple(dict.fromkeys(run.font for run in runs)) for number, runs in self._runs.items()
        }
        self._shown: set[tuple[int, CellFont | None]] = set()

    def show(self, number: int, fonts: Iterable[CellFont | None]) -> None:
        """Record that a cell shows the parts of the text that have these fonts."""
        self._shown |= {(number, font) for font in fonts}

    def visible_part(self) -> bytes:
        """Return the part without the parts of texts that no cell shows."""
        runs = ((number, run) for number, runs in self._runs.items() for run in runs)
        hidden = ((run.first, run.end) for number, run in runs if (number, run.font) not in self._shown)
        return without_ranges(self._part, hidden)


def _runs_by_number(part: bytes, colours: WorkbookColours) -> dict[int, tuple[TextRun, ...]]:
    found: dict[int, tuple[TextRun, ...]] = {}
    parser = expat.ParserCreate(namespace_separator=" ")
    reader = RunReader(parser, part, colours)
    number = -1

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal number
        if tag == _ITEM:
            number += 1
            reader.runs = []
        reader.start(tag, attributes)

    def end(tag: str) -> None:
        reader.end(tag)
        if tag == _ITEM and any(run.font is not None for run in reader.runs):
            found[number] = tuple(reader.runs)

    read_xml(part, start, end, parser)
    return found
