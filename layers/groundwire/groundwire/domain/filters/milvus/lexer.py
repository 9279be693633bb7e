"""Lexer of Milvus expressions: the tokens of its grammar with their positions, the longest first."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.own.lexer import syntax_error
from groundwire.domain.limits import MAX_FILTER_CHARACTERS


class MilvusTokenKind(Enum):
    """Kind of a token."""

    NULL_TEST = auto()
    EMPTY_LIST = auto()
    STRUCT = auto()
    PATH = auto()
    STRING = auto()
    RAW_STRING = auto()
    FLOAT = auto()
    INTEGER = auto()
    BOOLEAN = auto()
    OPERATOR = auto()
    FUNCTION = auto()
    NAME = auto()
    MARK = auto()
    REFUSED = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class MilvusToken:
    """Lexical unit of a Milvus expression.

    Attributes:
        text: as written; operators and functions in their first spelling in the grammar.
        position: position of its first character in the text, from 0.
    """

    kind: MilvusTokenKind
    text: str
    position: int


_NAME: Final = r"(?:[A-Za-z_][A-Za-z_0-9]*+)"
_STRING: Final = r"""(?:(?:u8|[uUL])?(?:"(?:[^"\\\r\n]|\\\r\n|\\[^\r])*+"|'(?:[^'\\\r\n]|\\\r\n|\\[^\r])*+'))"""
_RAW_STRING: Final = r"""(?:[rR](?:"(?:[^"\\\r\n]|\\[^\r\n])*+"|'(?:[^'\\\r\n]|\\[^\r\n])*+'))"""
_PATH_KEY: Final = rf"\[(?:{_STRING}|{_RAW_STRING}|0|[1-9][0-9]*+)\]"
_HEXADECIMAL_FLOAT: Final = r"0[xX](?:[0-9a-fA-F]*+\.[0-9a-fA-F]++|[0-9a-fA-F]++\.?+)[pP][+-]?[0-9]++"
_FLOAT: Final = rf"{_HEXADECIMAL_FLOAT}|(?:[0-9]*\.[0-9]++|[0-9]++\.)(?:[eE][+-]?[0-9]++)?|[0-9]++[eE][+-]?[0-9]++"

_TOKEN: Final = re.compile(
    rf"[ \t\r\n]*+(?:(?P<null_test>is null|IS NULL|is not null|IS NOT NULL)"
    rf"|(?P<struct>\$(?!meta)(?:\[{_NAME}\])?|{_NAME}(?:\[(?:0|[1-9][0-9]*+)\])?\[{_NAME}\])"
    rf"|(?P<path>(?:{_NAME}|\$meta)(?:{_PATH_KEY})++)"
    rf"|(?P<string>{_STRING})|(?P<raw_string>{_RAW_STRING})"
    rf"|(?P<float>{_FLOAT})|(?P<integer>0[xX][0-9a-fA-F]++|0[bB][01]++|0[0-7]*+|[1-9][0-9]*+)"
    rf"|(?P<empty_list>\[[ \t\r\n]*+\])"
    rf"|(?P<name>{_NAME}|\$meta)"
    rf"|(?P<operator>&&|\|\||\*\*|<<|>>|<=|>=|==|!=|=~|!~|[<>!+*/%&|^~-])"
    rf"|(?P<mark>[()\[\]{{}},=])|(?P<end>\Z)|(?P<wrong>.))",
    re.DOTALL,
)

_BOOLEANS: Final = frozenset({"true", "True", "TRUE", "false", "False", "FALSE"})
_WORD_OPERATORS: Final = frozenset({"and", "or", "not", "in", "like", "exists"})
_SPELLINGS: Final = {"&&": "and", "||": "or", "!": "not"}
FUNCTIONS: Final = frozenset(
    {"text_match", "phrase_match", "array_length"}
    | {f"{kind}_contains{which}" for kind in ("json", "array") for which in ("", "_all", "_any")}
)
OPTION: Final = "minimum_should_match"
_SPATIAL: Final = ("equals", "touches", "overlaps", "crosses", "contains", "intersects", "within", "dwithin", "isvalid")
_REFUSED: Final = frozenset(
    {"iso", "interval", "threshold", "random_sample", "element_filter"}
    | {f"match_{which}" for which in ("all", "any", "least", "most", "exact")}
    | {f"st_{which}" for which in _SPATIAL}
)
KEYWORDS: Final = _WORD_OPERATORS | FUNCTIONS | _REFUSED | {OPTION}
_KINDS: Final[Mapping[str, MilvusTokenKind]] = (
    dict.fromkeys(_WORD_OPERATORS, MilvusTokenKind.OPERATOR)
    | dict.fromkeys(FUNCTIONS, MilvusTokenKind.FUNCTION)
    | dict.fromkeys(_REFUSED, MilvusTokenKind.REFUSED)
    | {OPTION: MilvusTokenKind.MARK}
)
_HINTS: Final = {
    '"': "a quote is not closed, or a line ends within it",
    "'": "a quote is not closed, or a line ends within it",
    ".": 'a name has no dots: write metadata["…"]',
}


def tokenise(text: str) -> Iterator[MilvusToken]:
    """Yield the expression's tokens, the end last.

    Raises:
        InvalidInput: the text is too long, or has a character or quote that is not expected.
    """
    if len(text) > MAX_FILTER_CHARACTERS:
        raise InvalidInput(
            f"A filter can have at most {MAX_FILTER_CHARACTERS} characters, not {len(text)}: "
            f"cut it at character {MAX_FILTER_CHARACTERS + 1}."
        )
    for found in _TOKEN.finditer(text):
        group = str(found.lastgroup)
        position, word = found.start(group), found[group]
        if group == "wrong":
            raise syntax_error(text, position, _HINTS.get(word, f"{word!r} is not expected"))
        if group == "name":
            yield _word(word, position)
        else:
            yield MilvusToken(MilvusTokenKind[group.upper()], _SPELLINGS.get(word, word), position)
        if group == "end":
            return


def _word(word: str, position: int) -> MilvusToken:
    """Return the token of a word: keywords are all in lower case or all in upper case."""
    if word in _BOOLEANS:
        return MilvusToken(MilvusTokenKind.BOOLEAN, word.lower(), position)
    lower = word.lower()
    if lower in _KINDS and word in (lower, word.upper()):
        return MilvusToken(_KINDS[lower], lower, position)
    return MilvusToken(MilvusTokenKind.NAME, word, position)
