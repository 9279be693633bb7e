"""File properties (author, date, …) as bounded names with single values or lists of them."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Final, cast

from groundwire_readers.contents.json_values import require_mapping
from groundwire_readers.contents.limits import (
    MAX_METADATA_FIELDS,
    MAX_METADATA_LIST_ITEMS,
    MAX_METADATA_VALUE_CHARACTERS,
)
from groundwire_readers.text.normalisation import normalise

_DAY: Final = re.compile(r"(\d{4}-\d{2}-\d{2})[T ]\d{2}:", re.ASCII)
"""Timestamp of which only the date is used."""
_PLACEHOLDER_VALUES: Final = ("", "(anonymous)", "(unspecified)", "anonymous", "unknown", "untitled")
"""Values that programs write by default."""
_NAME_CHARACTERS: Final = 64


def bounded_properties(properties: Mapping[str, object]) -> dict[str, object]:
    """Return the properties within the limits; nested, too long and unnamed ones are left out."""
    found: dict[str, object] = {}
    for name, value in properties.items():
        bounded_value = _bounded_value(value)
        clean = normalise(name)
        if clean and len(clean) <= _NAME_CHARACTERS and bounded_value is not None and len(found) < MAX_METADATA_FIELDS:
            found.setdefault(clean, bounded_value)
    return found


def _bounded_value(value: object) -> object:
    """Return the value in its accepted form; None when it is not accepted."""
    if isinstance(value, list | tuple):
        items = [_scalar(item) for item in cast("list[object]", value)]
        is_list = 0 < len(items) <= MAX_METADATA_LIST_ITEMS and all(item is not None for item in items)
        return items if is_list else None
    return _scalar(value)


def _scalar(value: object) -> object:
    match value:
        # Before the numbers, since `bool` is a subclass of `int`.
        case bool():
            return value
        case int() | float():
            return value if abs(value) <= 1e300 else None  # noqa: PLR2004 - JSON can represent it, unlike NaN
        case str() if (day := _DAY.match(value)) is not None:
            return _date(day[1])
        case str():
            # Normalisation can shorten a text, but a hostile one must not cost time by its length.
            text = normalise(value) if len(value) <= 2 * MAX_METADATA_VALUE_CHARACTERS else ""
            is_meaningful = text.casefold() not in _PLACEHOLDER_VALUES
            return text if is_meaningful and len(text) <= MAX_METADATA_VALUE_CHARACTERS else None
        # A datetime is a date as well: its time of day is left out.
        case date():
            return date(value.year, value.month, value.day)
        case _:
            return None


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def properties_to_json(properties: Mapping[str, object]) -> dict[str, object]:
    """Return the properties with each date as {"date": "2024-05-31"}; `properties_from_json` reverses it."""
    return {name: _value_to_json(value) for name, value in properties.items()}


def properties_from_json(value: object) -> dict[str, object]:
    """Return the properties, bounded again.

    Raises:
        ValueError: no mapping, or an invalid date.
    """
    members = require_mapping(value, ValueError("not a mapping"))
    return bounded_properties({name: _value_from_json(item) for name, item in members.items()})


def _value_to_json(value: object) -> object:
    if isinstance(value, list):
        return [_value_to_json(item) for item in cast("list[object]", value)]
    return {"date": value.isoformat()} if isinstance(value, date) else value


def _value_from_json(value: object) -> object:
    match value:
        case {"date": str(text)}:
            return date.fromisoformat(text)
        case list():
            return [_value_from_json(item) for item in cast("list[object]", value)]
        case _:
            return value
