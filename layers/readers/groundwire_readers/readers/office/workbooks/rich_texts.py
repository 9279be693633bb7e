"""Texts of a workbook: the runs of a text with separate fonts, in cells and in the shared strings."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.office.workbooks.visibility.cell_styles import CellFont, WorkbookColours
from groundwire_readers.readers.office.workbooks.xml_events import read_xml
from groundwire_readers.text.font_symbols import text_in_font
from groundwire_readers.text.runs import GAP, rendered, run_of

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main "
_STRING_ITEM, _RUN, _RUN_PROPERTIES = f"{_SHEET}si", f"{_SHEET}r", f"{_SHEET}rPr"
_TEXT, _PHONETIC = f"{_SHEET}t", f"{_SHEET}rPh"
# Without one of these properties, every run looks as its cell.
_FONT_PROPERTIES: Final = (b"color", b"sz", b"vertAlign", b"strike", b"rFont")
_ESCAPE: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
"""Character that XML cannot hold, or an underscore before such letters (ISO/IEC 29500-1, 22.4.2.4)."""


@dataclass(frozen=True, slots=True)
class TextRun:
    """Run of a text; `font` is None for the font of the cell."""

    font: CellFont | None
    text: str


SharedText = str | tuple[TextRun, ...]
"""A text in the font of its cell, or the runs of one with fonts of its own."""


def in_cell(text: SharedText, font: CellFont, *, is_text: bool) -> SharedText:
    """Return the content of a cell with this font: none where it is struck; runs with fonts of their own keep those."""
    if not isinstance(text, str):
        return tuple(run for run in text if run.font is not None) if font.mark == GAP else text
    if font.mark == GAP:
        return ""
    # Figures in a symbol font are figures to the program that counts with them.
    return text_in_font(text, font.name) if is_text else text


def joined(runs: Iterable[TextRun]) -> str:
    """Return the text of the runs, raised, lowered and struck ones in their written form."""
    return rendered("".join(run.text if run.font is None else _in_font(run.text, run.font) for run in runs))


def _in_font(text: str, font: CellFont) -> str:
    return run_of(text_in_font(text, font.name), font.mark)


def may_have_fonts(part: bytes) -> bool:
    """Return whether any text of the part may have runs with separate fonts."""
    return any(mark in part for mark in _FONT_PROPERTIES)


def unescaped(text: str) -> str:
    """Return a text without the escapes of a workbook, such as `_x000D_` for the end of a line."""
    return _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text) if "_x" in text else text


class RunReader:
    """Reader of the runs of one text after the other, from the events of a parser.

    Attributes:
        runs: of the text since `begin`, without the pronunciation of Japanese words.
    """

    def __init__(self, colours: WorkbookColours, *, has_fonts: bool) -> None:
        self.runs: list[TextRun] = []
        self._colours = colours
        self._has_fonts = has_fonts
        self._font: CellFont | None = None
        self._properties: Element | None = None
        self._pieces: list[str] = []
        self._is_phonetic = False
        self._is_text = False

    def begin(self) -> None:
        """Begin with another text."""
        self.runs = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        if self._properties is not None:
            self._properties.append(Element(tag, attributes))
        elif tag == _RUN_PROPERTIES and self._has_fonts:
            self._properties = Element(tag)
        elif tag == _PHONETIC:
            self._is_phonetic = True
        elif tag == _TEXT:
            self._is_text = not self._is_phonetic

    def text(self, data: str) -> None:
        """Handle characters."""
        if self._is_text:
            self._pieces.append(data)

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        if tag == _TEXT and self._is_text:
            self.runs.append(TextRun(self._font, unescaped("".join(self._pieces))))
            self._pieces, self._is_text = [], False
        elif tag == _RUN_PROPERTIES and self._properties is not None:
            self._font, self._properties = self._colours.font(self._properties), None
        elif tag == _RUN:
            self._font = None
        elif tag == _PHONETIC:
            self._is_phonetic = False

    def shared_text(self) -> SharedText:
        """Return the text since `begin`."""
        if any(run.font is not None for run in self.runs):
            return tuple(self.runs)
        return "".join(run.text for run in self.runs)


def shared_texts(part: bytes, colours: WorkbookColours) -> list[SharedText]:
    """Return the shared strings of a workbook, which cells refer to by index; `part` is empty without any.

    Raises:
        UnreadableDocument: see `read_xml`.
    """
    if not part:
        return []
    reader = RunReader(colours, has_fonts=may_have_fonts(part))
    found: list[SharedText] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == _STRING_ITEM:
            reader.begin()
        else:
            reader.start(tag, attributes)

    def end(tag: str) -> None:
        if tag == _STRING_ITEM:
            found.append(reader.shared_text())
        else:
            reader.end(tag)

    read_xml(part, start, end, reader.text)
    return found
