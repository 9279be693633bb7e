"""Metadata filters as filters of the engine, with the results of `domain.filters.expression.matches`.

All values of a document are terms of one keyword field. A term begins with the field's name and the value's type, so
that values of different types never match and owners may choose any name. Terms sort by their bytes, which is the order
of the values.
"""

import struct
from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from groundwire.adapters.aws.opensearch.schema.access_filter import Clause, any_of
from groundwire.domain.documents.metadata import Metadata, Scalar, comparable_value
from groundwire.domain.filters.expression import AllOf, AnyOf, Compare, Filter, Not, Operator

_FIELD: Final = "metadata"
_NAME_END: Final = "\x1f"
"""Separator after a field's name; no name contains it."""

_SIGN: Final = 1 << 63
_ALL_BITS: Final = (1 << 64) - 1


def metadata_terms(metadata: Metadata) -> list[str]:
    """Return the distinct terms of a document's metadata, in order."""
    pairs = ((name, value if isinstance(value, tuple) else (value,)) for name, value in metadata.items())
    return sorted({_term(name, value) for name, values in pairs for value in values})


def filter_clause(where: Filter) -> Clause:
    """Return the clause for rows of documents that pass the filter."""
    match where:
        case AllOf(parts):
            return {"bool": {"filter": [filter_clause(part) for part in parts]}} if parts else {"match_all": {}}
        case AnyOf(parts):
            return any_of([filter_clause(part) for part in parts])
        case Not(part):
            return _none_of(filter_clause(part))
        case Compare(field, Operator.NE, value):
            return _none_of(_equal(field, _as_tuple(value)))
        case Compare(field, Operator.EQ | Operator.IN, value):
            return _equal(field, _as_tuple(value))
        case Compare(field, operator, value):
            return any_of([{"range": {_FIELD: each}} for each in _ranges(field, operator, _as_tuple(value))])


def _none_of(clause: Clause) -> Clause:
    return {"bool": {"must_not": [clause]}}


def _equal(field: str, values: tuple[Scalar, ...]) -> Clause:
    return {"terms": {_FIELD: sorted({_term(field, value) for value in values})}} if values else {"match_none": {}}


def _ranges(field: str, operator: Operator, values: tuple[Scalar, ...]) -> Iterator[dict[str, Any]]:
    """Yield one range per value that has an order; the range ends with the terms of its field and type."""
    for value in values:
        if isinstance(comparable_value(value), bool):
            continue
        term = _term(field, value)
        kind = term[len(field) + len(_NAME_END)]
        first, after_last = f"{field}{_NAME_END}{kind}", f"{field}{_NAME_END}{chr(ord(kind) + 1)}"
        match operator:
            case Operator.LT:
                yield {"gte": first, "lt": term}
            case Operator.LE:
                yield {"gte": first, "lte": term}
            case Operator.GT:
                yield {"gt": term, "lt": after_last}
            case _:
                yield {"gte": term, "lt": after_last}


def _as_tuple(value: Scalar | tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    return value if isinstance(value, tuple) else (value,)


def _term(field: str, value: Scalar) -> str:
    comparable = comparable_value(value)
    if isinstance(comparable, bool):
        return f"{field}{_NAME_END}b{int(comparable)}"
    if isinstance(comparable, date):
        return f"{field}{_NAME_END}d{comparable.isoformat()}"
    if isinstance(comparable, str):
        return f"{field}{_NAME_END}t{comparable}"
    return f"{field}{_NAME_END}n{_sortable_hex(comparable)}"


def _sortable_hex(number: float) -> str:
    """Return the number's bits as hex, changed so that text order is number order; -0 is 0."""
    (bits,) = struct.unpack(">Q", struct.pack(">d", number + 0.0))
    return f"{bits ^ (_ALL_BITS if bits & _SIGN else _SIGN):016x}"
