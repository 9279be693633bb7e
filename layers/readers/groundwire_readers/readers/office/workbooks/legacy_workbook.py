"""Hidden sheets of a workbook from before 2007, detected in its records ([MS-XLS], version 13)."""

import struct
from collections.abc import Iterator
from typing import Final

from groundwire_readers.containers.compound_file import CompoundFile

_SHEET: Final = 0x0085
_SHEET_END: Final = 0x000A
_HEADER: Final = struct.Struct("<HH")
_STATE: Final = 4
_NAME: Final = 6


def hidden_sheets(content: bytes) -> frozenset[str]:
    """Return the names of the sheets that the workbook does not show.

    Raises:
        UnreadableDocument: damaged.
    """
    file = CompoundFile(content)
    members = file.members(CompoundFile.root)
    number = members.get("Workbook")
    book = b"" if number is None else file.stream(number)
    listed = (record for kind, record in _records(book) if kind == _SHEET and len(record) > _NAME + 2)
    # [MS-XLS] 2.4.28: 1 is hidden, 2 is hidden from the list of hidden sheets as well.
    return frozenset(_name(record) for record in listed if record[_STATE] & 3)


def _records(book: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield type and content of the records of the workbook's first part, which lists its sheets."""
    position = 0
    while position + _HEADER.size <= len(book):
        kind, length = _HEADER.unpack_from(book, position)
        position += _HEADER.size
        yield kind, book[position : position + length]
        position += length
        if kind == _SHEET_END:
            return


def _name(record: bytes) -> str:
    """Return the sheet's name, of one or two bytes per character."""
    length, is_wide, text = record[_NAME], record[_NAME + 1] & 1, record[_NAME + 2 :]
    return text[: 2 * length].decode("utf-16-le", "replace") if is_wide else text[:length].decode("latin-1")
