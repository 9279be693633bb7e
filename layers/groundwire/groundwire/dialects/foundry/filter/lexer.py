"""Tokens of Milvus expressions, the longest first, and the words that are no names."""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from groundwire.domain.filters.grammar import END, Lexer, Token, UnreadableError


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
    END = auto()


MilvusToken = Token[MilvusTokenKind]

_NAME: Final = r"(?:[A-Za-z_][A-Za-z_0-9]*+)"
_STRING: Final = r"""(?:(?:u8|[uUL])?(?:"(?:[^"\\\r\n]|\\\r\n|\\[^\r])*+"|'(?:[^'\\\r\n]|\\\r\n|\\[^\r])*+'))"""
_RAW_STRING: Final = r"""(?:[rR](?:"(?:[^"\\\r\n]|\\[^\r\n])*+"|'(?:[^'\\\r\n]|\\[^\r\n])*+'))"""
_PATH_KEY: Final = rf"\[(?:{_STRING}|{_RAW_STRING}|0|[1-9][0-9]*+)\]"
_HEXADECIMAL_FLOAT: Final = r"0[xX](?:[0-9a-fA-F]*+\.[0-9a-fA-F]++|[0-9a-fA-F]++\.?+)[pP][+-]?[0-9]++"
_FLOAT: Final = rf"{_HEXADECIMAL_FLOAT}|(?:[0-9]*\.[0-9]++|[0-9]++\.)(?:[eE][+-]?[0-9]++)?|[0-9]++[eE][+-]?[0-9]++"

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
    | {OPTION: MilvusTokenKind.MARK}
)
CASE: Final = "keywords are all lower or all upper case"
_HINTS: Final = {
    '"': "a quote is not closed, or a line ends within it",
    "'": "a quote is not closed, or a line ends within it",
    ".": 'a name has no dots: write metadata["…"]',
}


def _refined(token: MilvusToken) -> MilvusToken:
    """Return the token with the first spelling of its operator; a name may be a keyword, all in one case.

    Raises:
        UnreadableError: it is a keyword that is not served.
    """
    if token.kind is not MilvusTokenKind.NAME:
        return Token(token.kind, _SPELLINGS.get(token.text, token.text), token.position)
    if token.text in _BOOLEANS:
        return Token(MilvusTokenKind.BOOLEAN, token.text.lower(), token.position)
    lower = token.text.lower()
    if lower not in KEYWORDS or token.text not in (lower, token.text.upper()):
        return token
    if lower in _REFUSED:
        problem = f'`{lower}` is not supported; write a field of this name as metadata["{lower}"]'
        raise UnreadableError(token.position, problem)
    return Token(_KINDS[lower], lower, token.position)


LEXER: Final = Lexer(
    {
        MilvusTokenKind.NULL_TEST: "is null|IS NULL|is not null|IS NOT NULL",
        MilvusTokenKind.STRUCT: rf"\$(?!meta)(?:\[{_NAME}\])?|{_NAME}(?:\[(?:0|[1-9][0-9]*+)\])?\[{_NAME}\]",
        MilvusTokenKind.PATH: rf"(?:{_NAME}|\$meta)(?:{_PATH_KEY})++",
        MilvusTokenKind.STRING: _STRING,
        MilvusTokenKind.RAW_STRING: _RAW_STRING,
        MilvusTokenKind.FLOAT: _FLOAT,
        MilvusTokenKind.INTEGER: "0[xX][0-9a-fA-F]++|0[bB][01]++|0[0-7]*+|[1-9][0-9]*+",
        MilvusTokenKind.EMPTY_LIST: r"\[[ \t\r\n]*+\]",
        MilvusTokenKind.NAME: rf"{_NAME}|\$meta",
        MilvusTokenKind.OPERATOR: r"&&|\|\||\*\*|<<|>>|<=|>=|==|!=|=~|!~|[<>!+*/%&|^~-]",
        MilvusTokenKind.MARK: r"[()\[\]{},=]",
        MilvusTokenKind.END: END,
    },
    blank=r"[ \t\r\n]*+",
    hints=_HINTS,
    refine=_refined,
)


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
