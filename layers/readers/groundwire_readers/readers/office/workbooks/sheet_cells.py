"""Reading of a worksheet: the text that each visible cell shows."""

import re
from dataclasses import dataclass, field
from typing import Final

from groundwire_readers.contents.sheet_tables import Span
from groundwire_readers.readers.office.workbooks.cell_values import TEXT_TYPES, CellValues
from groundwire_readers.readers.office.workbooks.rich_texts import (
    RunReader,
    SharedText,
    TextRun,
    in_cell,
    joined,
    may_have_fonts,
)
from groundwire_readers.readers.office.workbooks.visibility.cell_visibility import SheetCell, SheetFormats
from groundwire_readers.readers.office.workbooks.visibility.sheet_areas import areas_of, column_number
from groundwire_readers.readers.office.workbooks.xml_events import read_xml

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main "
_COLUMN, _ROW, _CELL = f"{_SHEET}col", f"{_SHEET}row", f"{_SHEET}c"
_MERGED: Final = f"{_SHEET}mergeCell"
_VALUE, _FORMULA, _INLINE = f"{_SHEET}v", f"{_SHEET}f", f"{_SHEET}is"
_TRUE_VALUES: Final = ("1", "true")
_COLUMN_LETTERS: Final = re.compile(r"[A-Z]{1,3}")
_MAX_COLUMNS: Final = 16_384
_STRING, _INLINE_STRING = "str", "inlineStr"

SheetRows = dict[int, dict[int, str]]
"""Texts of cells by row, then by column; both count from 1."""


@dataclass(slots=True)
class SheetTexts:
    """Visible content of a worksheet.

    Attributes:
        rows: texts of the visible cells that have one.
        hides_any: whether formats hide content in a visible row and column.
        labels: cells that span several rows or columns, by row.
        unknown_results: number of visible formulas whose result no program has stored.
    """

    rows: SheetRows = field(default_factory=SheetRows)
    hides_any: bool = False
    labels: dict[int, list[Span]] = field(default_factory=dict[int, list[Span]])
    unknown_results: int = 0


def read_sheet(part: bytes, formats: SheetFormats, values: CellValues, *, may_hide: bool) -> SheetTexts:
    """Return what the worksheet shows; `may_hide` is whether any format may hide the content of a cell.

    Raises:
        UnreadableDocument: see `read_xml`.
    """
    reader = _SheetReader(formats, values, has_fonts=may_have_fonts(part), may_hide=may_hide)
    read_xml(part, reader.start, reader.end, reader.text)
    return reader.found


class _SheetReader:
    """Handler of the XML events of a worksheet."""

    def __init__(self, formats: SheetFormats, values: CellValues, *, has_fonts: bool, may_hide: bool) -> None:
        self.found = SheetTexts()
        self._formats = formats
        self._values = values
        self._may_hide = may_hide or has_fonts
        # A set would grow with each `col` element that names all columns.
        self._is_hidden_column = bytearray(_MAX_COLUMNS + 1)
        self._row_is_hidden = self._row_is_flat = False
        self._row = 0
        self._column = 0
        self._cell: dict[str, str] | None = None
        self._value: list[str] = []
        self._has_formula = False
        self._within = ""
        self._inline = RunReader(formats.styles.colours, has_fonts=has_fonts)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        if self._within == _INLINE:
            self._inline.start(tag, attributes)
        elif self._cell is not None:
            self._within = tag
            self._has_formula |= tag == _FORMULA
        elif tag == _CELL:
            letters = _COLUMN_LETTERS.match(attributes.get("r", ""))
            self._column = column_number(letters[0]) if letters else self._column + 1
            self._cell, self._value, self._has_formula = attributes, [], False
            self._inline.begin()
        elif tag == _ROW:
            self._row_is_hidden, self._column = _is_hidden(attributes, "ht"), 0
            self._row_is_flat = self._row_is_hidden and attributes.get("hidden") not in _TRUE_VALUES
            # Row numbers and cell references are optional: without one, the next position counts.
            self._row = _number(attributes.get("r", "")) or self._row + 1
        else:
            self._start_of_sheet(tag, attributes)

    def _start_of_sheet(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element that describes several cells."""
        if tag == _MERGED:
            for area in areas_of(attributes.get("ref", "")):
                self.found.labels.setdefault(area.top, []).append((area.left, area.bottom + 1, area.right + 1))
        elif tag == _COLUMN and _is_hidden(attributes, "width"):
            first, last = (_number(attributes.get(name, "")) for name in ("min", "max"))
            hidden = max(0, min(last, _MAX_COLUMNS) + 1 - first)
            self._is_hidden_column[first : first + hidden] = b"\1" * hidden

    def text(self, data: str) -> None:
        """Handle characters."""
        if self._within == _VALUE:
            self._value.append(data)
        elif self._within == _INLINE:
            self._inline.text(data)

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        if self._within == _INLINE and tag != _INLINE:
            self._inline.end(tag)
        elif tag == self._within:
            self._within = ""
        elif tag == _CELL and self._cell is not None:
            if not (self._row_is_hidden or self._is_hidden_column[min(self._column, _MAX_COLUMNS)]):
                self._end_cell(self._cell)
            # A row that no program marks as hidden was made to hide its text.
            self.found.hides_any |= self._row_is_flat and bool(self._value)
            self._cell = None

    def _end_cell(self, cell: dict[str, str]) -> None:
        kind, value = cell.get("t", "n"), "".join(self._value)
        text = self._inline.shared_text() if kind == _INLINE_STRING else self._values.content(kind, value)
        if not text:
            self.found.unknown_results += self._has_formula and kind != _STRING
            return
        style = _number(cell.get("s", ""))
        text = in_cell(text, self._formats.style_at(style).font, is_text=kind in TEXT_TYPES)
        if self._may_hide:
            text = self._visible_text(text, SheetCell(self._column, self._row, style, kind in TEXT_TYPES))
        elif not isinstance(text, str):
            text = joined(text)
        if text and (shown := self._values.shown(kind, text, self._formats.style_at(style).code)).strip():
            self.found.rows.setdefault(self._row, {})[self._column] = shown

    def _visible_text(self, text: SharedText, cell: SheetCell) -> str:
        runs = (TextRun(None, text),) if isinstance(text, str) else text
        fonts = list(dict.fromkeys(run.font for run in runs))
        invisible = dict(zip(fonts, self._formats.invisible_parts(cell, fonts), strict=True))
        self.found.hides_any |= any(invisible.values())
        return joined(run for run in runs if not invisible[run.font])


def _is_hidden(attributes: dict[str, str], size: str) -> bool:
    """Return whether a row or a column is hidden, or has no height or width."""
    length = attributes.get(size, "1").strip()
    return attributes.get("hidden") in _TRUE_VALUES or (bool(length) and not length.strip("0."))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0  # noqa: PLR2004
