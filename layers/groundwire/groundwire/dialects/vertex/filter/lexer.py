"""Lexer of CEL filters: tokens with their positions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_FILTER_CHARACTERS

_TOKEN: Final = re.compile(
    r"(?:[\t\n\f\r ]|//[^\n]*+)*+"
    r"(?:(?P<raw>[bB]?[rR](?:'''.*?'''|\"\"\".*?\"\"\"|'(?!'')[^'\r\n]*+'|\"(?!\"\")[^\"\r\n]*+\"))"
    r"|(?P<quoted>[bB]?(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\""
    r"|'(?!'')(?:[^'\\\r\n]|\\[^\r\n])*+'|\"(?!\"\")(?:[^\"\\\r\n]|\\[^\r\n])*+\"))"
    r"|(?P<number>\.?[0-9](?:[eE][+-](?=[0-9])|[0-9A-Za-z_.])*+)"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*+)"
    r"|(?P<mark>&&|\|\||[<>=!]=|<>|[<>!()\[\],.=&|+*/%?:{}-])"
    r"|(?P<end>\Z)|(?P<wrong>.))",
    re.DOTALL,
)


class CelTokenKind(Enum):
    """Kind of a token; `RAW` is a text in which a backslash has no meaning."""

    RAW = auto()
    QUOTED = auto()
    NUMBER = auto()
    WORD = auto()
    MARK = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class CelToken:
    """Word, number, mark or text of a filter.

    Attributes:
        text: as written.
        position: position of its first character in the filter, from 0.
    """

    kind: CelTokenKind
    text: str
    position: int


class UnreadableError(InvalidInput):
    """Error at a position of the text, before it is put into words for the caller."""

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(problem)
        self.position: int = position
        self.problem: str = problem


def tokenise(text: str) -> Iterator[CelToken]:
    """Yield the filter's tokens, the end last.

    Raises:
        UnreadableError: the text is too long, or has a character or quote that is not expected.
    """
    if len(text) > MAX_FILTER_CHARACTERS:
        problem = f"a filter can have at most {MAX_FILTER_CHARACTERS} characters, not {len(text)}"
        raise UnreadableError(MAX_FILTER_CHARACTERS, problem)
    for found in _TOKEN.finditer(text):
        group = str(found.lastgroup)
        position, word = found.start(group), found[group]
        if group == "wrong":
            raise UnreadableError(position, "a quote is not closed" if word in "'\"" else f"{word!r} is not expected")
        yield CelToken(CelTokenKind[group.upper()], word, position)
        if group == "end":
            return
