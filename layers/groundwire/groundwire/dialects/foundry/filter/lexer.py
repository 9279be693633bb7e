"""Tokens of Milvus expressions, the longest first, and the words that are no names."""

from collections.abc import Iterable
from enum import Enum
from typing import Final

from groundwire.domain.filters.grammar import END, Lexer, Token, UnreadableError

_OPERATORS: Final = frozenset({"and", "or", "not", "in", "like", "exists"})
FUNCTIONS: Final = frozenset(
    {"text_match", "phrase_match", "array_length"}
    | {f"{kind}_contains{which}" for kind in ("json", "array") for which in ("", "_all", "_any")}
)
OPTION: Final = "minimum_should_match"
_SPATIAL: Final = ("equals", "touches", "overlaps", "crosses", "contains", "intersects", "within", "dwithin", "isvalid")
# The grammar reserves these words, so that no field can have one as a bare name.
_REFUSED: Final = frozenset(
    {"iso", "interval", "threshold", "random_sample", "element_filter"}
    | {f"match_{which}" for which in ("all", "any", "least", "most", "exact")}
    | {f"st_{which}" for which in _SPATIAL}
)
KEYWORDS: Final = _OPERATORS | FUNCTIONS | _REFUSED | {OPTION}
CASE: Final = "keywords are all lower or all upper case"
_HINTS: Final = {
    '"': "a quote is not closed, or a line ends within it",
    "'": "a quote is not closed, or a line ends within it",
    ".": 'a name has no dots: write metadata["…"]',
}

_NAME: Final = r"(?:[A-Za-z_][A-Za-z_0-9]*+)"
_STRING: Final = r"""(?:(?:u8|[uUL])?(?:"(?:[^"\\\r\n]|\\\r\n|\\[^\r])*+"|'(?:[^'\\\r\n]|\\\r\n|\\[^\r])*+'))"""
_RAW_STRING: Final = r"""(?:[rR](?:"(?:[^"\\\r\n]|\\[^\r\n])*+"|'(?:[^'\\\r\n]|\\[^\r\n])*+'))"""
_PATH_KEY: Final = rf"\[(?:{_STRING}|{_RAW_STRING}|0|[1-9][0-9]*+)\]"
_HEXADECIMAL_FLOAT: Final = r"0[xX](?:[0-9a-fA-F]*+\.[0-9a-fA-F]++|[0-9a-fA-F]++\.?+)[pP][+-]?[0-9]++"
_FLOAT: Final = rf"{_HEXADECIMAL_FLOAT}|(?:[0-9]*\.[0-9]++|[0-9]++\.)(?:[eE][+-]?[0-9]++)?|[0-9]++[eE][+-]?[0-9]++"


def _any_of(words: Iterable[str]) -> str:
    """Return the pattern of keywords, which are all in lower or all in upper case."""
    return rf"(?:{'|'.join(f'{word}|{word.upper()}' for word in sorted(words))})(?![A-Za-z_0-9])"


class MilvusTokenKind(Enum):
    """Kind of a token with its pattern."""

    # The grammar has this as one token, with single blanks.
    NULL_TEST = "is null|IS NULL|is not null|IS NOT NULL"
    STRUCT = rf"\$(?!meta)(?:\[{_NAME}\])?|{_NAME}(?:\[(?:0|[1-9][0-9]*+)\])?\[{_NAME}\]"
    # The grammar has a path as one token, without blanks.
    PATH = rf"(?:{_NAME}|\$meta)(?:{_PATH_KEY})++"
    STRING = _STRING
    RAW_STRING = _RAW_STRING
    FLOAT = _FLOAT
    INTEGER = "0[xX][0-9a-fA-F]++|0[bB][01]++|0[0-7]*+|[1-9][0-9]*+"
    EMPTY_LIST = r"\[[ \t\r\n]*+\]"
    BOOLEAN = rf"(?:True|False)(?![A-Za-z_0-9])|{_any_of(('true', 'false'))}"
    FUNCTION = _any_of(FUNCTIONS)
    REFUSED = _any_of(_REFUSED)
    OPERATOR = rf"{_any_of(_OPERATORS)}|&&|\|\||\*\*|<<|>>|<=|>=|==|!=|=~|!~|[<>!+*/%&|^~-]"
    MARK = rf"{_any_of([OPTION])}|[()\[\]{{}},=]"
    NAME = rf"{_NAME}|\$meta"
    END = END


MilvusToken = Token[MilvusTokenKind]
_SPELLINGS: Final = {"&&": "and", "||": "or", "!": "not"}
_OF_ONE_SPELLING: Final = frozenset(
    {MilvusTokenKind.BOOLEAN, MilvusTokenKind.FUNCTION, MilvusTokenKind.OPERATOR, MilvusTokenKind.MARK}
)


def _served(token: MilvusToken) -> MilvusToken:
    """Return the token; a keyword or operator in its first spelling.

    Raises:
        UnreadableError: it is a keyword that is not served.
    """
    lower = token.text.lower()
    if token.kind is MilvusTokenKind.REFUSED:
        problem = f'`{lower}` is not supported; write a field of this name as metadata["{lower}"]'
        raise UnreadableError(token.position, problem)
    if token.kind in _OF_ONE_SPELLING:
        return Token(token.kind, _SPELLINGS.get(lower, lower), token.position)
    return token


LEXER: Final = Lexer(MilvusTokenKind, blank=r"[ \t\r\n]*+", hints=_HINTS, refine=_served)


def keyword_hint(token: MilvusToken) -> str:
    """Return what may be wrong with a token in the place of an operator."""
    lower = token.text.lower()
    if token.kind is MilvusTokenKind.PATH and lower.startswith("in["):
        return "; a blank is needed between `in` and `[`"
    if token.kind is not MilvusTokenKind.NAME:
        return ""
    if lower == "is":
        return "; `is null` and `is not null` are written with single blanks, after a name or path"
    return f"; {CASE}, and `{token.text}` is a name" if lower in KEYWORDS else ""
