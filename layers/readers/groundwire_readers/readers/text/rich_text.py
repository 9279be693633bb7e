"""Preparation of RTF for the parser library: decompression, inline footnotes, text of the body alone, properties."""

import re
import struct
import sys
from typing import Final

from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.text.rich_text_visibility import with_unseen_marked

_HEADER: Final = struct.Struct("<IIII")
_COMPRESSED: Final = 0x75465A4C
_STORED: Final = 0x414C454D
_WINDOW: Final = 4096
_TEXT_MAX: Final = 64 * 1_048_576
_INITIAL_WINDOW: Final = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""Initial content of every decompression window."""


def decompress_rtf(packed: bytes) -> bytes:
    """Return the decompressed RTF ([MS-OXRTFCP]); empty if it is missing or of an unknown kind.

    Raises:
        UnreadableDocument: it unpacks to more than is safe to read.
    """
    if len(packed) < _HEADER.size:
        return b""
    _, length, kind, _ = _HEADER.unpack_from(packed)
    if length > _TEXT_MAX:
        raise UnreadableDocument("it unpacks to more than is safe to read")
    if kind == _STORED:
        return packed[_HEADER.size :][:length]
    return _decompress(packed, length) if kind == _COMPRESSED else b""


def _decompress(packed: bytes, length: int) -> bytes:
    """Return the decompressed text.

    A control byte precedes eight tokens; its bits mark those that are two-byte references to earlier text.
    """
    text = bytearray(_INITIAL_WINDOW)
    total_length = len(_INITIAL_WINDOW) + length
    position = _HEADER.size
    while position < len(packed) and len(text) < total_length:
        control, position = packed[position], position + 1
        for bit in range(8):
            if not control >> bit & 1:
                text += packed[position : position + 1]
                position += 1
            elif position + 1 < len(packed):
                reference = packed[position] << 8 | packed[position + 1]
                position += 2
                if not _copy_reference(text, reference):
                    return bytes(text[len(_INITIAL_WINDOW) : total_length])
    return bytes(text[len(_INITIAL_WINDOW) : total_length])


def _copy_reference(text: bytearray, reference: int) -> bool:
    """Append the referenced text; return whether more text follows."""
    offset, count = reference >> 4, (reference & 15) + 2
    # Offsets are places in a ring of 4,096 bytes; `text` holds all bytes in their order.
    distance = (len(text) - offset) % _WINDOW
    # [MS-OXRTFCP]: a reference to the place of writing marks the end.
    if distance == 0 or distance > len(text):
        return False
    # Byte by byte, since a reference may reach into what it writes.
    for _ in range(count):
        text.append(text[-distance])
    return True


_NOTE: Final = re.compile(rb"\{(?:\\\*)?\\footnote\b")
_ESCAPE: Final = re.compile(r"\\u(-?\d{1,10}) ?(?:\\'[0-9a-fA-F]{2}|\?)?|\\'([0-9a-fA-F]{2})")
_BROKEN_CODE: Final = re.compile(rb"(\\u-?\d{1,5} ?)[\r\n]++(?=\\')")
"""Character code that a line's end parts from the sign that programs without Unicode show for it."""
_PAIR: Final = re.compile(rb"\\u(-?\d{5}) ?(?:\\'[0-9a-fA-F]{2}|[^\\{}\r\n])?[\r\n]*+\\u(-?\d{4,5})(?!\d)")
"""Two character codes, the first with the sign that programs without Unicode show for it."""
_BESIDE_BODY: Final = re.compile(rb"\{\s*+(?:\\(?:header|footer)[lrf]?|\\\*\s*+\\datafield)(?![a-zA-Z])")
"""Start of a running header or footer, or of the data of a field, which readers of a document do not see."""
_BRACE: Final = re.compile(rb"\\[\\{}]|\\bin(\d{1,10})[ ]?|[{}]")
_CODES: Final = 0x10000
"""Number of the codes in RTF, half of which are written as negative numbers."""
_UNKNOWN: Final = "\ufffd"


def body_text(content: bytes) -> bytes:
    """Return the file without running headers and footers and the data of fields; what nobody sees is marked as hidden.

    Footnotes are in the paragraphs that they are anchored in, and surrogates are one character.
    """
    whole_codes = _BROKEN_CODE.sub(rb"\1", with_unseen_marked(_without_groups(content)))
    return _PAIR.sub(_whole_character, _NOTE.sub(rb"{ ", whole_codes))


def _without_groups(content: bytes) -> bytes:
    """Return the file without the groups beside its body; one that does not end is kept."""
    kept: list[bytes] = []
    position = 0
    while (start := _BESIDE_BODY.search(content, position)) is not None:
        end = _group_end(content, start.start())
        if end is None:
            break
        kept.append(content[position : start.start()])
        position = end
    return b"".join([*kept, content[position:]])


def _group_end(content: bytes, start: int) -> int | None:
    """Return the position after the group that starts here; None where it has no end."""
    depth, position = 0, start
    while (brace := _BRACE.search(content, position)) is not None:
        position = brace.end() + int(brace[1] or 0)
        depth += {b"{": 1, b"}": -1}.get(brace[0], 0)
        if depth == 0:
            return position
    return None


def unescape(text: str) -> str:
    """Return a property's text with escapes replaced by their characters; U+FFFD for codes that there are not."""
    return _joined_surrogates(_ESCAPE.sub(_character, text))


def _character(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return bytes([int(escape[2], 16)]).decode("cp1252", "replace")
    code = int(escape[1])
    if 0 <= code <= sys.maxunicode:
        return chr(code)
    return chr(code + _CODES) if -_CODES // 2 <= code < 0 else _UNKNOWN


def _joined_surrogates(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _whole_character(pair: re.Match[bytes]) -> bytes:
    """Return the code of the character that two surrogates are; other codes as they are."""
    text = _joined_surrogates("".join(chr(int(code) % _CODES) for code in pair.groups()))
    return rb"\u%d" % ord(text) if len(text) == 1 and ord(text) >= _CODES else pair[0]
