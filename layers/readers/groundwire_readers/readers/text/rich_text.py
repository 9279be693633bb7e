"""Preparation of RTF for the parser library: decompression, inline footnotes, removal of text beside the body."""

import re
import struct
import sys
from typing import Final

from groundwire_readers.errors import UnreadableDocument
from groundwire_readers.readers.text.rich_text_lists import with_list_numbers
from groundwire_readers.readers.text.rich_text_visibility import with_invisible_marked
from groundwire_readers.text.runs import note_label, note_mark

_HEADER: Final = struct.Struct("<IIII")
_COMPRESSED: Final = 0x75465A4C
_STORED: Final = 0x414C454D
_WINDOW: Final = 4096
_MAX_TEXT_BYTES: Final = 64 * 1_048_576
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
    if length > _MAX_TEXT_BYTES:
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
    # Offsets are positions in a ring buffer of 4,096 bytes; `text` has all bytes in order.
    distance = (len(text) - offset) % _WINDOW
    # [MS-OXRTFCP]: a reference to the write position marks the end.
    if distance == 0 or distance > len(text):
        return False
    # Byte by byte, since a reference may reach into what it writes.
    for _ in range(count):
        text.append(text[-distance])
    return True


_NOTE: Final = re.compile(rb"\{(?:\\\*)?\\footnote\b")
_ESCAPE: Final = re.compile(r"\\u(-?\d{1,10}) ?(?:\\'[0-9a-fA-F]{2}|\?)?|\\'([0-9a-fA-F]{2})")
_BROKEN_ESCAPE: Final = re.compile(rb"(\\u-?\d{1,5} ?)[\r\n]++(?=\\')")
"""Unicode escape that a line end separates from its fallback character for programs without Unicode."""
_ESCAPE_PAIR: Final = re.compile(rb"\\u(-?\d{5}) ?(?:\\'[0-9a-fA-F]{2}|[^\\{}\r\n])?[\r\n]*+\\u(-?\d{4,5})(?!\d)")
"""Two adjacent Unicode escapes, the first with its fallback character."""
_BESIDE_BODY: Final = re.compile(rb"\{\s*+(?:\\(?:header|footer)[lrf]?|\\\*\s*+\\datafield)(?![a-zA-Z])")
"""Start of a group for a running header or footer, or for field data, which is not displayed."""
_NOTE_NUMBER: Final = rb"\chftn"
_MARK_BYTES: Final = 200
"""Bytes before a note in which its number is."""
_PARAGRAPH: Final = re.compile(rb"\\pard?(?![a-zA-Z])")
_MAX_PAGE_HEADERS: Final = 24
_COUNTING_FIELD: Final = re.compile(
    rb"\{\\field[^{}]{0,80}\{\\\*\\fldinst[^A-Z{}]{0,80}\{?[^A-Z{}]{0,80}(?:PAGE|NUMPAGES|SECTIONPAGES)\b[^{}]{0,80}\}?"
    rb"[^{}]{0,80}\}\s{0,9}\{\\fldrslt[^{}]{0,80}(?:\{[^{}]{0,80}\})?[^{}]{0,80}\}[^{}]{0,80}\}|\\chpgn\b"
)
"""Field of a header that counts pages, with its result."""
_SIGN: Final = re.compile(rb"\\bin\d{1,10}|\\([\\{}~_-])")
_SIGNS: Final = {b"~": b" ", b"_": b"-", b"-": b""}
"""Text of the control symbols that the library shows as they are written: blank, hyphen and optional hyphen."""
_LIST_TEXT: Final = re.compile(rb"\{\\(?:listtext|pntext)(?![a-zA-Z])([^{}]{0,400})\}")
_NOT_NUMBER: Final = re.compile(rb"\\(?!u-?\d|')[a-zA-Z]{1,32}-?\d{0,10} ?|[\r\n]")
"""Control words but Unicode escapes, and line ends, in the number of a list item."""
_BRACE: Final = re.compile(rb"\\[\\{}]|\\bin(\d{1,10})[ ]?|[{}]")
_ESCAPE_CODES: Final = 0x10000
"""Number of codes of a `\\u` escape, whose upper half is written as negative numbers."""
_UNKNOWN: Final = "\ufffd"


