"""Filters over metadata: narrow a search to documents of some kind. They restrict, and never open anything.

A filter is no access rule: it is chosen by who asks, and applied beside `decide()`, inside the index's query.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from operator import eq, ge, gt, le, lt
from typing import Any, Final

from groundwire.domain.documents.metadata import Metadata, Scalar, Value, comparable_value


class Operator(StrEnum):
    """How a field is compared; a field that a document lacks satisfies none of them but `NE`."""

    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    IN = "in"


@dataclass(frozen=True, slots=True)
class Compare:
    """One field against a value, or against several, of which one must do (for `NE`: none may be equal).

    A list is compared by each value that it holds: one must do, and none may be equal for `NE`.
    """

    field: str
    operator: Operator
    value: Scalar | tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds; no part: always."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds; no part: never."""

    parts: tuple["Filter", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: "Filter"


Filter = Compare | AllOf | AnyOf | Not


def matches(where: Filter, metadata: Metadata) -> bool:
    """Whether a document with this metadata passes.

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


def _any_pair_matches(held: Value | None, wanted: Scalar | tuple[Scalar, ...], holds: _Comparison) -> bool:
    """Whether a value that is held stands so to a value that is wanted."""
    pairs = ((value, option) for value in _comparable_values(held) for option in _comparable_values(wanted))
    return any(_are_comparable(value, option, holds) and holds(value, option) for value, option in pairs)


def _are_comparable(first: Scalar, second: Scalar, holds: _Comparison) -> bool:
    return type(first) is type(second) and (holds is eq or not isinstance(first, bool))


def _comparable_values(given: Value | tuple[Scalar, ...] | None) -> list[Scalar]:
    if given is None:
        return []
    return [comparable_value(value) for value in (given if isinstance(given, tuple) else (given,))]
