"""Decoding of text files in any common encoding.

The parser library detects the encoding even of a few words, but drops indentation. So the text is decoded here, by the
first codec that gives the same letters as the library.
"""

import codecs
from typing import Final

from groundwire_readers.readers.xberg import detection

_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Several codecs can give the same letters; more common ones come first.
_CODECS: Final = (
    *("cp1252", "cp932", "euc_jp", "iso2022_jp", "gb18030", "big5hkscs", "cp950", "cp949", "cp1251", "koi8_u"),
    *("cp1250", "iso8859_2", "cp1253", "iso8859_7", "cp1254", "cp1255", "iso8859_8", "cp1256", "iso8859_6", "cp1257"),
    *("cp1258", "cp874", "iso8859_5", "cp866", "iso8859_4", "iso8859_15", "utf-16-le", "utf-16-be"),
)
_SAMPLE_BYTES: Final = 65_536


def decode_text(content: bytes) -> str:
    """Return the text, decoded by its byte order mark, else as UTF-8 if valid, else by the most likely encoding."""
    for mark, codec in _BOMS:
        if content.startswith(mark):
            return content[len(mark) :].decode(codec, errors="replace")
    if b"\x1b" not in content:  # ISO-2022 is valid UTF-8, too
        try:
            return content.decode()
        except UnicodeDecodeError:
            pass
    return content.decode(_detect_codec(_sample(content)), errors="replace")


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