def body_text(content: bytes) -> bytes:
    """Return the file without running headers, footers and field data, and with invisible text marked as hidden.

    Footnotes become paragraphs at the end, and surrogate pairs one character.
    """
    numbered = _LIST_TEXT.sub(
        _list_number, _SIGN.sub(_sign, _with_notes_last(with_list_numbers(_without_groups(content))))
    )
    whole_codes = _BROKEN_ESCAPE.sub(rb"\1", with_invisible_marked(numbered))
    return _ESCAPE_PAIR.sub(_joined_escape, _NOTE.sub(rb"{ ", whole_codes))


def page_headers(content: bytes) -> bytes:
    """Return a file with the running headers and footers of this one as its text; empty without any."""
    found = [start for start in _BESIDE_BODY.finditer(content) if b"datafield" not in start[0]]
    ends = [_group_end(content, start.start()) for start in found[:_MAX_PAGE_HEADERS]]
    groups = [content[start.end() : end - 1] for start, end in zip(found, ends, strict=False) if end is not None]
    groups = [group for group in groups if b"\\bin" not in group]
    if not groups:
        return b""
    # Fonts and colours are declared before the first header.
    texts = (b"\\par\\pard\\plain " + _COUNTING_FIELD.sub(b"", group) for group in groups)
    return b"%b%b}" % (content[: found[0].start()], b"".join(texts))


def _with_notes_last(content: bytes) -> bytes:
    """Return the file with its numbered notes as paragraphs at the end; a note with a mark of its own stays."""
    kept: list[bytes] = []
    notes: list[bytes] = []
    position = 0
    for start in _NOTE.finditer(content):
        place = content.rfind(_NOTE_NUMBER, max(position, start.start() - _MARK_BYTES), start.start())
        end = _group_end(content, start.start())
        if place < position or end is None:
            continue
        label = str(len(notes) + 1)
        kept += [
            content[position:place],
            content[place + len(_NOTE_NUMBER) : start.start()],
            _escaped(note_mark(label)),
        ]
        note = content[start.end() : end - 1].replace(_NOTE_NUMBER, b"")
        note = _PARAGRAPH.sub(lambda word: b"" if word[0].endswith(b"d") else b" ", note)
        notes.append(b"\\par\\pard\\plain %b{%b}" % (_escaped(note_label(label)), note))
        position = end
    last = content.rfind(b"}")
    return b"".join([*kept, content[position:last], *notes, content[last:]]) if notes else content


def _escaped(text: str) -> bytes:
    codes = (ord(sign) - _ESCAPE_CODES if ord(sign) >= _ESCAPE_CODES // 2 else ord(sign) for sign in text)
    return b"{\\uc0%b}" % b"".join(b"\\u%d " % code for code in codes)


def _sign(symbol: re.Match[bytes]) -> bytes:
    return _SIGNS.get(symbol[1], symbol[0])


def _list_number(item: re.Match[bytes]) -> bytes:
    """Return the number of a list item as text of its paragraph; nothing for a bullet."""
    number = _NOT_NUMBER.sub(b"", item[1]).strip()
    return b"{%b }" % number if any(map(str.isalnum, _ESCAPE.sub(_character, number.decode("latin-1")))) else b""


def _without_groups(content: bytes) -> bytes:
    """Return the file without groups of `_BESIDE_BODY`; an unclosed group is kept."""
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
    """Return the end of the group that starts at the position; None if it is unclosed."""
    depth, position = 0, start
    while (brace := _BRACE.search(content, position)) is not None:
        position = brace.end() + int(brace[1] or 0)
        depth += {b"{": 1, b"}": -1}.get(brace[0], 0)
        if depth == 0:
            return position
    return None


def unescape(text: str) -> str:
    """Return the text of a property with RTF escapes decoded; U+FFFD for invalid codes."""
    return _joined_surrogates(_ESCAPE.sub(_character, text))


def _character(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return bytes([int(escape[2], 16)]).decode("cp1252", "replace")
    code = int(escape[1])
    if 0 <= code <= sys.maxunicode:
        return chr(code)
    return chr(code + _ESCAPE_CODES) if -_ESCAPE_CODES // 2 <= code < 0 else _UNKNOWN


def _joined_surrogates(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _joined_escape(pair: re.Match[bytes]) -> bytes:
    """Return the escape of the character that a surrogate pair encodes; other escapes are unchanged."""
    text = _joined_surrogates("".join(chr(int(code) % _ESCAPE_CODES) for code in pair.groups()))
    return rb"\u%d" % ord(text) if len(text) == 1 and ord(text) >= _ESCAPE_CODES else pair[0]
