"""Decoding of text files in any common encoding.

The parser library detects the encoding even of a few words, but drops indentation. So the text is decoded here, by the
first codec that gives the same letters as the library.
"""

import codecs
from typing import Final

from groundwire_readers.formats import utf16_order
from groundwire_readers.readers.encodings import detection
from groundwire_readers.readers.encodings.code_pages import likeliest

_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Several codecs can give the same letters; more common ones come first.
_CODECS: Final = (
    *("cp1252", "cp932", "euc_jp", "iso2022_jp", "gb18030", "big5hkscs", "cp950", "cp949", "cp1251", "koi8_u"),
    *("cp1250", "iso8859_2", "cp1253", "iso8859_7", "cp1254", "cp1255", "iso8859_8", "cp1256", "iso8859_6", "cp1257"),
    *("cp1258", "cp874", "iso8859_5", "cp866", "iso8859_4", "iso8859_15", "utf-16-le", "utf-16-be"),
)
_WIDE_ENCODINGS: Final = (
    *("shift", "sjis", "windows_31j", "ms932", "cp932", "cp949", "euc", "iso_2022", "gb", "hz", "big5"),
)
"""Starts of the names of encodings with several bytes per character, whose declaration is taken."""
_SAMPLE_BYTES: Final = 65_536


def decode_text(content: bytes) -> str:
    """Return the text, decoded by its byte order mark, else as UTF-8 if valid, else by the most likely encoding."""
    return decode_declared(content, "")


def decode_declared(content: bytes, declared: str) -> str:
    """Return the text in its declared encoding, unless the bytes show another one.

    A byte order mark, and valid UTF-8 beyond ASCII, are surer than a declaration of an encoding of one byte per
    character, which programs write out of habit.

    Args:
        content: bytes of the text.
        declared: name of the encoding; empty or unknown without a declaration.
    """
    for mark, codec in _BOMS:
        if content.startswith(mark):
            return content[len(mark) :].decode(codec, errors="replace")
    if (codec := utf16_order(content)) is not None:
        return content.decode(codec, errors="replace")
    name = declared.lower().replace("-", "_")
    is_wide = name.startswith(_WIDE_ENCODINGS)
    is_plain = b"\x1b" not in content  # ISO-2022 is valid UTF-8, too
    # Without a mark and without zeros, text of a declared UTF-16 is UTF-8 (HTML, 13.2.3.3).
    tried = [declared] if is_wide else ["utf-8" if is_plain else "", "" if name.startswith("utf") else declared]
    for codec in tried:
        try:
            return content.decode(codec)
        except (LookupError, ValueError):
            continue
    if is_wide and is_plain:
        return decode_declared(content, "")
    sample = _sample(content)
    return content.decode(likeliest(sample, _detect_codec(sample)), errors="replace")


def _sample(content: bytes) -> bytes:
    """Return the start of the file up to a line end, so that no multi-byte character is cut."""
    beginning = content[:_SAMPLE_BYTES]
    end = beginning.rfind(b"\n") + 1
    return beginning[:end] if len(content) > _SAMPLE_BYTES and end else beginning


def _detect_codec(sample: bytes) -> str:
    letters = _letters(detection.extract_plain_text(sample))
    for codec in _CODECS:
        try:
            if _letters(sample.decode(codec)) == letters:
                return codec
        except UnicodeDecodeError:
            continue
    return "cp1252"


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())
