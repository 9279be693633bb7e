"""Values as people write them on one line: 2024, 2024-05-31, true, 'text in quotes', or text without."""

import re
from collections.abc import Iterator
from typing import Final

from groundwire.domain.documents.metadata import Scalar, comparable_value
from groundwire.domain.errors import InvalidInput
from groundwire_readers.text.normalisation import normalise

_NUMBER: Final = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
"""Number syntax of JSON: 007 is text, such as an article's number."""
_QUOTES: Final = ("'", '"')
_QUOTED: Final = re.compile(r"""'(?:[^']|'')*+'|"(?:[^"]|"")*+\"""", re.DOTALL)
_ITEM: Final = re.compile(rf"\s*+((?:{_QUOTED.pattern})(?=\s*+(?:,|\Z))|[^,]*+)\s*+", re.DOTALL)
_BOOLEANS: Final = {"true": True, "false": False}


def parse_bare(text: str) -> Scalar:
    """Return the value of text without quotes; a number too large for a float is infinite."""
    if text.lower() in _BOOLEANS:
        return _BOOLEANS[text.lower()]
    if _NUMBER.fullmatch(text):
        return float(text)
    return comparable_value(normalise(text))


def unquote(text: str) -> str:
    """Return the text between quotes, in which a quote is written twice."""
    mark = text[0]
    return normalise(text[1:-1].replace(mark * 2, mark))


def quote(text: str) -> str:
    """Return the text in single quotes; quotes inside are doubled."""
    return "'" + text.replace("'", "''") + "'"


def format_literal(value: Scalar) -> str:
    """Format the value so that `parse_bare` or `unquote` reads it back."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return quote(value)
        case int() | float():
            return repr(value)
        case _:
            return value.isoformat()


def parse_literals(text: str) -> list[Scalar]:
    """Return the values of `[a, 'b, c']`, or the one value of text without brackets.

    Raises:
        InvalidInput: a quote or a bracket is not closed, or an item is missing.
    """
    text = text.strip()
    if not text.startswith("["):
        return [_parse_literal(text)]
    if not text.endswith("]"):
        raise InvalidInput(f"{text}: the list is not closed; write [a, b], or put the text in quotes.")
    inner = text[1:-1].strip()
    return [_parse_literal(item) for item in _items(inner)] if inner else []


def _items(inner: str) -> Iterator[str]:
    """Yield the texts between the commas outside quotes."""
    position = 0
    while position <= len(inner) and (found := _ITEM.match(inner, position)):
        if not found[1]:
            raise InvalidInput(f"[{inner}]: an item is missing; write '' for an empty text.")
        yield found[1].rstrip()
        position = found.end() + 1


def _parse_literal(text: str) -> Scalar:
    if _QUOTED.fullmatch(text):
        return unquote(text)
    if text[:1] in _QUOTES:
        raise InvalidInput(f"{text}: the quote is not closed.")
    return parse_bare(text)
