"""Tokens of CEL."""

from enum import Enum, auto
from typing import Final

from groundwire.domain.filters.grammar import END, Lexer, Token


class CelTokenKind(Enum):
    """Kind of a token; `RAW` is a text in which a backslash has no meaning."""

    RAW = auto()
    QUOTED = auto()
    NUMBER = auto()
    WORD = auto()
    MARK = auto()
    END = auto()


CelToken = Token[CelTokenKind]

LEXER: Final = Lexer(
    {
        CelTokenKind.RAW: r"[bB]?[rR](?:'''.*?'''|\"\"\".*?\"\"\"|'(?!'')[^'\r\n]*+'|\"(?!\"\")[^\"\r\n]*+\")",
        CelTokenKind.QUOTED: r"[bB]?(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\""
        r"|'(?!'')(?:[^'\\\r\n]|\\[^\r\n])*+'|\"(?!\"\")(?:[^\"\\\r\n]|\\[^\r\n])*+\")",
        CelTokenKind.NUMBER: r"\.?[0-9](?:[eE][+-](?=[0-9])|[0-9A-Za-z_.])*+",
        CelTokenKind.WORD: r"[A-Za-z_][A-Za-z0-9_]*+",
        CelTokenKind.MARK: r"&&|\|\||[<>=!]=|<>|[<>!()\[\],.=&|+*/%?:{}-]",
        CelTokenKind.END: END,
    },
    blank=r"(?:[\t\n\f\r ]|//[^\n]*+)*+",
    hints=dict.fromkeys("'\"", "a quote is not closed"),
)
