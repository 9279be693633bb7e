"""Detection of binary data that a text format holds as letters: pictures, fonts and signatures in Base64."""

import re
from typing import Final

_LEAST: Final = 200
_BASE64: Final = re.compile(
    r"(?:data:[\w/+.;=-]{0,100},)?+(?=.{0,400}[A-Z])(?=.{0,400}[a-z])(?=.{0,400}[0-9+/])"
    r"(?:[A-Za-z0-9+/_=-]{40,}+\s*+)++[A-Za-z0-9+/_=-]*\s*",
    re.DOTALL,
)
"""Lines of at least 40 characters without a blank, the last of any length; a sequence of genes has capitals alone."""


def is_binary_data(text: str) -> bool:
    """Return whether the text is binary data in Base64, in one line or several."""
    return len(text) >= _LEAST and _BASE64.fullmatch(text.strip()) is not None
