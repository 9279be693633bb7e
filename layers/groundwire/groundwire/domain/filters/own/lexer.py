"""Tokens of filters written as text."""

from enum import Enum, auto
from typing import Final

from groundwire.domain.filters.grammar import END, Lexer, Token

KEYWORDS: Final = frozenset({"and", "or", "not", "in"})


class TokenKind(Enum):
    """Kind of a token; a keyword in quotes is text."""

    QUOTED = auto()
    OPERATOR = auto()
    MARK = auto()
    WORD = auto()
    KEYWORD = auto()
    END = auto()


def _keyword(token: Token[TokenKind]) -> Token[TokenKind]:
    """Return the token of a keyword, in lower case; other tokens as they are."""
    lower = token.text.lower()
    if token.kind is TokenKind.WORD and lower in KEYWORDS:
        return Token(TokenKind.KEYWORD, lower, token.position)
    return token


LEXER: Final = Lexer(
    {
        TokenKind.QUOTED: r"'(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\"",
        TokenKind.OPERATOR: r"<=|>=|<>|!=|==|=|<|>",
        TokenKind.MARK: r"[(),]",
        TokenKind.WORD: r"[^\s'\"(),<>=!]++",
        TokenKind.END: END,
    },
    blank=r"\s*+",
    hints=dict.fromkeys("'\"", "a quote is not closed"),
    refine=_keyword,
)
