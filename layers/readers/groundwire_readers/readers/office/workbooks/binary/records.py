"""Records of a binary workbook, and the texts in them."""

import codecs
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from groundwire_readers.readers.office.workbooks.rich_texts import SharedText, TextRun
from groundwire_readers.readers.office.workbooks.visibility.cell_styles import CellFont
from groundwire_readers.text.runs import GAP, Mark

_HEADER: Final = struct.Struct("<HH")
_WIDE: Final = 0x01
_EXTENDED: Final = 0x04
_RICH: Final = 0x08
_RUN_BYTES: Final = 4
_UTF_16: Final = 1200
_WESTERN: Final = "cp1252"
_MAC_CODE_PAGES: Final = {10000: "mac_roman", 32768: "mac_roman", 32769: _WESTERN}


def records(book: bytes, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield type and content of each record between two positions of the stream."""
    position = start
    while position + _HEADER.size <= end:
        kind, length = _HEADER.unpack_from(book, position)
        position += _HEADER.size
        yield kind, book[position : position + length]
        position += length


@dataclass(frozen=True, slots=True)
class TextCoding:
    """Coding of texts: of one or two bytes per character since Excel 97 (`is_unicode`), before in a code page."""

    is_unicode: bool
    code_page: str = _WESTERN

    def text(self, record: bytes, position: int, *, is_short: bool = False) -> str:
        """Return the text at a position; its length has two bytes, or one if it `is_short`."""
        counted = record[position : position + (1 if is_short else 2)]
        start, length = position + len(counted), int.from_bytes(counted, "little")
        if not self.is_unicode:
            return record[start : start + length].decode(self.code_page, "replace")
        return _characters(
            record[start + 1 :], length, is_wide=bool(record[start : start + 1] and record[start] & _WIDE)
        )


def code_page_name(number: int) -> str:
    """Return the name of a code page; the Western one if it is unknown, or no code page of texts."""
    name = _MAC_CODE_PAGES.get(number, f"cp{number}")
    try:
        return _WESTERN if number == _UTF_16 else codecs.lookup(name).name
    except LookupError:
        return _WESTERN


def _characters(content: bytes, length: int, *, is_wide: bool) -> str:
    return content[: 2 * length].decode("utf-16-le", "replace") if is_wide else content[:length].decode("latin-1")


_STRUCK: Final = 0x08
_MARKS: Final = {1: Mark.RAISED, 2: Mark.LOWERED}
_FONT_NAME_OFFSET: Final = 14
_MISSING_FONT: Final = 4
"""Number that no font has: those behind it are one place before their number."""


def font_of(record: bytes, coding: TextCoding) -> CellFont:
    """Return the font of a record; its colour is not read."""
    flags, position = (int.from_bytes(record[start : start + 2], "little") for start in (2, 8))
    mark = GAP if flags & _STRUCK else _MARKS.get(position, "")
    return CellFont(None, is_tiny=False, mark=mark, name=coding.text(record, _FONT_NAME_OFFSET, is_short=True))


def font_at(fonts: Sequence[CellFont], number: int) -> CellFont:
    """Return the font of this number; an ordinary one where the workbook has no such font."""
    place = number - (number > _MISSING_FONT)
    return fonts[place] if place < len(fonts) else CellFont(None, is_tiny=False)


class SharedStrings:
    """Reader of the texts that cells share: those of one record, and of the records that continue it."""

    def __init__(self, parts: Sequence[bytes], fonts: Sequence[CellFont]) -> None:
        """Initialise with the contents of the records, and the fonts of the workbook."""
        self._parts = parts
        self._fonts = fonts
        self._part = 0
        self._position = 8

    def texts(self) -> Iterator[SharedText]:
        """Yield the texts in their order."""
        while header := self._taken(3):
            length, flags = int.from_bytes(header[:2], "little"), header[-1]
            runs = int.from_bytes(self._taken(2), "little") if flags & _RICH else 0
            extension = int.from_bytes(self._taken(4), "little") if flags & _EXTENDED else 0
            text = self._text(length, is_wide=bool(flags & _WIDE))
            yield self._in_runs(text, [self._taken(_RUN_BYTES) for _ in range(runs)]) if runs else text
            self._skip(extension)

    def _in_runs(self, text: str, runs: Sequence[bytes]) -> SharedText:
        """Return the runs of a text; each record has the place where a run starts, and the number of its font."""
        # Places that go back would repeat the text for each run.
        starts = list(accumulate((int.from_bytes(run[:2], "little") for run in runs), max))
        places = list(zip(starts, (int.from_bytes(run[2:], "little") for run in runs), strict=True))
        ends = [*(start for start, _ in places[1:]), len(text)]
        first = TextRun(None, text[: places[0][0]])
        others = (
            TextRun(font_at(self._fonts, font), text[start:end])
            for (start, font), end in zip(places, ends, strict=True)
        )
        return tuple(run for run in (first, *others) if run.text)

    def _text(self, length: int, *, is_wide: bool) -> str:
        pieces: list[str] = []
        while length > 0 and self._part < len(self._parts):
            size = 2 if is_wide else 1
            available = min(length, (len(self._parts[self._part]) - self._position) // size)
            content = self._parts[self._part][self._position : self._position + available * size]
            pieces.append(_characters(content, available, is_wide=is_wide))
            self._position += available * size
            length -= available
            if length > 0:
                # A text goes on in the next record, whose first byte tells the size of its characters.
                self._part, self._position = self._part + 1, 1
                flags = self._parts[self._part][:1] if self._part < len(self._parts) else b""
                is_wide = bool(flags and flags[0] & _WIDE)
        return "".join(pieces)

    def _taken(self, size: int) -> bytes:
        """Return the next bytes, which are never divided; empty at the end."""
        while self._part < len(self._parts) and self._position >= len(self._parts[self._part]):
            self._part, self._position = self._part + 1, 0
        if self._part >= len(self._parts):
            return b""
        self._position += size
        return self._parts[self._part][self._position - size : self._position]

    def _skip(self, size: int) -> None:
        while size > 0 and self._part < len(self._parts):
            step = min(size, len(self._parts[self._part]) - self._position)
            self._position, size = self._position + max(0, step), size - max(0, step)
            if size > 0:
                self._part, self._position = self._part + 1, 0
