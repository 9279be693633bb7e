"""Detection of Base64 data in text formats, such as images, fonts and signatures."""

import re
from typing import Final

_MIN_CHARACTERS: Final = 200
"""Minimum length of binary data, in characters."""
_BASE64: Final = re.compile(
    r"(?:data:[\w/+.;=-]{0,100},)?+(?=.{0,400}[A-Z])(?=.{0,400}[a-z])(?=.{0,400}[0-9+/])"
    r"(?:[A-Za-z0-9+/_=-]{40,}+\s*+)++[A-Za-z0-9+/_=-]*\s*",
    re.DOTALL,
)
"""Base64: lines of at least 40 characters, with upper case, lower case and digits; gene sequences lack lower case."""


def is_binary_data(text: str) -> bool:
    """Return whether the text is binary data in Base64, in one line or several."""
    return len(text) >= _MIN_CHARACTERS and _BASE64.fullmatch(text.strip()) is not None
