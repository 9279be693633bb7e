"""Document metadata: named, typed values given by the owner, which a search can filter by."""

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime
from types import MappingProxyType
from typing import Final, Never, cast

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_METADATA_FIELD_CHARACTERS
from groundwire_readers.contents.limits import (
    MAX_METADATA_FIELDS,
    MAX_METADATA_LIST_ITEMS,
    MAX_METADATA_VALUE_CHARACTERS,
)
from groundwire_readers.text.normalisation import normalise

Scalar = str | float | bool | date
"""Metadata value. Numbers are floats; a date has no time of day; text in the form of a date is that date."""
Value = Scalar | tuple[str, ...] | tuple[float, ...]
Metadata = Mapping[str, Value]
"""Values by field name."""
MetadataOverrides = Mapping[str, Value | None]
"""Values by field name; None removes a value that was given before."""

NO_METADATA: Final[Metadata] = MappingProxyType({})

_FIELD: Final = re.compile(rf"[A-Za-z][A-Za-z0-9_-]{{0,{MAX_METADATA_FIELD_CHARACTERS - 1}}}")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_EXACT_INTEGER_LIMIT: Final = 2**53
"""Limit above which neighbouring integers are one float, so that two order numbers would be equal."""
_FLOAT_OVERFLOW_LIMIT: Final = 10**308


def metadata_from_mapping(given: Mapping[str, object]) -> Metadata:
    """Return the metadata that a person wrote: text like 2024-05-31 becomes a date, an integer a float.

    Text is normalised like passages, since both are shown to agents.

    Raises:
        InvalidInput: a name or value cannot be stored; the message names it and says what is allowed.
    """
    if len(given) > MAX_METADATA_FIELDS:
        raise InvalidInput(f"A document can have at most {MAX_METADATA_FIELDS} metadata fields, not {len(given)}.")
    return {name: _parse_value(_check_field_name(name), value) for name, value in given.items()}


def apply_overrides(overrides: MetadataOverrides, target: str) -> Metadata:
    """Return the metadata that remains after all overrides of `target` are applied.

    Raises:
        InvalidInput: the overrides have too many fields, or a value that is not valid.
    """
    try:
        return metadata_from_mapping({name: value for name, value in overrides.items() if value is not None})
    except InvalidInput as error:
        raise InvalidInput(f"The metadata files of {target} contain too much together: {error}") from error


def parse_front_matter(front_matter: Mapping[str, object]) -> Metadata:
    """Return the valid fields of a file's own front matter; the rest is left out, since nobody can correct it."""
    fields: dict[str, Value] = {}
    for name, value in front_matter.items():
        with suppress(InvalidInput):
            if len(fields) < MAX_METADATA_FIELDS:
                fields.update(metadata_from_mapping({name: value}))
    return fields


def merge_metadata(from_file: Metadata, given: Metadata) -> Metadata:
    """Return the given metadata, and as many of the file's own other fields as the limit allows."""
    free_fields = MAX_METADATA_FIELDS - len(given)
    others = [(name, value) for name, value in from_file.items() if name not in given]
    return dict(others[: max(0, free_fields)]) | dict(given)


def to_json(metadata: Metadata) -> str:
    """Encode canonically: equal metadata is equal text. A date is `{"date": "2024-05-31"}`."""
    plain = {
        name: {"date": value.isoformat()} if isinstance(value, date) else value for name, value in metadata.items()
    }
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True)


def from_json(text: str) -> Metadata:
    """Decode the text that `to_json` wrote.

    Raises:
        ValueError: the text is not such JSON.
    """
    # The usual case needs no decoder: a search reads up to a hundred records.
    if text == "{}":
        return NO_METADATA
    decoded: object = _DECODER.decode(text)
    if not isinstance(decoded, dict):
        _refuse(text)
    return {name: _decode_value(value) for name, value in cast("dict[str, object]", decoded).items()}


def is_field_name(name: str) -> bool:
    """Return whether `name` is a valid field name: letters, digits, `_` and `-`, a letter first."""
    return _FIELD.fullmatch(name) is not None


