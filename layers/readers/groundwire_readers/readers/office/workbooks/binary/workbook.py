"""Reader of binary workbooks: the sheets that a person sees, with the text that each cell shows."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from groundwire_readers.containers.compound_file import CompoundFile
from groundwire_readers.contents.contents import Contents
from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.office.number_formats.built_in import built_in_code
from groundwire_readers.readers.office.workbooks.binary.records import (
    SharedStrings,
    TextCoding,
    code_page_name,
    font_at,
    font_of,
    records,
)
from groundwire_readers.readers.office.workbooks.binary.sheet_cells import BinaryFormats, BinarySheet
from groundwire_readers.readers.office.workbooks.cell_values import CellValues
from groundwire_readers.readers.office.workbooks.sheet_tables import sheet_blocks
from groundwire_readers.readers.office.workbooks.visibility.cell_styles import CellFont

_START, _END, _CONTINUED, _ENCRYPTION = 0x0809, 0x000A, 0x003C, 0x002F
_CODE_PAGE, _DATE_MODE, _SHEET, _SHARED = 0x0042, 0x0022, 0x0085, 0x00FC
_FORMAT, _CELL_FORMAT, _FONT = 0x041E, 0x00E0, 0x0031
_UNICODE_VERSION: Final = 0x0600
_STREAMS: Final = ("Workbook", "Book")
_STATE_OFFSET, _KIND_OFFSET, _NAME_OFFSET = 4, 5, 6
_MACRO_SHEETS: Final = (1, 6)
"""Kinds of sheets that hold macros ([MS-XLS] 2.4.28): of version 4, and of Visual Basic."""
_DAMAGED: Final = "it is damaged or not a valid .xls file: open it in its own program and save it anew"


@dataclass(frozen=True, slots=True)
class _Sheet:
    name: str
    number: int
    start: int
    is_visible: bool


@dataclass(slots=True)
class _Book:
    """Properties of all sheets, as the first substream of a workbook declares them."""

    coding: TextCoding
    is_1904: bool = False
    listed: list[bytes] = field(default_factory=list[bytes])
    codes: dict[int, str] = field(default_factory=dict[int, str])
    cell_formats: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    fonts: list[CellFont] = field(default_factory=list[CellFont])
    shared: list[bytes] = field(default_factory=list[bytes])

    def formats(self) -> BinaryFormats:
        """Return what its cells have in common."""
        texts = list(SharedStrings(self.shared, self.fonts).texts())
        codes = [self.codes.get(number) or built_in_code(number) for _, number in self.cell_formats]
        fonts = [font_at(self.fonts, number) for number, _ in self.cell_formats]
        return BinaryFormats(CellValues(texts, self.is_1904), codes, fonts, self.coding)

    def sheets(self) -> Iterator[_Sheet]:
        """Yield the sheets in their order, without those of macros."""
        number = 0
        for record in self.listed:
            if len(record) > _NAME_OFFSET and record[_KIND_OFFSET] not in _MACRO_SHEETS:
                number += 1
                name = self.coding.text(record, _NAME_OFFSET, is_short=True)
                # [MS-XLS] 2.4.28: 1 is hidden, 2 is very hidden, which users cannot unhide.
                is_visible = not record[_STATE_OFFSET] & 3
                yield _Sheet(name, number, int.from_bytes(record[:4], "little"), is_visible)


def read(content: bytes) -> Contents:
    """Return the contents of the workbook; its pages are its sheets.

    Raises:
        UnreadableDocument: damaged or encrypted.
    """
    stream = _stream(content)
    book = _globals(stream)
    formats, sheets = book.formats(), list(book.sheets())
    blocks = [
        block
        for sheet, cells in _visible_sheets(stream, sheets, formats)
        for block in sheet_blocks(sheet.name, sheet.number, cells.rows(), cells.labels)
    ]
    return Contents(blocks, pages=max((block.page or 0 for block in blocks), default=0))


def _stream(content: bytes) -> bytes:
    file = CompoundFile(content)
    members = file.members(CompoundFile.root)
    return next((file.stream(members[name]) for name in _STREAMS if name in members), b"")


def _globals(stream: bytes) -> _Book:
    found = records(stream, 0, len(stream))
    kind, start = next(found, (0, b""))
    if kind != _START or len(start) < struct.calcsize("<HH"):
        raise UnreadableDocument(_DAMAGED)
    is_unicode = int.from_bytes(start[:2], "little") >= _UNICODE_VERSION
    book = _Book(TextCoding(is_unicode))
    follows_shared = False
    for kind, record in found:
        if kind == _END:
            break
        if kind == _ENCRYPTION:
            raise UnreadableDocument("it is encrypted: save it without a password")
        _add_global(book, kind, record, follows_shared=follows_shared)
        follows_shared = kind == _SHARED or (kind == _CONTINUED and follows_shared)
    return book


def _add_global(book: _Book, kind: int, record: bytes, *, follows_shared: bool) -> None:
    number = int.from_bytes(record[:2], "little")
    if kind == _CODE_PAGE:
        book.coding = TextCoding(book.coding.is_unicode, code_page_name(number))
    elif kind == _DATE_MODE:
        book.is_1904 = number == 1
    elif kind == _SHEET:
        book.listed.append(record)
    elif kind == _FORMAT:
        book.codes[number] = book.coding.text(record, 2, is_short=not book.coding.is_unicode)
    elif kind == _CELL_FORMAT:
        book.cell_formats.append((number, int.from_bytes(record[2:4], "little")))
    elif kind == _FONT:
        book.fonts.append(font_of(record, book.coding))
    elif kind == _SHARED or (kind == _CONTINUED and follows_shared):
        book.shared.append(record)


def _visible_sheets(
    stream: bytes, sheets: list[_Sheet], formats: BinaryFormats
) -> Iterator[tuple[_Sheet, BinarySheet]]:
    """Yield the visible sheets with their cells; no byte of the stream is read for two sheets."""
    ends = sorted({sheet.start for sheet in sheets} | {len(stream)})
    following = dict(pairwise(ends))
    for sheet in sheets:
        end = following.pop(sheet.start, 0)
        if sheet.is_visible:
            yield sheet, _cells(stream, sheet.start, end, formats)


def _cells(stream: bytes, start: int, end: int, formats: BinaryFormats) -> BinarySheet:
    sheet = BinarySheet(formats)
    depth = 0
    for kind, record in records(stream, start, end):
        # Charts within a sheet have a start and an end of their own.
        depth += (kind == _START) - (kind == _END)
        if depth <= 0:
            break
        if depth == 1:
            sheet.add(kind, record)
    return sheet
