"""Text of a filter's leaves; those that the own grammar lacks are shown in explanations and read by no parser."""

from collections.abc import Callable

from groundwire.domain.documents.metadata import Scalar
from groundwire.domain.filters.expression import (
    ELEMENT,
    AnyElement,
    AnyOf,
    Compare,
    ElementAt,
    Exists,
    Filter,
    HasLength,
    HasWords,
    Leaf,
    Operator,
    TextMatch,
)
from groundwire.domain.filters.own.lexer import KEYWORDS
from groundwire.domain.filters.own.literals import format_literal, quote
from groundwire.domain.filters.value_tests import ANY_CHARACTER

_ELEMENT_NAME = "element"
_LIST_OPERATORS = frozenset({Operator.EQ, Operator.NE, Operator.IN})


def leaf_to_text(leaf: Leaf, to_text: Callable[[Filter], str]) -> str:
    """Return the text of a leaf; `to_text` writes the conditions within it."""
    name = _format_field(leaf.field)
    match leaf:
        case Compare():
            return _format_comparison(leaf, to_text)
        case Exists():
            return f"{name} exists"
        case TextMatch() | HasWords():
            return f"{name} {_format_text_test(leaf)}"
        case HasLength(_, operator, length):
            return f"length of {name} {operator} {length}"
        case AnyElement(_, condition):
            return f"any of {name} ({to_text(condition)})"
        case ElementAt(_, position, condition):
            return f"{name}[{position}] ({to_text(condition)})"


def _format_text_test(leaf: TextMatch | HasWords) -> str:
    if isinstance(leaf, TextMatch):
        return f"like {quote('%'.join(part.replace(ANY_CHARACTER, '_') for part in leaf.parts))}"
    which = f"at least {leaf.fewest} of" if leaf.slop is None else f"with slop {leaf.slop} the phrase"
    return f"has as words {which} {_format_list(*leaf.words)}"


def is_simple(part: Filter) -> bool:
    """Return whether the part's text needs no parentheses."""
    return isinstance(part, Leaf) and not (
        isinstance(part, Compare) and part.operator not in _LIST_OPERATORS and isinstance(part.value, tuple)
    )


def _format_comparison(leaf: Compare, to_text: Callable[[Filter], str]) -> str:
    if isinstance(leaf.value, tuple):
        return _format_options(leaf.field, leaf.operator, leaf.value, to_text)
    operand = _format_list(leaf.value) if leaf.operator is Operator.IN else format_literal(leaf.value)
    return f"{_format_field(leaf.field)} {leaf.operator} {operand}"


def _format_options(
    field: str, operator: Operator, options: tuple[Scalar, ...], to_text: Callable[[Filter], str]
) -> str:
    listed = f"{_format_field(field)} in {_format_list(*options)}" if options else "not ()"
    match operator:
        case Operator.EQ | Operator.IN:
            return listed
        case Operator.NE:
            return f"not {listed}"
        case _:
            return to_text(AnyOf(tuple(Compare(field, operator, option) for option in options)))


def _format_list(*options: Scalar) -> str:
    return f"({', '.join(map(format_literal, options))})"


def _format_field(name: str) -> str:
    if name == ELEMENT:
        return _ELEMENT_NAME
    return quote(name) if name.lower() in KEYWORDS else name
