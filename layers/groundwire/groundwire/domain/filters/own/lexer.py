"""Tokens of filters written as text."""

from enum import Enum
from typing import Final

from groundwire.domain.filters.grammar import END, Lexer, Token

KEYWORDS: Final = frozenset({"and", "or", "not", "in"})
_WORD_CHARACTER: Final = r"[^\s'\"(),<>=!]"


class TokenKind(Enum):
    """Kind of a token with its pattern; a keyword in quotes is text."""

    QUOTED = r"'(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\""
    OPERATOR = r"<=|>=|<>|!=|==|=|<|>"
    MARK = r"[(),]"
    KEYWORD = rf"(?ai:and|or|not|in)(?!{_WORD_CHARACTER})"
    WORD = rf"{_WORD_CHARACTER}++"
    END = END


def _in_lower_case(token: Token[TokenKind]) -> Token[TokenKind]:
    """Return the token; a keyword in lower case."""
    return Token(token.kind, token.text.lower(), token.position) if token.kind is TokenKind.KEYWORD else token


LEXER: Final = Lexer(
    TokenKind, blank=r"\s*+", hints=dict.fromkeys("'\"", "a quote is not closed"), refine=_in_lower_case
)
