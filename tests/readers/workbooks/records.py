"""Binary workbooks of one sheet made record by record ([MS-XLS])."""

import struct
from collections.abc import Sequence

from tests.readers.compound_files import compound

BOUNDARY = "|"
"""Place in a shared text at which the next record goes on."""


def binary_workbook(
    cells: bytes,
    codes: Sequence[str] = (),
    shared: Sequence[str] = (),
    *,
    is_1904: bool = False,
    is_unicode: bool = True,
    more: bytes = b"",
) -> bytes:
    """A workbook whose sheet has these records; format 0 is General, the next ones have these codes."""
    version = 0x0600 if is_unicode else 0x0500
    book = record(0x0809, struct.pack("<HHHHII", version, 5, 0, 0, 0, 0)) + record(0x0022, struct.pack("<H", is_1904))
    book += more + record(0xE0, struct.pack("<HH16x", 0, 0))
    for number, code in enumerate(codes, 200):
        book += record(0x041E, struct.pack("<H", number) + (_text(code) if is_unicode else _narrow(code)))
        book += record(0xE0, struct.pack("<HH16x", 0, number))
    name = b"\x07\0Figures" if is_unicode else b"\x07Figures"
    book += _shared(shared) if shared else b""
    position = len(book) + 4 + 6 + len(name) + 4
    book += record(0x85, struct.pack("<IBB", position, 0, 0) + name) + record(0x0A)
    sheet = record(0x0809, struct.pack("<HHHHII", version, 0x10, 0, 0, 0, 0)) + cells + record(0x0A)
    stream = (book + sheet).ljust(4096, b"\0")
    return compound({"Workbook" if is_unicode else "Book": stream})


def record(kind: int, content: bytes = b"") -> bytes:
    """A record."""
    return struct.pack("<HH", kind, len(content)) + content


def place(row: int, column: int, style: int = 0) -> bytes:
    """The place of a cell, from 0, and its format."""
    return struct.pack("<HHH", row, column, style)


def number(row: int, column: int, value: float, style: int = 0) -> bytes:
    """A cell with a number."""
    return record(0x0203, place(row, column, style) + struct.pack("<d", value))


def formula(row: int, column: int, result: bytes, style: int = 0) -> bytes:
    """A cell with a formula, whose result has eight bytes."""
    return record(0x0006, place(row, column, style) + result + bytes(14))


def label(row: int, column: int, text: str, *, is_unicode: bool = True) -> bytes:
    """A cell with a text of its own."""
    return record(
        0x0204,
        place(row, column) + (_text(text) if is_unicode else struct.pack("<H", len(text)) + text.encode("cp1251")),
    )


def text_result(text: str) -> bytes:
    """The text of the formula before it."""
    return record(0x0207, _text(text))


def _text(text: str) -> bytes:
    return struct.pack("<HB", len(text), 1) + text.encode("utf-16-le")


def _narrow(text: str) -> bytes:
    return struct.pack("<B", len(text)) + text.encode("cp1252")


def _shared(texts: Sequence[str]) -> bytes:
    """The shared texts: a bar in one ends a record; one with a star has runs of fonts, and a pronunciation."""
    parts = [struct.pack("<II", len(texts), len(texts))]
    for text in texts:
        pieces = text.replace("*", "").split(BOUNDARY)
        is_rich = "*" in text
        parts[-1] += struct.pack("<HB", sum(map(len, pieces)), 0x0C if is_rich else 0)
        parts[-1] += struct.pack("<HI", 2, 6) if is_rich else b""
        for position, piece in enumerate(pieces):
            # Each record tells anew whether its characters have two bytes.
            if position:
                parts.append(b"\1")
            parts[-1] += piece.encode("utf-16-le" if position else "latin-1")
        parts[-1] += bytes(14) if is_rich else b""
    return b"".join(record(0x3C if position else 0xFC, part) for position, part in enumerate(parts))
