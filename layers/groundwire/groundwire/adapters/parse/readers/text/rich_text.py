"""Rich text, made ready for the parser library, which drops footnotes and leaves titles as they are escaped."""

import re
import struct
from typing import Final

from groundwire.domain.errors import DocumentRefused

_HEADER: Final = struct.Struct("<IIII")
_COMPRESSED: Final = 0x75465A4C
_STORED: Final = 0x414C454D
_WINDOW: Final = 4096
_TEXT_MAX: Final = 64 * 1_048_576
_BEGINNING: Final = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""What every window holds before the first byte."""


def decompress_rtf(packed: bytes) -> bytes:
    """The rich text; empty when nothing, or nothing that can be unpacked, is there.

    Raises:
        DocumentRefused: it unpacks to more than is safe to read.
    """
    if len(packed) < _HEADER.size:
        return b""
    _, length, kind, _ = _HEADER.unpack_from(packed)
    if length > _TEXT_MAX:
        raise DocumentRefused("it unpacks to more than is safe to read")
    if kind == _STORED:
        return packed[_HEADER.size :][:length]
    return _decompress(packed, length) if kind == _COMPRESSED else b""


def _decompress(packed: bytes, length: int) -> bytes:
    """Tokens in eights behind a byte that says which are references into what came before, two bytes each."""
    text = bytearray(_BEGINNING)
    whole = len(_BEGINNING) + length
    at = _HEADER.size
    while at < len(packed) and len(text) < whole:
        control, at = packed[at], at + 1
        for bit in range(8):
            if not control >> bit & 1:
                text += packed[at : at + 1]
                at += 1
            elif at + 1 < len(packed):
                reference = packed[at] << 8 | packed[at + 1]
                at += 2
                if not _copy_reference(text, reference):
                    return bytes(text[len(_BEGINNING) : whole])
    return bytes(text[len(_BEGINNING) : whole])


def _copy_reference(text: bytearray, reference: int) -> bool:
    """What the reference means is appended; whether the text goes on after it."""
    place, count = reference >> 4, (reference & 15) + 2
    back = (len(text) - place) % _WINDOW
    if back == 0 or back > len(text):
        return False
    for _ in range(count):
        text.append(text[-back])
    return True


_NOTE: Final = re.compile(rb"\{(?:\\\*)?\\footnote\b")
_ESCAPE: Final = re.compile(r"\\u(-?\d{1,6}) ?(?:\\'[0-9a-fA-F]{2}|\?)?|\\'([0-9a-fA-F]{2})")


def with_inline_footnotes(content: bytes) -> bytes:
    """The file with each footnote as part of the paragraph that it is anchored in."""
    return _NOTE.sub(rb"{ ", content)


def unescape(text: str) -> str:
    """A property's text with its characters in place of their numbers."""
    return _ESCAPE.sub(_character, text)


def _character(escape: re.Match[str]) -> str:
    if escape[1] is not None:
        return chr(int(escape[1]) % 0x10000)
    return bytes([int(escape[2], 16)]).decode("cp1252", "replace")
