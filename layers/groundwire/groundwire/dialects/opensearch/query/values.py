"""Literals of queries as values of a field, by the engine's coercions."""

import re
from collections.abc import Iterable
from typing import Final

from groundwire.dialects.opensearch.errors import (
    QUERY_SHARD,
    OpenSearchError,
    illegal_argument,
    not_served,
    shard_error,
)
from groundwire.dialects.opensearch.query.fields import IndexField
from groundwire.dialects.opensearch.query.moments import DatePeriod, moment_of_milliseconds, parse_moment
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
from groundwire.domain.filters.outcomes import Language

NOTHING: Final[Filter] = AnyOf(())
EVERYTHING: Final[Filter] = AllOf(())
# The time to read a number grows faster than its digits.
_MOST_NUMBER_CHARACTERS: Final = 40
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]{1,3})?")
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_DATE_MATH: Final = re.compile(r"now|.*\|\|")
_NUMBERS: Final = frozenset({FieldType.NUMBER, FieldType.NUMBERS})
_TEXTS: Final = frozenset({FieldType.TEXT, FieldType.TEXTS})
# The engine reads an empty text as false.
_TRUTHS: Final = {"true": True, "false": False, "": False}


def equal_to(field: IndexField, literals: Iterable[object]) -> Filter:
    """Return the filter for a value, or an item of a list, that is one of the literals.

    Raises:
        OpenSearchError: a literal is no value, or can be none of a field whose values are all numbers or dates.
    """
    values: list[Scalar] = []
    periods: list[Filter] = []
    for literal in literals:
        moment = _moment(field, literal)
        if moment is not None and not moment.is_day and moment.is_whole:
            periods.append(between(field, ((Operator.GE, literal), (Operator.LE, literal))))
        values += _values(field, literal)
        if moment is not None and moment.is_day:
            values.append(moment.first)
    stored = _stored(field)
    found = [Compare(stored, Operator.IN, tuple(values))] if values else []
    parts: list[Filter] = [*found, *periods]
    return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))


def between(field: IndexField, bounds: Iterable[tuple[Operator, object]]) -> Filter:
    """Return the filter for one value, or one item of a list, that is within all bounds.

    Raises:
        OpenSearchError: as in `equal_to`.
    """
    parts = [_orders(field, operator, literal) for operator, literal in bounds]
    stored = _stored(field)
    single = AllOf(tuple(_any_order(stored, part) for part in parts))
    if not field.types & LIST_TYPES:
        return single
    condition = AllOf(tuple(_any_order(ELEMENT, part) for part in parts))
    return AnyOf((single, AnyElement(stored, condition, Language.ODATA)))


def _orders(field: IndexField, operator: Operator, literal: object) -> list[tuple[Operator, Scalar]]:
    moment = _moment(field, literal)
    dated = [] if moment is None else [moment.order(operator)]
    return [*((operator, value) for value in _values(field, literal)), *dated]


def _any_order(name: str, orders: Iterable[tuple[Operator, Scalar]]) -> Filter:
    """Return the filter for a value that has one of the orders; a list has none."""
    return AnyOf(tuple(Compare(name, operator, value, Language.ODATA) for operator, value in orders))


def _stored(field: IndexField) -> str:
    if field.stored is None:
        raise illegal_argument(f"Cannot search on field [{field.name}] since it is not indexed.")
    return field.stored


def _values(field: IndexField, literal: object) -> list[Scalar]:
    """Return the values of the field's types, but dates, that equal a literal; none where no document can have it."""
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
    if not found and field.types <= _NUMBERS | {FieldType.EMPTY_LIST}:
        raise _no_number(literal)
    return found


def _text_values(field: IndexField, text: str) -> list[Scalar]:
    return [text] if field.types & _TEXTS else []


def _moment(field: IndexField, literal: object) -> DatePeriod | None:
    """Return the date or point in time that a literal is for a field with dates; None for another literal.

    Raises:
        OpenSearchError: the text is a calculation with dates, or no date for a field without texts.
    """
    if FieldType.DATE not in field.types or isinstance(literal, bool):
        return None
    if isinstance(literal, int):
        return moment_of_milliseconds(literal)
    if not isinstance(literal, str):
        return None
    # Read as a text, a calculation with dates would match nothing without an error.
    if _DATE_MATH.match(literal):
        raise not_served("date math", "write a date, such as 2026-01-31")
    found = parse_moment(literal)
    if found is None and not field.types & _TEXTS:
        raise _no_date(literal)
    return found


def _number(text: str) -> int | float | None:
    if len(text) > _MOST_NUMBER_CHARACTERS or not _NUMBER.fullmatch(text):
        return None
    return int(text) if _INTEGER.fullmatch(text) else float(text)


def _no_number(text: str) -> OpenSearchError:
    return shard_error(f'failed to create query: For input string: "{text[:_MOST_NUMBER_CHARACTERS]}"', QUERY_SHARD)


def _no_date(text: str) -> OpenSearchError:
    shown = text[:_MOST_NUMBER_CHARACTERS]
    return shard_error(f"failed to parse date field [{shown}]: write 2026-01-31", "parse_exception")
