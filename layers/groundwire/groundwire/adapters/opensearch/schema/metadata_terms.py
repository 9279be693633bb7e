"""Metadata as terms of a row: values and markers.

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

from groundwire.adapters.opensearch.schema.access_filter import Clause
from groundwire.domain.documents.indexed_fields import ROWS_FIELD, ROWS_FORM
from groundwire.domain.documents.metadata import Metadata, Scalar, comparable_value
from groundwire.domain.filters.field_types import FieldType, field_type
from groundwire.domain.filters.value_tests import Kind, kind_of

METADATA_FIELD: Final = "metadata"
NAME_END: Final = "\x1f"
"""Separator after a field's name and after an item's position; no name contains it."""

SINGLE: Final = "S"
LIST: Final = "L"
_ITEM: Final = "I"
_DIGITS: Final = 4
MOST_DIGITS: Final = 16**_DIGITS - 1

_SIGN: Final = 1 << 63
_ALL_BITS: Final = (1 << 64) - 1


def metadata_terms(metadata: Metadata) -> list[str]:
    """Return the distinct terms of a document's metadata, in order: values and markers."""
    terms = {term for name, value in metadata.items() for term in _field_terms(f"{name}{NAME_END}", value)}
    return sorted(terms | {f"{NAME_END}{name}{NAME_END}{field_type(value)}" for name, value in metadata.items()})


def has_earlier_form() -> Clause:
    """Return the clause for rows whose fields have an earlier form."""
    return {"bool": {"must_not": [terms_clause([_value_term(f"{ROWS_FIELD}{NAME_END}", ROWS_FORM)])]}}


FIELD_TYPE_TERMS: Final[Mapping[str, Any]] = {"include": f"{NAME_END}.*", "size": 1_000, "order": {"_key": "asc"}}
"""Members of an aggregation over the terms of fields with their types, of which a collection has few."""


def to_field_type(term: str) -> tuple[str, FieldType]:
    """Return name and type of a field from their term."""
    _, name, kind = term.split(NAME_END)
    return name, FieldType(kind)


def value_terms(field: str) -> Mapping[str, Any]:
    """Return the members of an aggregation that choose the terms of a field's values, without markers.

    Args:
        field: a name that rows may have; such names hold no character with a meaning in patterns.
    """
    kinds = "".join(kind.value for kind in Kind)
    return {"include": f"{field}{NAME_END}[{kinds}].*"}


def to_value(field: str, term: str) -> Scalar:
    """Return the value of a field from its term."""
    stored = term.removeprefix(f"{field}{NAME_END}")
    kind, bound = Kind(stored[0]), stored[1:]
    match kind:
        case Kind.BOOLEAN:
            return bound == "1"
        case Kind.DATE:
            return date.fromisoformat(bound)
        case Kind.NUMBER:
            return _from_sortable_hex(bound)
        case Kind.TEXT:
            return bound


def _field_terms(prefix: str, value: Scalar | tuple[Scalar, ...]) -> Iterator[str]:
    if not isinstance(value, tuple):
        yield from (f"{prefix}{SINGLE}", _value_term(prefix, value))
        return
    yield f"{prefix}{LIST}{hex_number(len(value))}"
    for position, item in enumerate(value):
        yield from (_value_term(prefix, item), _value_term(item_prefix(prefix, position), item))


def terms_clause(terms: list[str]) -> Clause:
    """Return the clause for rows with one of these terms."""
    return {"terms": {METADATA_FIELD: sorted(terms)}}


def item_prefix(prefix: str, position: int) -> str:
    """Return the beginning of the terms of an item by its position."""
    return f"{prefix}{_ITEM}{hex_number(min(position, MOST_DIGITS))}{NAME_END}"


def hex_number(number: int) -> str:
    """Return a length or a position so that text order is number order."""
    return f"{number:0{_DIGITS}x}"


def _value_term(prefix: str, value: Scalar) -> str:
    comparable = comparable_value(value)
    return kind_term(
        prefix, kind_of(comparable), comparable.isoformat() if isinstance(comparable, date) else comparable
    )


def kind_term(prefix: str, kind: Kind, bound: float | str) -> str:
    """Return the term of a value of this kind."""
    if isinstance(bound, str):
        return f"{prefix}{kind.value}{bound}"
    return f"{prefix}{kind.value}{int(bound) if kind is Kind.BOOLEAN else _sortable_hex(bound)}"


def _sortable_hex(number: float) -> str:
    """Return the number's bits as hex, changed so that text order is number order; -0 is 0."""
    (bits,) = struct.unpack(">Q", struct.pack(">d", number + 0.0))
    # All bits of a negative number are inverted, of others the sign alone: so they sort as numbers.
    return f"{bits ^ (_ALL_BITS if bits & _SIGN else _SIGN):016x}"


def _from_sortable_hex(text: str) -> float:
    bits = int(text, 16)
    (number,) = struct.unpack(">d", struct.pack(">Q", bits ^ (_SIGN if bits & _SIGN else _ALL_BITS)))
    return number
