"""Words of OData and of other languages, and the remedy for each that a filter cannot have in its place."""

from collections.abc import Mapping
from typing import Final

from groundwire.dialects.azure.filter.errors import OdataError
from groundwire.dialects.azure.filter.lexer import OdataToken, OdataTokenKind
from groundwire.domain.filters.expression import Operator
from groundwire.domain.filters.grammar import UnreadableError

COMPARISONS: Final[Mapping[str, Operator]] = {
    "eq": Operator.EQ,
    "ne": Operator.NE,
    "lt": Operator.LT,
    "le": Operator.LE,
    "gt": Operator.GT,
    "ge": Operator.GE,
}
MEMBERSHIP: Final = "search.in"
RESERVED: Final = frozenset({"and", "or", "not", *COMPARISONS})
"""Words that are no names."""
AFTER_OPERAND: Final = "A comparison, `and`, `or` or the end is expected"

_KEYWORDS: Final = RESERVED | {"true", "false", "null", "any", "all"}
_OPERATORS: Final = {
    "in": "write search.in(field, 'a,b'), or eq and `or`",
    "has": "enumerations do not exist here",
    **dict.fromkeys(("add", "sub", "mul", "div", "divby", "mod"), "arithmetic does not exist here"),
    "like": "patterns do not exist here",
}
# The documentation shows `substringof` and `indexof`, which no page of the grammar has.
_FUNCTIONS: Final = {
    **dict.fromkeys(
        ("indexof", "contains", "startswith", "endswith", "substringof"),
        "patterns do not exist here; compare whole texts with eq or search.in",
    ),
    "in": "write search.in(field, 'a,b')",
    "search.ismatch": "put the words into the messages or intents of the call",
    "search.ismatchscoring": "put the words into the messages or intents of the call",
    "geo.distance": "geographic values do not exist here",
    "geo.intersects": "geographic values do not exist here",
}
_SUPPORTED: Final = "the only function is search.in"


def function_error(token: OdataToken) -> UnreadableError:
    """Return the error of a function that a filter lacks."""
    lower = token.text.lower()
    if lower == MEMBERSHIP or lower in _KEYWORDS:
        return UnreadableError(token.position, f"Write `{lower}` in lower case")
    remedy = _FUNCTIONS.get(lower, _SUPPORTED)
    return OdataError(token.position, f"the function `{token.text}` is not supported: {remedy}")


def operator_error(token: OdataToken, expected: str) -> UnreadableError:
    """Return the error of a token that cannot follow an operand."""
    word = token.text
    if token.kind is OdataTokenKind.WORD and word in _OPERATORS:
        return OdataError(token.position, f"the operator `{word}` is not supported: {_OPERATORS[word]}")
    if token.kind is OdataTokenKind.WORD and word == "not":
        return UnreadableError(token.position, "write `not` before a condition: not (a eq 1)")
    return UnreadableError(token.position, _small_letters(token) or expected)


def operand_error(token: OdataToken) -> UnreadableError:
    """Return the error of a token that cannot begin an operand."""
    if token.kind is OdataTokenKind.PREFIX:
        return OdataError(
            token.position, f"`{token.text}…'` is not supported: write a date without quotes, as 2024-05-31T00:00:00Z"
        )
    return UnreadableError(
        token.position, _small_letters(token) or "A field, a literal, `not`, `(` or search.in is expected"
    )


def is_other_case(token: OdataToken) -> bool:
    """Return whether the word would be a keyword in small letters."""
    return token.kind is OdataTokenKind.WORD and token.text not in _KEYWORDS and token.text.lower() in _KEYWORDS


def _small_letters(token: OdataToken) -> str | None:
    return f"Write `{token.text.lower()}` in lower case instead of `{token.text}`" if is_other_case(token) else None
