"""Metadata filters as filters of the engine: translations of `domain.filters.index` to terms of rows."""

from typing import Any, Final

from groundwire.adapters.opensearch.schema.access_filter import Clause, any_of
from groundwire.adapters.opensearch.schema.metadata_terms import (
    LIST,
    METADATA_FIELD,
    MOST_DIGITS,
    NAME_END,
    SINGLE,
    hex_number,
    item_prefix,
    kind_term,
    terms_clause,
)
from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.index import index_clauses
from groundwire.domain.filters.index.element_values import AFTER, BEFORE, Bound, Interval, ValueSet
from groundwire.domain.filters.index.index_clauses import (
    EVERY_ROW,
    NO_ROW,
    EveryClause,
    HasItems,
    HasValue,
    IsPresent,
    IsSingle,
    ItemHasValue,
    NoClause,
    SomeClause,
)
from groundwire.domain.filters.index.index_filter import index_filter
from groundwire.domain.filters.value_tests import Kind

# The character after `NAME_END`, so that a range has all terms of a field.
_AFTER_NAME_END: Final = "\x20"


def filter_clause(where: Filter) -> Clause:
    """Return the clause for rows of documents that pass the filter, or of more where rows cannot decide it."""
    return _translated(index_filter(where).clause)


def _translated(clause: index_clauses.Clause) -> Clause:
    match clause:
        case EveryClause(parts):
            return {"match_all": {}} if clause == EVERY_ROW else {"bool": {"filter": list(map(_translated, parts))}}
        case SomeClause(parts):
            return {"match_none": {}} if clause == NO_ROW else any_of(list(map(_translated, parts)))
        case NoClause(part):
            return {"bool": {"must_not": [_translated(part)]}}
        case _:
            return _translated_leaf(clause, f"{clause.field}{NAME_END}")


def _translated_leaf(clause: HasValue | IsPresent | IsSingle | HasItems | ItemHasValue, prefix: str) -> Clause:
    match clause:
        case HasValue(_, values):
            return _has_value(prefix, values)
        case ItemHasValue(_, position, values):
            return _has_value(item_prefix(prefix, position), values)
        case IsPresent(field):
            return _range({"gte": prefix, "lt": f"{field}{_AFTER_NAME_END}"})
        case IsSingle():
            return terms_clause([f"{prefix}{SINGLE}"])
        case HasItems(_, fewest, most):
            return _has_items(f"{prefix}{LIST}", fewest, MOST_DIGITS if most is None else most)


def _has_items(prefix: str, fewest: int, most: int) -> Clause:
    first, last = (prefix + hex_number(min(number, MOST_DIGITS)) for number in (fewest, most))
    return terms_clause([first]) if first == last else _range({"gte": first, "lte": last})


def _has_value(prefix: str, values: ValueSet) -> Clause:
    """Return the clause for rows with a term of the set: one clause for all its points, and one for each range."""
    points: list[str] = []
    ranges: list[Clause] = []
    for kind, intervals in values.intervals.items():
        for interval in intervals:
            point = _point(interval)
            if point is None:
                ranges.append(_range(_bounds(prefix, kind, interval)))
            else:
                points.append(kind_term(prefix, kind, point))
    clauses = [terms_clause(points), *ranges] if points else ranges
    return clauses[0] if len(clauses) == 1 else any_of(clauses)


def _point(interval: Interval) -> Bound | None:
    """Return the only value of an interval; None where it may have more."""
    low, high = interval
    is_point = low is not None and high is not None and low[0] == high[0] and (low[1], high[1]) == (BEFORE, AFTER)
    return low[0] if is_point and low is not None else None


def _bounds(prefix: str, kind: Kind, interval: Interval) -> dict[str, str]:
    """Return the range of an interval, which ends with the terms of its field and kind."""
    low, high = interval
    found: dict[str, str] = {}
    if low is None:
        found["gte"] = prefix + kind.value
    else:
        found["gte" if low[1] == BEFORE else "gt"] = kind_term(prefix, kind, low[0])
    if high is None:
        # The next character ends the terms of this kind.
        found["lt"] = prefix + chr(ord(kind.value) + 1)
    else:
        found["lt" if high[1] == BEFORE else "lte"] = kind_term(prefix, kind, high[0])
    return found


def _range(bounds: dict[str, Any]) -> Clause:
    return {"range": {METADATA_FIELD: bounds}}
