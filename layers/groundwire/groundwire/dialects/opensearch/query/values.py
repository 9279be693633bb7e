"""Literals of queries as values of a field: the engine's coercions, and points in time as days."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from groundwire.dialects.opensearch.errors import (
    QUERY_SHARD,
    OpenSearchError,
    illegal_argument,
    not_served,
    shard_error,
)
from groundwire.dialects.opensearch.query.fields import IndexField
from groundwire.domain.documents.metadata import Scalar
from groundwire.domain.filters.expression import (
    ELEMENT,
    AllOf,
    AnyElement,
    AnyOf,
    Compare,
    Filter,
    Operator,
)
from groundwire.domain.filters.field_types import LIST_TYPES, FieldType
from groundwire.domain.filters.moments import utc_moment
from groundwire.domain.filters.outcomes import Language

NOTHING: Final[Filter] = AnyOf(())
EVERYTHING: Final[Filter] = AllOf(())
_MOST_NUMBER_CHARACTERS: Final = 40
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?")
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?:\.([0-9]{1,9}))?(Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_DATE_MATH: Final = re.compile(r"now|.*\|\|")
_NUMBERS: Final = frozenset({FieldType.NUMBER, FieldType.NUMBERS})
_TEXTS: Final = frozenset({FieldType.TEXT, FieldType.TEXTS})
_TRUTHS: Final = {"true": True, "false": False, "": False}


def equal_to(field: IndexField, literals: Iterable[object]) -> Filter:
    """Return the filter for a value, or an item of a list, that is one of the literals.

    Raises:
        OpenSearchError: a literal is no value, or can be none of a field whose values are all numbers or dates.
    """
    values = tuple(value for literal in literals for value in _values(field, literal))
    return Compare(_stored(field), Operator.IN, values) if values else NOTHING


def between(field: IndexField, bounds: Iterable[tuple[Operator, object]]) -> Filter:
    """Return the filter for one value, or one item of a list, that is within all bounds.

    Raises:
        OpenSearchError: as in `equal_to`.
    """
    parts: list[list[tuple[Operator, Scalar]]] = [
        [ordered for value in _ordered_values(field, literal) for ordered in [_day_order(operator, value)]]
        for operator, literal in bounds
    ]
    stored = _stored(field)
    single = AllOf(tuple(_any_order(stored, part) for part in parts))
    if not field.types & LIST_TYPES:
        return single
    condition = AllOf(tuple(_any_order(ELEMENT, part) for part in parts))
    return AnyOf((single, AnyElement(stored, condition, Language.ODATA)))


def _any_order(name: str, orders: Iterable[tuple[Operator, Scalar]]) -> Filter:
    """Return the filter for a value that has one of the orders; a list has none."""
    return AnyOf(tuple(Compare(name, operator, value, Language.ODATA) for operator, value in orders))


def _stored(field: IndexField) -> str:
    if field.stored is None:
        raise illegal_argument(f"Cannot search on field [{field.name}] since it is not indexed.")
    return field.stored


def _values(field: IndexField, literal: object) -> list[Scalar]:
    """Return the values of the field's types that equal a literal; none where no document can have it."""
    if not isinstance(literal, str | int | float | bool):
        raise illegal_argument(f"[{field.name}] takes texts, numbers, true and false, no other value.")
    if isinstance(literal, bool):
        return [literal] if FieldType.BOOLEAN in field.types else _text_values(field, str(literal).lower())
    if isinstance(literal, int | float):
        return [*([literal] if field.types & _NUMBERS else ()), *_text_values(field, str(literal))]
    found: list[Scalar] = _text_values(field, literal)
    if FieldType.BOOLEAN in field.types and literal in _TRUTHS:
        found.append(_TRUTHS[literal])
    if field.types & _NUMBERS and (number := _number(literal)) is not None:
        found.append(number)
    if FieldType.DATE in field.types and (day := _midnight(field, literal)) is not None:
        found.append(day)
    if not found and field.types <= _NUMBERS | {FieldType.EMPTY_LIST}:
        raise _no_number(literal)
    return found


def _text_values(field: IndexField, text: str) -> list[Scalar]:
    return [text] if field.types & _TEXTS else []


def _ordered_values(field: IndexField, literal: object) -> "list[Scalar | tuple[date, bool]]":
    """Return the values as `_values` does; a point in time is its day and whether it is the day's beginning."""
    if isinstance(literal, str) and FieldType.DATE in field.types and (moment := _moment(field, literal)) is not None:
        return [moment]
    return [*_values(field, literal)]


def _day_order(operator: Operator, value: "Scalar | tuple[date, bool]") -> tuple[Operator, Scalar]:
    """Return the order of a stored day that is its order to a point in time."""
    if not isinstance(value, tuple):
        return operator, value
    day, is_midnight = value
    if is_midnight:
        return operator, day
    return (Operator.LE if operator in (Operator.LT, Operator.LE) else Operator.GT), day


def _midnight(field: IndexField, text: str) -> date | None:
    found = _moment(field, text)
    return found[0] if found is not None and found[1] else None


def _moment(field: IndexField, text: str) -> tuple[date, bool] | None:
    """Return the day in UTC of a date or a point in time, and whether it is the day's beginning; None for other texts.

    Raises:
        OpenSearchError: the text is a calculation with dates.
    """
    if _DATE_MATH.match(text):
        raise not_served("date math", "write a date, such as 2026-01-31")
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text), True
        if (found := _MOMENT.fullmatch(text)) is not None:
            moment = utc_moment(found[1] + (found[3] or "Z"), found[2])
            return moment.day, moment.is_midnight
    except ValueError:
        pass
    if field.types & _TEXTS:
        return None
    raise _no_date(text)


def _number(text: str) -> int | float | None:
    if len(text) > _MOST_NUMBER_CHARACTERS or not _NUMBER.fullmatch(text):
        return None
    return int(text) if _INTEGER.fullmatch(text) else float(text)


def _no_number(text: str) -> OpenSearchError:
    return shard_error(f'failed to create query: For input string: "{text[:_MOST_NUMBER_CHARACTERS]}"', QUERY_SHARD)


def _no_date(text: str) -> OpenSearchError:
    shown = text[:_MOST_NUMBER_CHARACTERS]
    return shard_error(f"failed to parse date field [{shown}]: write 2026-01-31", "parse_exception")
