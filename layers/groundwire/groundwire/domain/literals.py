"""Values as people write them on one line: 2024, 2024-05-31, true, 'text in quotes', or text without."""

import re
from typing import Final

from groundwire.domain.metadata import Scalar, as_meant
from groundwire.domain.text import normalise

_NUMBER: Final = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
"""As in JSON: 007 is text, such as an article's number."""
_TRUTHS: Final = {"true": True, "false": False}


def bare(text: str) -> Scalar:
    """What text without quotes stands for; a number too large to be one is infinite."""
    if text.lower() in _TRUTHS:
        return _TRUTHS[text.lower()]
    if _NUMBER.fullmatch(text):
        return float(text)
    return as_meant(normalise(text))


def unquoted(text: str) -> str:
    """The text between quotes, in which a quote is written twice."""
    mark = text[0]
    return normalise(text[1:-1].replace(mark * 2, mark))


def quoted(text: str) -> str:
    """The text in single quotes, whatever it holds."""
    return "'" + text.replace("'", "''") + "'"


def spelled(value: Scalar) -> str:
    """The value as `bare` or `unquoted` reads it."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return quoted(value)
        case int() | float():
            return repr(value)
        case _:
            return value.isoformat()
