"""Rich text, made ready for the parser library, which drops footnotes and leaves titles as they are escaped."""

import re
from typing import Final

_NOTE: Final = re.compile(rb"\{(?:\\\*)?\\footnote\b")
_ESCAPE: Final = re.compile(r"\\u(-?\d{1,6}) ?(?:\\'[0-9a-fA-F]{2}|\?)?|\\'([0-9a-fA-F]{2})")


def with_notes_in_place(content: bytes) -> bytes:
    """The file with each footnote as part of the paragraph that it is anchored in."""
    return _NOTE.sub(rb"{ ", content)


def unescaped(text: str) -> str:
    """A property's text with its characters in place of their numbers."""
    return _ESCAPE.sub(_character, text)


def _character(escape: re.Match[str]) -> str:
    if escape[1] is not None:
        return chr(int(escape[1]) % 0x10000)
    return bytes([int(escape[2], 16)]).decode("cp1252", "replace")
