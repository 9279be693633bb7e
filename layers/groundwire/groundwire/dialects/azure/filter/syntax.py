"""Syntax tree of OData filters, before any name is resolved. Positions are those of `errors`."""

from dataclasses import dataclass

from groundwire.dialects.azure.filter.literals import LiteralValue
from groundwire.domain.filters.expression import Operator


@dataclass(frozen=True, slots=True)
class PathSyntax:
    """Names between slashes."""

    names: tuple[str, ...]
    position: int


@dataclass(frozen=True, slots=True)
class LiteralSyntax:
    """Value that is written in an expression."""

    value: LiteralValue
    position: int


@dataclass(frozen=True, slots=True)
class ComparisonSyntax:
    """Comparison of a field with a literal, in this order.

    Attributes:
        position: position of the operator.
    """

    path: PathSyntax
    operator: Operator
    literal: LiteralSyntax
    position: int


@dataclass(frozen=True, slots=True)
class MembershipSyntax:
    """Call of `search.in`: the field is one of these texts."""

    path: PathSyntax
    texts: tuple[str, ...]
    position: int


@dataclass(frozen=True, slots=True)
class QuantifierSyntax:
    """Condition on the items of a list.

    Attributes:
        is_all: every item meets it; else one does.
        variable: name of the item in the condition.
        condition: None: any item does.
    """

    path: PathSyntax
    is_all: bool
    variable: str
    condition: "OperandSyntax | None"
    position: int


@dataclass(frozen=True, slots=True)
class NegationSyntax:
    """Negation."""

    part: "OperandSyntax"
    position: int


@dataclass(frozen=True, slots=True)
class JoinedSyntax:
    """Conjunction or disjunction of two parts or more."""

    is_conjunction: bool
    parts: tuple["OperandSyntax", ...]
    position: int


OperandSyntax = (
    PathSyntax | LiteralSyntax | ComparisonSyntax | MembershipSyntax | QuantifierSyntax | NegationSyntax | JoinedSyntax
)
"""Part of a filter; paths and literals are conditions where they are boolean."""
