"""Words and marks of CEL, and the reason and the remedy for each that a filter cannot have."""

from collections.abc import Mapping
from typing import Final

from groundwire.dialects.vertex.filter.lexer import CelToken, CelTokenKind
from groundwire.domain.filters.expression import Operator

COMPARISONS: Final[Mapping[str, Operator]] = {
    "==": Operator.EQ,
    "!=": Operator.NE,
    "<": Operator.LT,
    "<=": Operator.LE,
    ">": Operator.GT,
    ">=": Operator.GE,
    "in": Operator.IN,
}
CONSTANTS: Final[Mapping[str, bool | None]] = {"true": True, "false": False, "null": None}
TEXT_FUNCTIONS: Final = frozenset({"startsWith", "contains", "endsWith"})
RESERVED: Final = frozenset(
    {
        *("as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop"),
        *("package", "namespace", "return", "var", "void", "while"),
    }
)
"""Words that CEL keeps for later, so that no bare name is one."""
AFTER_OPERAND: Final = "`&&`, `||`, a comparison or the end is expected"

_SUPPORTED: Final = "supported are has, timestamp, startsWith, contains and endsWith"
_ARITHMETIC: Final = frozenset("+-*/%")
# Other filters of Google (AIP-160) have words and `=`, which people also write here.
_WORD_OPERATORS: Final = {"and": "&&", "or": "||", "not": "!"}
_MARKS: Final = {
    "=": "write `==`",
    "<>": "write `!=`",
    "&": "write `&&`",
    "|": "write `||`",
    ":": 'write `==`, or `"x" in tags` for a list',
    "?": "the conditional `? :` is not supported",
    "{": "maps, `{ }`, are not supported",
    ",": "a list of values is written [1, 2]",
}


def function_problem(name: str) -> str:
    """Return the reason why a function is refused."""
    operator = _WORD_OPERATORS.get(name.lower())
    return f"write `{operator}`" if operator else f"the function `{name}` is not supported; {_SUPPORTED}"


def operator_problem(token: CelToken, expected: str) -> str:
    """Return the reason why a token cannot follow an operand."""
    if token.kind is CelTokenKind.WORD:
        operator = _WORD_OPERATORS.get(token.text.lower())
        if operator == "!":
            return f"write `!` and parentheses instead of `{token.text}`, such as `!(year in [2023, 2024])`"
        return f"write `{operator}` instead of `{token.text}`" if operator else expected
    if token.kind is not CelTokenKind.MARK:
        return expected
    if token.text == "-":
        return 'arithmetic, `-`, is not supported; a name with `-` is written metadata["a-b"]'
    return _mark_problem(token.text) or expected


def operand_problem(token: CelToken) -> str:
    """Return the reason why a token cannot begin an operand."""
    expected = "a field, a value, `!` or `(` is expected"
    if token.kind is CelTokenKind.WORD:
        operator = _WORD_OPERATORS.get(token.text.lower())
        if operator:
            return f"write `{operator}` instead of `{token.text}`"
        return f'`{token.text}` is a reserved word of CEL: write a field of this name as metadata["{token.text}"]'
    if token.text == ".":
        return "a name that starts with `.` is not supported"
    return (_mark_problem(token.text) if token.kind is CelTokenKind.MARK else None) or expected


def _mark_problem(mark: str) -> str | None:
    return f"arithmetic, `{mark}`, is not supported" if mark in _ARITHMETIC else _MARKS.get(mark)
