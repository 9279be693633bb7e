"""Tokens of CEL."""

from enum import Enum
from typing import Final

from groundwire.domain.filters.grammar import END, Lexer, Token


class CelTokenKind(Enum):
    """Kind of a token with its pattern; `RAW` is a text in which a backslash has no meaning."""

    RAW = r"[bB]?[rR](?:'''.*?'''|\"\"\".*?\"\"\"|'(?!'')[^'\r\n]*+'|\"(?!\"\")[^\"\r\n]*+\")"
    QUOTED = (
        r"[bB]?(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\""
        r"|'(?!'')(?:[^'\\\r\n]|\\[^\r\n])*+'|\"(?!\"\")(?:[^\"\\\r\n]|\\[^\r\n])*+\")"
    )
    NUMBER = r"\.?[0-9](?:[eE][+-](?=[0-9])|[0-9A-Za-z_.])*+"
    WORD = r"[A-Za-z_][A-Za-z0-9_]*+"
    MARK = r"&&|\|\||[<>=!]=|<>|[<>!()\[\],.=&|+*/%?:{}-]"
    END = END


CelToken = Token[CelTokenKind]
LEXER: Final = Lexer(
    CelTokenKind,
    # CEL has comments from `//` to the end of the line.
    blank=r"(?:[\t\n\f\r ]|//[^\n]*+)*+",
    hints=dict.fromkeys("'\"", "a quote is not closed"),
)
