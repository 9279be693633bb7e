"""Detection of hidden sheets in a binary workbook (.xls) from its BoundSheet8 records ([MS-XLS], version 13)."""

import struct
from collections.abc import Iterator
from typing import Final

from groundwire_readers.containers.compound_file import CompoundFile

_BOUND_SHEET: Final = 0x0085
_END_OF_SUBSTREAM: Final = 0x000A
_RECORD_HEADER: Final = struct.Struct("<HH")
_STATE_OFFSET: Final = 4
_NAME_OFFSET: Final = 6


def hidden_sheets(content: bytes) -> frozenset[str]:
    """Return the names of the hidden sheets.

    Raises:
        UnreadableDocument: damaged.
    """
    file = CompoundFile(content)
    members = file.members(CompoundFile.root)
    number = members.get("Workbook")
    book = b"" if number is None else file.stream(number)
    listed = (record for kind, record in _records(book) if kind == _BOUND_SHEET and len(record) > _NAME_OFFSET + 2)
    # [MS-XLS] 2.4.28: 1 is hidden, 2 is very hidden, which users cannot unhide.
    return frozenset(_name(record) for record in listed if record[_STATE_OFFSET] & 3)


def _records(book: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield type and content of the records of the globals substream, which lists the sheets."""
    position = 0
    while position + _RECORD_HEADER.size <= len(book):
        kind, length = _RECORD_HEADER.unpack_from(book, position)
        position += _RECORD_HEADER.size
        yield kind, book[position : position + length]
        position += length
        if kind == _END_OF_SUBSTREAM:
            return


def _name(record: bytes) -> str:
    """Return the sheet's name, which has one or two bytes per character."""
    length, is_wide, text = record[_NAME_OFFSET], record[_NAME_OFFSET + 1] & 1, record[_NAME_OFFSET + 2 :]
    return text[: 2 * length].decode("utf-16-le", "replace") if is_wide else text[:length].decode("latin-1")