def comparable_value(value: Scalar) -> Scalar:
    """Return the value in its compared form: text in the form of a date as a date, an integer as a float."""
    match value:
        # Before `int`, the base class of `bool`.
        case bool() | float():
            return value
        case int():
            # A filter may hold an integer for which `float()` raises OverflowError.
            return float(value) if abs(value) < _FLOAT_OVERFLOW_LIMIT else math.inf * (1 if value > 0 else -1)
        # Before `date`, the base class of `datetime`.
        case datetime():
            return value.date()
        case str():
            return _date_or_text(value)
        case date():
            return value


def _check_field_name(name: str) -> str:
    if not is_field_name(name):
        raise InvalidInput(
            f"{name!r} is not a valid metadata field: start with a letter, and use letters, digits, '_' "
            f"and '-', at most {MAX_METADATA_FIELD_CHARACTERS} characters."
        )
    return name


def _parse_value(name: str, value: object) -> Value:
    if isinstance(value, list | tuple):
        return _parse_list(name, list(cast("list[object]", value)))
    return _scalar(name, value)


def _scalar(name: str, value: object) -> Scalar:
    match value:
        case bool():
            return value
        case int() | float():
            return _number(name, value)
        case str():
            return _date_or_text(_text(name, value))
        case date():
            return comparable_value(value)
        case _:
            raise InvalidInput(
                f"Metadata field {name!r} must be text, a number, a date like 2024-05-31, true, false, "
                "or a list of texts or of numbers."
            )


def _number(name: str, value: float) -> float:
    if isinstance(value, int) and abs(value) > _EXACT_INTEGER_LIMIT:
        raise InvalidInput(f"The number of metadata field {name!r} is too long to be stored exactly: put it in quotes.")
    if not math.isfinite(value):
        raise InvalidInput(f"Metadata field {name!r} must be a finite number.")
    return float(value) + 0.0  # -0.0 is 0.0: equal metadata is equal text.


def _text(name: str, text: str) -> str:
    if len(text) > MAX_METADATA_VALUE_CHARACTERS:
        raise InvalidInput(
            f"Metadata field {name!r} can have at most {MAX_METADATA_VALUE_CHARACTERS} characters of text."
        )
    return normalise(text)


def _date_or_text(text: str) -> str | date:
    if _DATE.fullmatch(text):
        # A text such as 2024-02-31 has the form of a date and is none, so it stays a text.
        with suppress(ValueError):
            return date.fromisoformat(text)
    return text


def _parse_list(name: str, items: list[object]) -> tuple[str, ...] | tuple[float, ...]:
    if len(items) > MAX_METADATA_LIST_ITEMS:
        raise InvalidInput(
            f"Metadata field {name!r} can list at most {MAX_METADATA_LIST_ITEMS} items, not {len(items)}."
        )
    if all(isinstance(item, str | date) for item in items):
        return tuple(_text(name, _without_time(item)) for item in cast("list[str | date]", items))
    if all(isinstance(item, int | float) and not isinstance(item, bool) for item in items):
        return tuple(_number(name, item) for item in cast("list[float]", items))
    raise InvalidInput(f"Metadata field {name!r} must list only texts, or only numbers.")


def _without_time(item: str | date) -> str:
    """Return the item as text: a list holds dates in ISO form."""
    return item if isinstance(item, str) else date(item.year, item.month, item.day).isoformat()


def _decode_value(value: object) -> Value:
    match value:
        case dict():
            return _decode_date(cast("dict[str, object]", value))
        case list():
            return _decode_list(cast("list[object]", value))
        # `to_json` writes no integer, so one means that the text has another form.
        case bool() | float() | str():
            return value
        case _:
            return _refuse(str(value))


def _decode_date(fields: dict[str, object]) -> date:
    text = fields.get("date")
    if list(fields) == ["date"] and isinstance(text, str) and _DATE.fullmatch(text):
        return date.fromisoformat(text)
    return _refuse(str(fields))


def _decode_list(items: list[object]) -> tuple[str, ...] | tuple[float, ...]:
    if all(isinstance(item, str) for item in items) or all(isinstance(item, float) for item in items):
        return tuple(cast("list[str]", items))
    return _refuse(str(items))


def _refuse(text: str) -> Never:
    raise ValueError(f"not metadata: {text}")


# Python's decoder accepts NaN and Infinity, which are no JSON.
_DECODER: Final = json.JSONDecoder(parse_constant=_refuse)
"""Shared decoder: a search decodes the records of up to a hundred documents."""
