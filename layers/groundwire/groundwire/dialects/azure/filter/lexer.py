"""Tokens of OData; the position of each is that of its last character, from 1."""

import re
from enum import Enum
from typing import Final

from groundwire.domain.filters.grammar import END, Lexer, Token

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*+"
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
    """Kind of a token with its pattern; `PREFIX` is a name with a quote after it, as in `geography'…'`."""

    TEXT = r"'(?:[^']|'')*+'"
    PREFIX = rf"{_NAME}'"
    # A date begins with digits, too: the literal is told apart after the token.
    NUMBER = r"[+-]?[0-9][0-9A-Za-z_:.+-]*+|-INF(?![0-9A-Za-z_])"
    WORD = rf"{_NAME}(?:\.{_NAME})*+"
    MARK = r"[(),:/]"
    END = END


OdataToken = Token[OdataTokenKind]
LEXER: Final = Lexer(
    OdataTokenKind,
    blank=r"[ \t\r\n]*+",
    wrong=r"&&|\|\||[=!<>]=|<>|.",
    hints=_HINTS,
    position=re.Match[str].end,
)
