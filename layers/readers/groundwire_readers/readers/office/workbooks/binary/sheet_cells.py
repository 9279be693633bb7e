"""Cells of a sheet of a binary workbook: the text that each visible cell shows."""

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire_readers.contents.sheet_tables import Span
from groundwire_readers.readers.office.number_formats.built_in import GENERAL
from groundwire_readers.readers.office.workbooks.binary.records import TextCoding
from groundwire_readers.readers.office.workbooks.cell_values import TEXT_TYPES, CellValues
from groundwire_readers.readers.office.workbooks.rich_texts import SharedText, in_cell, joined
from groundwire_readers.readers.office.workbooks.sheet_cells import SheetRows
from groundwire_readers.readers.office.workbooks.visibility.cell_styles import CellFont

_PLACE: Final = struct.Struct("<HHH")
_NUMBER: Final = struct.Struct("<d")
_AREA: Final = struct.Struct("<HHHH")
_RK_CELL: Final = struct.Struct("<HI")
_IS_WHOLE, _IS_HUNDREDTH = 2, 1
"""Bits of a compressed number: it is a whole number, it is divided by 100."""
_HIDDEN_ROW, _HIDDEN_COLUMN = 0x20, 0x01
_RESULT_TEXT: Final = 0x0207
_NO_NUMBER: Final = b"\xff\xff"
_OF_TEXT, _OF_TRUTH, _OF_ERROR = range(3)
"""Results of a formula that are no number."""
_COLUMNS: Final = 256
_ERRORS: Final = {
    0x00: "#NULL!",
    0x07: "#DIV/0!",
    0x0F: "#VALUE!",
    0x17: "#REF!",
    0x1D: "#NAME?",
    0x24: "#NUM!",
    0x2A: "#N/A",
    0x2B: "#GETTING_DATA",
}


@dataclass(frozen=True, slots=True)
class BinaryFormats:
    """Values, codes and fonts of formats, and coding of texts that all cells of a binary workbook share."""

    values: CellValues
    codes: Sequence[str]
    fonts: Sequence[CellFont]
    coding: TextCoding


