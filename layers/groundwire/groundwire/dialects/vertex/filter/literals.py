"""Literals of CEL: texts with their escapes, exact integers, doubles, and points in time."""

import math
import re
from typing import Final

from groundwire.dialects.vertex.filter.lexer import CelToken, CelTokenKind
from groundwire.domain.documents.metadata import Scalar
from groundwire.domain.filters.grammar import UnreadableError
from groundwire.domain.filters.moments import Moment, utc_moment

_ESCAPE: Final = re.compile(
    r"""\\(?:(?P<sign>[abfnrtv\\?"'`])|[xX](?P<x>[0-9A-Fa-f]{2})|u(?P<u>[0-9A-Fa-f]{4})|U(?P<U>[0-9A-Fa-f]{8})"""
    r"""|(?P<octal>[0-3][0-7]{2})|(?P<wrong>.))|(?P<line>\r\n?)""",
    re.DOTALL,
)
_SIGNS: Final = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_BREAKS: Final = re.compile("\r\n?")
_INTEGER: Final = re.compile(r"(?:0[xX](?P<hexadecimal>[0-9A-Fa-f]+)|(?P<decimal>[0-9]+))(?P<unsigned>[uU]?)")
_DOUBLE: Final = re.compile(r"[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+")
_TIMESTAMP: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?(Z|[+-][0-9]{2}:[0-9]{2})"
)
_HIGHEST_CODE: Final = 0x10FFFF
_SURROGATES: Final = range(0xD800, 0xE000)
_INTEGERS: Final = range(-(2**63), 2**63)
_UNSIGNED_INTEGERS: Final = range(2**64)
_TRIPLE: Final = ("'''", '"""')


LiteralValue = Scalar | Moment | None
"""Value of a literal; None is `null`. A text is as written, and not yet normalised."""


def read_text(token: CelToken) -> str:
    """Return the text of a literal in quotes.

    Raises:
        UnreadableError: it is of bytes, or has an escape that CEL lacks.
    """
    if token.text[0] in "bB":
        raise UnreadableError(token.position, "bytes are not supported: write the text without `b`")
    if token.kind is CelTokenKind.RAW:
        return _BREAKS.sub("\n", _unquoted(token.text[1:]))
    quotes = 3 if token.text.startswith(_TRIPLE) else 1
    inner = token.text[quotes:-quotes]

    def replaced(found: re.Match[str]) -> str:
        return _unescaped(found, token.position + quotes)

    return _ESCAPE.sub(replaced, inner)


def read_number(token: CelToken, sign: str = "") -> int | float:
    """Return the number, an integer exactly.

    Raises:
        UnreadableError: it is no number of CEL, or does not fit into 64 bits.
    """
    if found := _INTEGER.fullmatch(token.text):
        return _integer(token, found, sign)
    if not _DOUBLE.fullmatch(token.text):
        raise UnreadableError(token.position, f"`{token.text}` is not a number: put text in quotes")
    number = float(sign + token.text)
    if math.isinf(number):
        raise UnreadableError(token.position, "the number is too large")
    return number


def read_moment(text: str, position: int) -> Moment:
    """Return the point in time that a text of RFC 3339 states.

    Raises:
        UnreadableError: the text is not valid, or is outside the years 1 to 9999.
    """
    problem = '`timestamp` takes a time such as "2024-05-31T00:00:00Z"'
    found = _TIMESTAMP.fullmatch(text)
    if found is None:
        raise UnreadableError(position, problem)
    try:
        return utc_moment(found[1] + found[3], found[2])
    except ValueError:
        raise UnreadableError(position, problem) from None


def _unquoted(text: str) -> str:
    quotes = 3 if text.startswith(_TRIPLE) else 1
    return text[quotes:-quotes]


def _unescaped(found: re.Match[str], start: int) -> str:
    group = str(found.lastgroup)
    digits = found[group]
    if group == "line":
        return "\n"
    if group == "sign":
        return _SIGNS.get(digits, digits)
    code = -1 if group == "wrong" else int(digits, 8 if group == "octal" else 16)
    if not 0 <= code <= _HIGHEST_CODE or code in _SURROGATES:
        problem = f'`{found[0]}` is no escape; a backslash is written \\\\, or the text r"…"'
        raise UnreadableError(start + found.start(), problem)
    return chr(code)


def _integer(token: CelToken, found: re.Match[str], sign: str) -> int:
    if found["unsigned"] and sign:
        raise UnreadableError(token.position, "an unsigned integer has no sign")
    hexadecimal = found["hexadecimal"]
    # With the sign: -2**63 fits into 64 bits, and 2**63 does not.
    number = int(sign + (hexadecimal or found["decimal"]), 16 if hexadecimal else 10)
    if number not in (_UNSIGNED_INTEGERS if found["unsigned"] else _INTEGERS):
        raise UnreadableError(token.position, "the integer has more than 64 bits: put text in quotes")
    return number
