"""Filters over metadata: expression tree and evaluation. Filters narrow a search and never grant access.

A filter is no access rule: the caller chooses it, and the index's query applies it besides `decide()`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from operator import eq, ge, gt, le, lt
from typing import Any, Final

from groundwire.domain.documents.metadata import Metadata, Scalar, Value, comparable_value


class Operator(StrEnum):
    """Comparison of a field; a document without the field satisfies `NE` only."""

    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    IN = "in"


@dataclass(frozen=True, slots=True)
class Compare:
    """Comparison of one field with a value, or with several, of which one must match (for `NE`: none may be equal).

    A list is compared by each of its values: one must match, and for `NE` none may be equal.
    """

    field: str
    operator: Operator
    value: Scalar | tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """Conjunction; true without parts."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Disjunction; false without parts."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Negation of the part."""

    part: "Filter"


Filter = Compare | AllOf | AnyOf | Not


def matches(where: Filter, metadata: Metadata) -> bool:
    """Return whether a document with this metadata passes the filter.

    Values of different types are never equal, nor ordered; texts are ordered by their code points.
    """
    match where:
        case AllOf(parts):
            return all(matches(part, metadata) for part in parts)
        case AnyOf(parts):
            return any(matches(part, metadata) for part in parts)
        case Not(part):
            return not matches(part, metadata)
        case Compare(field, Operator.NE, value):
            return not _any_pair_matches(metadata.get(field), value, eq)
        case Compare(field, operator, value):
            return _any_pair_matches(metadata.get(field), value, _COMPARISONS[operator])


_Comparison = Callable[[Any, Any], bool]
_COMPARISONS: Final[Mapping[Operator, _Comparison]] = {
    Operator.EQ: eq,
    Operator.IN: eq,
    Operator.LT: lt,
    Operator.LE: le,
    Operator.GT: gt,
    Operator.GE: ge,
}


def _any_pair_matches(stored: Value | None, wanted: Scalar | tuple[Scalar, ...], compare: _Comparison) -> bool:
    """Return whether any stored value matches any wanted value."""
    pairs = ((value, option) for value in _comparable_values(stored) for option in _comparable_values(wanted))
    return any(_are_comparable(value, option, compare) and compare(value, option) for value, option in pairs)


def _are_comparable(first: Scalar, second: Scalar, compare: _Comparison) -> bool:
    return type(first) is type(second) and (compare is eq or not isinstance(first, bool))


def _comparable_values(given: Value | tuple[Scalar, ...] | None) -> list[Scalar]:
    if given is None:
        return []
    return [comparable_value(value) for value in (given if isinstance(given, tuple) else (given,))]
