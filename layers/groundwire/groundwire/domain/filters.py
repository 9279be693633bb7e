"""Filters over metadata: narrow a search to documents of some kind. They restrict, and never open anything.

A filter is no access rule: it is chosen by who asks, and applied beside `decide()`, inside the index's query.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from groundwire.domain.metadata import Metadata, Scalar, Value


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
    """One field against a value. A list field equals a value that it holds; `IN` takes several values."""

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
    """Whether a document with this metadata passes. Values of different types are never equal, nor ordered."""
    match where:
        case AllOf(parts):
            return all(matches(part, metadata) for part in parts)
        case AnyOf(parts):
            return any(matches(part, metadata) for part in parts)
        case Not(part):
            return not matches(part, metadata)
        case Compare(field, operator, value):
            return _compared(metadata.get(field), operator, value)


def _compared(held: Value | None, operator: Operator, wanted: Scalar | tuple[Scalar, ...]) -> bool:
    values = held if isinstance(held, tuple) else () if held is None else (held,)
    options = wanted if isinstance(wanted, tuple) else (wanted,)
    if operator is Operator.NE:
        return not any(_equal(value, option) for value in values for option in options)
    if operator in (Operator.EQ, Operator.IN):
        return any(_equal(value, option) for value in values for option in options)
    return any(_ordered(value, operator, option) for value in values for option in options)


def _equal(first: Scalar, second: Scalar) -> bool:
    return type(first) is type(second) and first == second


def _ordered(first: Scalar, operator: Operator, second: Scalar) -> bool:
    match first, second:
        case (bool(), _) | (_, bool()):
            return False
        case (float(), float()) | (str(), str()):
            return _in_order(_sign(first, second), operator)
        case (date(), date()):
            return _in_order(_sign(first.toordinal(), second.toordinal()), operator)
        case _:
            return False


def _sign(first: float | str, second: float | str) -> int:
    return (first > second) - (first < second)  # type: ignore[operator]


def _in_order(sign: int, operator: Operator) -> bool:
    match operator:
        case Operator.LT:
            return sign < 0
        case Operator.LE:
            return sign <= 0
        case Operator.GT:
            return sign > 0
        case _:
            return sign >= 0
