"""What an owner says of a document beside its text: named values of a few types, which a search can filter by."""

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime
from types import MappingProxyType
from typing import Final, Never, cast

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import (
    MAX_METADATA_FIELD_CHARACTERS,
    MAX_METADATA_FIELDS,
    MAX_METADATA_LIST_ITEMS,
    MAX_METADATA_VALUE_CHARACTERS,
)
from groundwire.domain.text.normalisation import normalise

Scalar = str | float | bool | date
"""Numbers are floats; a date has no time of day; text that spells a date is that date."""
Value = Scalar | tuple[str, ...] | tuple[float, ...]
Metadata = Mapping[str, Value]
"""By field name."""
MetadataOverrides = Mapping[str, Value | None]
"""By field name; None takes away what was said before."""

NO_METADATA: Final[Metadata] = MappingProxyType({})

_FIELD: Final = re.compile(rf"[A-Za-z][A-Za-z0-9_-]{{0,{MAX_METADATA_FIELD_CHARACTERS - 1}}}")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_EXACT_INTEGER_LIMIT: Final = 2**53
"""From here on neighbouring whole numbers are one float: two order numbers would be the same."""
_FLOAT_OVERFLOW_LIMIT: Final = 10**308


def metadata_from_mapping(given: Mapping[str, object]) -> Metadata:
    """The metadata that a person wrote: text like 2024-05-31 is a date, whole numbers are numbers.

    Text is normalised, as passages are, since both are shown to agents.

    Raises:
        Invalid: a name or value that cannot be kept, named, with what would do.
    """
    if len(given) > MAX_METADATA_FIELDS:
        raise InvalidInput(f"A document has at most {MAX_METADATA_FIELDS} metadata fields, not {len(given)}.")
    return {name: _parse_value(_check_field_name(name), value) for name, value in given.items()}


def apply_overrides(overrides: MetadataOverrides, target: str) -> Metadata:
    """What files that are laid over each other say of `target` in the end; Raises Invalid where it is too much."""
    try:
        return metadata_from_mapping({name: value for name, value in overrides.items() if value is not None})
    except InvalidInput as error:
        raise InvalidInput(f"The metadata files that speak of {target} say too much together: {error}") from error


def parse_front_matter(front_matter: Mapping[str, object]) -> Metadata:
    """What can be kept of what a file says of itself: nobody can be asked to change it, so the rest is left out."""
    kept: dict[str, Value] = {}
    for name, value in front_matter.items():
        with suppress(InvalidInput):
            if len(kept) < MAX_METADATA_FIELDS:
                kept.update(metadata_from_mapping({name: value}))
    return kept


def merge_metadata(from_file: Metadata, given: Metadata) -> Metadata:
    """What is given about a file over what the file says itself, which gives way where there is no room for all."""
    room = MAX_METADATA_FIELDS - len(given)
    others = [(name, value) for name, value in from_file.items() if name not in given]
    return dict(others[: max(0, room)]) | dict(given)


def to_json(metadata: Metadata) -> str:
    """Canonical: equal metadata is equal text. A date is `{"date": "2024-05-31"}`."""
    plain = {
        name: {"date": value.isoformat()} if isinstance(value, date) else value for name, value in metadata.items()
    }
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True)


def from_json(text: str) -> Metadata:
    """What `to_json` wrote; Raises ValueError for anything else."""
    if text == "{}":
        return NO_METADATA
    held: object = _DECODER.decode(text)
    if not isinstance(held, dict):
        _refuse(text)
    return {name: _decode_value(value) for name, value in cast("dict[str, object]", held).items()}


def is_field_name(name: str) -> bool:
    """Whether a metadata field may be called so: letters, digits, `_` and `-`, a letter first."""
    return _FIELD.fullmatch(name) is not None


def comparable_value(value: Scalar) -> Scalar:
    """The value by which it is compared: a date for the text that spells it, a float for a whole number."""
    match value:
        case bool() | float():
            return value
        case int():
            return float(value) if abs(value) < _FLOAT_OVERFLOW_LIMIT else math.inf * (1 if value > 0 else -1)
        case datetime():
            return value.date()
        case str():
            return _date_or_text(value)
        case date():
            return value


def _check_field_name(name: str) -> str:
    if not is_field_name(name):
        raise InvalidInput(
            f"{name!r} cannot be a metadata field: begin with a letter; use letters, digits, '_' and '-'; "
            f"{MAX_METADATA_FIELD_CHARACTERS} characters at most."
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
        raise InvalidInput(f"Metadata field {name!r} holds a number too long to be kept exactly: put it in quotes.")
    if not math.isfinite(value):
        raise InvalidInput(f"Metadata field {name!r} must be a finite number.")
    return float(value) + 0.0  # -0.0 is 0.0: equal metadata is equal text.


def _text(name: str, text: str) -> str:
    if len(text) > MAX_METADATA_VALUE_CHARACTERS:
        raise InvalidInput(f"Metadata field {name!r} holds at most {MAX_METADATA_VALUE_CHARACTERS} characters of text.")
    return normalise(text)


def _date_or_text(text: str) -> str | date:
    if _DATE.fullmatch(text):
        with suppress(ValueError):
            return date.fromisoformat(text)
    return text


def _parse_list(name: str, items: list[object]) -> tuple[str, ...] | tuple[float, ...]:
    if len(items) > MAX_METADATA_LIST_ITEMS:
        raise InvalidInput(f"Metadata field {name!r} lists at most {MAX_METADATA_LIST_ITEMS} items, not {len(items)}.")
    if all(isinstance(item, str | date) for item in items):
        return tuple(_text(name, _without_time(item)) for item in cast("list[str | date]", items))
    if all(isinstance(item, int | float) and not isinstance(item, bool) for item in items):
        return tuple(_number(name, item) for item in cast("list[float]", items))
    raise InvalidInput(f"Metadata field {name!r} must list only texts, or only numbers.")


def _without_time(item: str | date) -> str:
    """A list holds dates as the text that spells them."""
    return item if isinstance(item, str) else date(item.year, item.month, item.day).isoformat()


def _decode_value(value: object) -> Value:
    match value:
        case dict():
            return _decode_date(cast("dict[str, object]", value))
        case list():
            return _decode_list(cast("list[object]", value))
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


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse)
"""Made once: a search decodes the records of up to a hundred documents."""
