"""Clauses on rows, decided from a document's values: a second judgement beside the engines."""

from collections.abc import Sequence
from datetime import date

from groundwire.domain.documents.metadata import Metadata, Scalar, Value, comparable_value
from groundwire.domain.filters.index.element_values import Bound, Cut, ValueSet
from groundwire.domain.filters.index.index_clauses import (
    Clause,
    EveryClause,
    HasItems,
    HasValue,
    IsPresent,
    IsSingle,
    ItemHasValue,
    NoClause,
    SomeClause,
)
from groundwire.domain.filters.value_tests import kind_of


def row_passes(clause: Clause, held: Metadata) -> bool:
    match clause:
        case EveryClause(parts):
            return all(row_passes(part, held) for part in parts)
        case SomeClause(parts):
            return any(row_passes(part, held) for part in parts)
        case NoClause(part):
            return not row_passes(part, held)
        case _:
            return _field_passes(clause, held.get(clause.field))


def _field_passes(clause: HasValue | IsPresent | IsSingle | HasItems | ItemHasValue, stored: Value | None) -> bool:
    items: Sequence[Scalar] | None = stored if isinstance(stored, tuple) else None
    match clause:
        case HasValue(_, values):
            return stored is not None and any(is_in(each, values) for each in _listed(stored))
        case IsPresent():
            return stored is not None
        case IsSingle():
            return stored is not None and items is None
        case HasItems(_, fewest, most):
            return items is not None and fewest <= len(items) and (most is None or len(items) <= most)
        case ItemHasValue(_, position, values):
            return items is not None and position < len(items) and is_in(items[position], values)


def _listed(stored: Value) -> Sequence[Scalar]:
    return stored if isinstance(stored, tuple) else (stored,)


def is_in(value: Scalar, values: ValueSet) -> bool:
    comparable = comparable_value(value)
    bound: Bound = comparable.isoformat() if isinstance(comparable, date) else comparable
    found = values.intervals.get(kind_of(comparable), ())
    return any(_is_after(bound, low) and _is_before(bound, high) for low, high in found)


def _is_after(bound: Bound, low: Cut | None) -> bool:
    return low is None or (bound, 0) >= low  # type: ignore[operator]


def _is_before(bound: Bound, high: Cut | None) -> bool:
    return high is None or (bound, 1) <= high  # type: ignore[operator]
