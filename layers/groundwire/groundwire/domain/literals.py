"""Values as people write them on one line: 2024, 2024-05-31, true, 'text in quotes', or text without."""

import re
from collections.abc import Iterator
from typing import Final

from groundwire.domain.errors import Invalid
from groundwire.domain.metadata import Scalar, as_meant
from groundwire.domain.text import normalise

_NUMBER: Final = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
"""As in JSON: 007 is text, such as an article's number."""
_QUOTES: Final = ("'", '"')
_QUOTED: Final = re.compile(r"""'(?:[^']|'')*+'|"(?:[^"]|"")*+\"""", re.DOTALL)
_ITEM: Final = re.compile(rf"\s*+((?:{_QUOTED.pattern})(?=\s*+(?:,|\Z))|[^,]*+)\s*+", re.DOTALL)
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


def literals(text: str) -> list[Scalar]:
    """The values of `[a, 'b, c']`, or the one value that stands without brackets.

    Raises:
        Invalid: a quote or a bracket that is not closed, or nothing between two commas.
    """
    text = text.strip()
    if not text.startswith("["):
        return [_literal(text)]
    if not text.endswith("]"):
        raise Invalid(f"{text}: the list is not closed; write [a, b], or put the text in quotes.")
    inner = text[1:-1].strip()
    return [_literal(item) for item in _items(inner)] if inner else []


def _items(inner: str) -> Iterator[str]:
    """What stands between the commas outside quotes."""
    at = 0
    while at <= len(inner) and (found := _ITEM.match(inner, at)):
        if not found[1]:
            raise Invalid(f"[{inner}]: an item is missing; write '' for an empty text.")
        yield found[1].rstrip()
        at = found.end() + 1


def _literal(text: str) -> Scalar:
    if _QUOTED.fullmatch(text):
        return unquoted(text)
    if text[:1] in _QUOTES:
        raise Invalid(f"{text}: the quote is not closed.")
    return bare(text)
