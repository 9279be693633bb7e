"""Texts of a workbook whose parts have fonts of their own."""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element
from xml.parsers import expat

from groundwire.adapters.parse.readers.office.workbooks.cell_styles import CellFont, WorkbookColours
from groundwire.adapters.parse.readers.office.workbooks.hidden_ranges import read_xml, without_ranges

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main "
_ITEM, _RUN, _PROPERTIES = f"{_SHEET}si", f"{_SHEET}r", f"{_SHEET}rPr"
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
        runs: parts of the texts that have any font of their own, by the text's number.
    """

    def __init__(self, part: bytes, colours: WorkbookColours) -> None:
        """Read the texts of the workbook's part; `part` is empty without one.

        Raises:
            DocumentRefused: see `read_xml`.
        """
        self.runs: Mapping[int, tuple[TextRun, ...]] = _runs_by_number(part, colours) if may_have_fonts(part) else {}
        self._part = part
        self._shown: set[tuple[int, int]] = set()
        self._unseen: set[tuple[int, int]] = set()

    def show(self, number: int, unseen_runs: AbstractSet[int]) -> None:
        """Record that a cell shows the text, without these of its runs."""
        for run in range(len(self.runs.get(number, ()))):
            (self._unseen if run in unseen_runs else self._shown).add((number, run))

    def visible_part(self) -> bytes:
        """Return the part without the runs that no cell shows."""
        places = sorted(self._unseen - self._shown)
        ranges = ((self.runs[number][run].first, self.runs[number][run].end) for number, run in places)
        return without_ranges(self._part, ranges)


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
