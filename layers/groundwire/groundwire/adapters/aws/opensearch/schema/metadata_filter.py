"""Metadata filters as filters of the engine: translations of `domain.filters.index`.

All values of a document are terms of one keyword field. A term begins with the field's name and the value's type, so
that values of different types never match and owners may choose any name. Terms sort by their bytes, which is the order
of the values. Further terms, the markers, hold the form of a field: `S` a single value, `L` and its length a list, `I`
with the position an item of the list. A field's type is a term that begins with the separator, so that one aggregation
lists the fields. Rows of the first release have no markers: a condition that needs them is false.
"""

import struct
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from groundwire.adapters.aws.opensearch.schema.access_filter import Clause, any_of
from groundwire.domain.documents.indexed_fields import ROWS_FIELD, ROWS_FORM
from groundwire.domain.documents.metadata import Metadata, Scalar, comparable_value
from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.field_types import FieldType, field_type
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
from groundwire.domain.filters.value_tests import Kind, kind_of

_FIELD: Final = "metadata"
_NAME_END: Final = "\x1f"
"""Separator after a field's name and after an item's position; no name contains it."""
_AFTER_NAME_END: Final = "\x20"

_SINGLE: Final = "S"
_LIST: Final = "L"
_ITEM: Final = "I"
_DIGITS: Final = 4
_MOST_DIGITS: Final = 16**_DIGITS - 1

_SIGN: Final = 1 << 63
_ALL_BITS: Final = (1 << 64) - 1


def metadata_terms(metadata: Metadata) -> list[str]:
    """Return the distinct terms of a document's metadata, in order: values and markers."""
    terms = {term for name, value in metadata.items() for term in _field_terms(f"{name}{_NAME_END}", value)}
    return sorted(terms | {f"{_NAME_END}{name}{_NAME_END}{field_type(value)}" for name, value in metadata.items()})


def filter_clause(where: Filter) -> Clause:
    """Return the clause for rows of documents that pass the filter, or of more where rows cannot decide it."""
    return _translated(index_filter(where).clause)


def has_earlier_form() -> Clause:
    """Return the clause for rows whose fields have an earlier form."""
    return {"bool": {"must_not": [_terms([_value_term(f"{ROWS_FIELD}{_NAME_END}", ROWS_FORM)])]}}


FIELD_TYPE_TERMS: Final[Mapping[str, Any]] = {"include": f"{_NAME_END}.*", "size": 1_000, "order": {"_key": "asc"}}
"""Members of an aggregation over the terms of fields with their types, of which a collection has few."""


def to_field_type(term: str) -> tuple[str, FieldType]:
    """Return name and type of a field from their term."""
    _, name, kind = term.split(_NAME_END)
    return name, FieldType(kind)


def _field_terms(prefix: str, value: Scalar | tuple[Scalar, ...]) -> Iterator[str]:
    if not isinstance(value, tuple):
        yield from (f"{prefix}{_SINGLE}", _value_term(prefix, value))
        return
    yield f"{prefix}{_LIST}{_hex(len(value))}"
    for position, item in enumerate(value):
        yield from (_value_term(prefix, item), _value_term(_item_prefix(prefix, position), item))


def _translated(clause: index_clauses.Clause) -> Clause:
    match clause:
        case EveryClause(parts):
            return {"match_all": {}} if clause == EVERY_ROW else {"bool": {"filter": list(map(_translated, parts))}}
        case SomeClause(parts):
            return {"match_none": {}} if clause == NO_ROW else any_of(list(map(_translated, parts)))
        case NoClause(part):
            return {"bool": {"must_not": [_translated(part)]}}
        case _:
            return _translated_leaf(clause, f"{clause.field}{_NAME_END}")


def _translated_leaf(clause: HasValue | IsPresent | IsSingle | HasItems | ItemHasValue, prefix: str) -> Clause:
    match clause:
        case HasValue(_, values):
            return _has_value(prefix, values)
        case ItemHasValue(_, position, values):
            return _has_value(_item_prefix(prefix, position), values)
        case IsPresent(field):
            return _range({"gte": prefix, "lt": f"{field}{_AFTER_NAME_END}"})
        case IsSingle():
            return _terms([f"{prefix}{_SINGLE}"])
        case HasItems(_, fewest, most):
            return _has_items(f"{prefix}{_LIST}", fewest, _MOST_DIGITS if most is None else most)


def _has_items(prefix: str, fewest: int, most: int) -> Clause:
    first, last = (prefix + _hex(min(number, _MOST_DIGITS)) for number in (fewest, most))
    return _terms([first]) if first == last else _range({"gte": first, "lte": last})


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
                points.append(_term(prefix, kind, point))
    clauses = [_terms(points), *ranges] if points else ranges
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
        found["gte" if low[1] == BEFORE else "gt"] = _term(prefix, kind, low[0])
    if high is None:
        found["lt"] = prefix + chr(ord(kind.value) + 1)
    else:
        found["lt" if high[1] == BEFORE else "lte"] = _term(prefix, kind, high[0])
    return found


def _terms(terms: list[str]) -> Clause:
    return {"terms": {_FIELD: sorted(terms)}}


def _range(bounds: dict[str, Any]) -> Clause:
    return {"range": {_FIELD: bounds}}


def _item_prefix(prefix: str, position: int) -> str:
    return f"{prefix}{_ITEM}{_hex(min(position, _MOST_DIGITS))}{_NAME_END}"


def _hex(number: int) -> str:
    return f"{number:0{_DIGITS}x}"


def _value_term(prefix: str, value: Scalar) -> str:
    comparable = comparable_value(value)
    return _term(prefix, kind_of(comparable), comparable.isoformat() if isinstance(comparable, date) else comparable)


def _term(prefix: str, kind: Kind, bound: Bound) -> str:
    if isinstance(bound, str):
        return f"{prefix}{kind.value}{bound}"
    return f"{prefix}{kind.value}{int(bound) if kind is Kind.BOOLEAN else _sortable_hex(bound)}"


def _sortable_hex(number: float) -> str:
    """Return the number's bits as hex, changed so that text order is number order; -0 is 0."""
    (bits,) = struct.unpack(">Q", struct.pack(">d", number + 0.0))
    return f"{bits ^ (_ALL_BITS if bits & _SIGN else _SIGN):016x}"
