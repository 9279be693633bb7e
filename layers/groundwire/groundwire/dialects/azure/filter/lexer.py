"""Lexer of OData filters: tokens with their positions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from groundwire.dialects.azure.filter.errors import OdataSyntaxError, invalid_filter
from groundwire.domain.limits import MAX_FILTER_CHARACTERS

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*+"
_TOKEN: Final = re.compile(
    r"[ \t\r\n]*+"
    r"(?:(?P<text>'(?:[^']|'')*+')"
    rf"|(?P<prefix>{_NAME}')"
    r"|(?P<number>[+-]?[0-9][0-9A-Za-z_:.+-]*+|-INF(?![0-9A-Za-z_]))"
    rf"|(?P<word>{_NAME}(?:\.{_NAME})*+)"
    r"|(?P<mark>[(),:/])"
    r"|(?P<end>\Z)|(?P<wrong>&&|\|\||[=!<>]=|<>|.))",
    re.DOTALL,
)
_HINTS: Final = {
    "=": "Write `eq`",
    "==": "Write `eq`",
    "!=": "Write `ne`",
    "<>": "Write `ne`",
    ">": "Write `gt`",
    ">=": "Write `ge`",
    "<": "Write `lt`",
    "<=": "Write `le`",
    "&&": "Write `and`",
    "&": "Write `and`",
    "||": "Write `or`",
    "|": "Write `or`",
    "!": "Write `not`",
    '"': "Put text in single quotes: 'text'",
    "'": "A quote is not closed; write a quote within a text twice",
    "-": "A name has only letters, digits and `_`; arithmetic is not supported",
    "$": "Names such as `$it` are not supported: name a field",
    "*": "Arithmetic and wildcards are not supported",
    "[": "Lists are not supported: write search.in(field, 'a,b')",
}


class OdataTokenKind(Enum):
    """Kind of a token; `PREFIX` is a name with a quote after it, as in `geography'…'`."""

    TEXT = auto()
    PREFIX = auto()
    NUMBER = auto()
    WORD = auto()
    MARK = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class OdataToken:
    """Word, number, mark or text of a filter.

    Attributes:
        text: as written.
        position: position of its last character in the filter, from 1.
    """

    kind: OdataTokenKind
    text: str
    position: int


def tokenise(text: str) -> Iterator[OdataToken]:
    """Yield the filter's tokens, the end last.

    Raises:
        InvalidInput: the text is too long.
        OdataSyntaxError: it has a character or quote that is not expected.
    """
    if len(text) > MAX_FILTER_CHARACTERS:
        raise invalid_filter(f"A filter can have at most {MAX_FILTER_CHARACTERS} characters, not {len(text)}.")
    for found in _TOKEN.finditer(text):
        group = str(found.lastgroup)
        word, position = found[group], found.end(group)
        if group == "wrong":
            raise OdataSyntaxError(position, _HINTS.get(word, f"{word!r} is not expected"))
        yield OdataToken(OdataTokenKind[group.upper()], word, position)
        if group == "end":
            return