class BinarySheet:
    """Reader of the records of one sheet.

    Attributes:
        labels: cells that span several rows or columns, by row.
    """

    def __init__(self, formats: BinaryFormats) -> None:
        self.labels = dict[int, list[Span]]()
        self._formats = formats
        self._rows: SheetRows = {}
        self._hidden_rows: set[int] = set()
        self._hidden_columns: set[int] = set()
        self._awaiting: tuple[int, int, int] | None = None
        self._readers: Mapping[int, Callable[[bytes], None]] = {
            0x0006: self._formula,
            0x007D: self._columns,
            0x00E5: self._merged,
            0x00BD: self._several_numbers,
            0x00D6: self._label,
            0x00FD: self._shared_text,
            0x0203: self._number,
            0x0204: self._label,
            0x0205: self._truth_or_error,
            _RESULT_TEXT: self._result_text,
            0x0208: self._row,
            0x027E: self._several_numbers,
        }

    def add(self, kind: int, record: bytes) -> None:
        """Read a record; one that is too short is left out."""
        reader = self._readers.get(kind)
        # The text of a formula has no place of its own.
        if reader is not None and len(record) >= (2 if kind == _RESULT_TEXT else _PLACE.size):
            reader(record)

    def _merged(self, record: bytes) -> None:
        end = 2 + len(record[2:]) // _AREA.size * _AREA.size
        for top, bottom, left, right in _AREA.iter_unpack(record[2:end]):
            self.labels.setdefault(top + 1, []).append((left + 1, bottom + 2, right + 2))

    def rows(self) -> SheetRows:
        """Return the texts of the visible cells."""
        hidden = self._hidden_columns
        return {
            row: shown
            for row, cells in self._rows.items()
            if row not in self._hidden_rows
            and (shown := {column: text for column, text in cells.items() if column not in hidden})
        }

    def _show(self, place: tuple[int, int, int], kind: str, text: SharedText) -> None:
        row, column, index = place
        codes, fonts = self._formats.codes, self._formats.fonts
        if index < len(fonts):
            text = in_cell(text, fonts[index], is_text=kind in TEXT_TYPES)
        text = text if isinstance(text, str) else joined(text)
        shown = self._formats.values.shown(kind, text, codes[index] if index < len(codes) else GENERAL)
        if shown.strip():
            self._rows.setdefault(row + 1, {})[column + 1] = shown

    def _show_number(self, place: tuple[int, int, int], value: float) -> None:
        self._show(place, "n", repr(value))

    def _number(self, record: bytes) -> None:
        if len(record) >= _PLACE.size + _NUMBER.size:
            self._show_number(_PLACE.unpack_from(record), _NUMBER.unpack_from(record, _PLACE.size)[0])

    def _several_numbers(self, record: bytes) -> None:
        """Read one number, or those of adjacent cells, in their compressed form."""
        row, column, _ = _PLACE.unpack_from(record)
        end = 4 + len(record[4:]) // _RK_CELL.size * _RK_CELL.size
        for index, number in _RK_CELL.iter_unpack(record[4:end]):
            self._show_number((row, column, index), _decompressed(number))
            column += 1

    def _label(self, record: bytes) -> None:
        self._show(_PLACE.unpack_from(record), "str", self._formats.coding.text(record, _PLACE.size))

    def _shared_text(self, record: bytes) -> None:
        index = int.from_bytes(record[_PLACE.size : _PLACE.size + 4], "little")
        self._show(_PLACE.unpack_from(record), "s", self._formats.values.content("s", str(index)))

    def _truth_or_error(self, record: bytes) -> None:
        value, is_error = (*record[_PLACE.size : _PLACE.size + 2], 0, 0)[:2]
        self._show_single(_PLACE.unpack_from(record), value, is_error=bool(is_error))

    def _show_single(self, place: tuple[int, int, int], value: int, *, is_error: bool) -> None:
        self._show(place, "e" if is_error else "b", _ERRORS.get(value, "#ERROR") if is_error else str(value))

    def _formula(self, record: bytes) -> None:
        place, result = _PLACE.unpack_from(record), record[_PLACE.size : _PLACE.size + _NUMBER.size]
        self._awaiting = None
        if len(result) < _NUMBER.size:
            return
        if not result.endswith(_NO_NUMBER):
            self._show_number(place, _NUMBER.unpack(result)[0])
        elif result[0] == _OF_TEXT:
            # The text is in a record of its own.
            self._awaiting = place
        elif result[0] in (_OF_TRUTH, _OF_ERROR):
            self._show_single(place, result[2], is_error=result[0] == _OF_ERROR)

    def _result_text(self, record: bytes) -> None:
        if self._awaiting is not None:
            self._show(self._awaiting, "str", self._formats.coding.text(record, 0))
            self._awaiting = None

    def _row(self, record: bytes) -> None:
        if record[12:13] and record[12] & _HIDDEN_ROW:
            self._hidden_rows.add(_PLACE.unpack_from(record)[0] + 1)

    def _columns(self, record: bytes) -> None:
        first, last, _ = _PLACE.unpack_from(record)
        if record[8:9] and record[8] & _HIDDEN_COLUMN:
            self._hidden_columns.update(range(first + 1, min(last, _COLUMNS) + 2))


def _decompressed(number: int) -> float:
    """Return a number of 30 bits: a whole number, or the upper bits of a floating-point number."""
    if number & _IS_WHOLE:
        value = float((number >> 2) - (1 << 30 if number & 1 << 31 else 0))
    else:
        value = float(_NUMBER.unpack(struct.pack("<Q", (number & ~3) << 32))[0])
    return value / 100 if number & _IS_HUNDREDTH else value
