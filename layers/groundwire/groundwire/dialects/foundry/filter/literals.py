"""Literals of Milvus expressions: whole numbers, numbers, and text with its escapes."""

import re
from typing import Final

from groundwire.dialects.foundry.filter.errors import ExpressionError

_PREFIX: Final = re.compile(r"u8|[uUL]")
_OCTAL: Final = re.compile(r"0[0-7]+")
_ESCAPE: Final = re.compile(
    r"\\(?:(?P<octal>[0-7]{3})|x(?P<byte>[0-9a-fA-F]{2})|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8})"
    r"|(?P<mark>.))",
    re.DOTALL,
)
_MARKS: Final = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    **{mark: mark for mark in "\\\"'"},
}
_HIGHEST_BYTE: Final = 0x7F
_HIGHEST_CHARACTER: Final = 0x10FFFF
_LARGEST_INTEGER: Final = 2**63
"""Largest whole number, which only the minus sign makes one of 64 bits."""


def parse_integer(text: str) -> int:
    """Return the whole number: decimal, octal `017`, hexadecimal `0x0f` or binary `0b11`.

    Raises:
        ExpressionError: it has more than 64 bits; the message says so.
    """
    # Python's base 0 refuses `017`, which is octal here.
    number = int(text, 8) if _OCTAL.fullmatch(text) else int(text, 0)
    if number > _LARGEST_INTEGER:
        raise ExpressionError("a whole number can have at most 64 bits")
    return number


def parse_float(text: str) -> float:
    """Return the number: decimal, or hexadecimal `0x1.8p1`.

    Raises:
        ExpressionError: it is too large; the message says so.
    """
    try:
        number = float.fromhex(text) if text[:2] in ("0x", "0X") else float(text)
    except OverflowError:
        number = float("inf")
    if number == float("inf"):
        raise ExpressionError("the number is too large")
    return number


def parse_string(text: str) -> str:
    """Return the text between quotes, without its escapes.

    Raises:
        ExpressionError: the language does not have an escape; the message says so.
    """
    return _ESCAPE.sub(_character, _PREFIX.sub("", text, count=1)[1:-1] if text[0] not in "\"'" else text[1:-1])


def parse_raw_string(text: str) -> str:
    """Return the text between the quotes of `r"…"`, in which a backslash is one."""
    return text[2:-1]


def _character(escape: re.Match[str]) -> str:
    mark = escape["mark"]
    if mark is not None:
        if mark not in _MARKS:
            raise ExpressionError(f"`\\{mark}` is not an escape: write `\\\\{mark}` for a backslash")
        return _MARKS[mark]
    number = int(escape[str(escape.lastgroup)], 8 if escape.lastgroup == "octal" else 16)
    # Such an escape is a byte in Milvus, which beyond ASCII is no character alone.
    if escape.lastgroup in ("octal", "byte") and number > _HIGHEST_BYTE:
        raise ExpressionError(f"`{escape[0]}` is no character: write `\\u{number:04x}`")
    if number > _HIGHEST_CHARACTER or 0xD800 <= number <= 0xDFFF:  # noqa: PLR2004
        raise ExpressionError(f"`{escape[0]}` is no character")
    return chr(number)
