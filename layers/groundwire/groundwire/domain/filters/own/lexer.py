"""Lexer of filters written as text: tokens with their positions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_FILTER_CHARACTERS

_TOKEN: Final = re.compile(
    r"\s*+(?:(?P<quoted>'(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\")"
    r"|(?P<operator><=|>=|<>|!=|==|=|<|>)"
    r"|(?P<mark>[(),])"
    r"|(?P<word>[^\s'\"(),<>=!]++)"
    r"|(?P<end>\Z)|(?P<wrong>.))",
    re.DOTALL,
)
KEYWORDS: Final = frozenset({"and", "or", "not", "in"})
_SHOWN_BEFORE: Final = 30


class TokenKind(Enum):
    """Kind of a token; a keyword in quotes is text."""

    QUOTED = auto()
    OPERATOR = auto()
    MARK = auto()
    WORD = auto()
    KEYWORD = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """Word, mark or quotation of a filter.

    Attributes:
        text: as written; keywords in lower case.
        position: position of its first character in the filter, from 0.
    """

    kind: TokenKind
    text: str
    position: int


def tokenise(text: str) -> Iterator[Token]:
    """Yield the filter's tokens, the end last.

    Raises:
        InvalidInput: the text is too long, or has a character or quote that is not expected.
    """
    if len(text) > MAX_FILTER_CHARACTERS:
        raise InvalidInput(f"A filter can have at most {MAX_FILTER_CHARACTERS} characters, not {len(text)}.")
    for found in _TOKEN.finditer(text):
        group = str(found.lastgroup)
        position, word = found.start(group), found[group]
        if group == "wrong":
            raise syntax_error(
                text, position, "a quote is not closed" if word in "'\"" else f"{word!r} is not expected"
            )
        if group == "word" and word.lower() in KEYWORDS:
            yield Token(TokenKind.KEYWORD, word.lower(), position)
        else:
            yield Token(TokenKind[group.upper()], word, position)
        if group == "end":
            return


def syntax_error(text: str, position: int, problem: str) -> InvalidInput:
    """Return the error with its position and the words before it."""
    before = text[max(0, position - _SHOWN_BEFORE) : position].strip()
    place = f"after {before!r}" if before else "at its start"
    return InvalidInput(f"The filter cannot be read at character {position + 1}, {place}: {problem}.")
