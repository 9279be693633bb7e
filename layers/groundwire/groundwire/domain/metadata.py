"""What an owner says of a document beside its text: named values of a few types, which a search can filter by."""

import json
import re
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Final, cast

from groundwire.domain.errors import Invalid

Scalar = str | float | bool | date
"""Numbers are floats; a date has no time of day."""
Value = Scalar | tuple[str, ...] | tuple[float, ...]
Metadata = Mapping[str, Value]
"""By field name."""

NONE: Final[Metadata] = MappingProxyType({})

MAX_FIELDS: Final = 32
MAX_FIELD_CHARACTERS: Final = 64
MAX_VALUE_CHARACTERS: Final = 1_000
MAX_LIST_ITEMS: Final = 64
_FIELD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


def typed(given: Mapping[str, object]) -> Metadata:
    """The metadata that a person wrote: text like 2024-05-31 is a date, whole numbers are numbers.

    Raises:
        Invalid: a name or value that cannot be kept, named, with what would do.
    """
    if len(given) > MAX_FIELDS:
        raise Invalid(f"A document has at most {MAX_FIELDS} metadata fields, not {len(given)}.")
    return {name: _value(_named(name), value) for name, value in given.items()}


def to_json(metadata: Metadata) -> str:
    """Canonical: equal metadata is equal text. A date is `{"date": "2024-05-31"}`."""
    plain = {
        name: {"date": value.isoformat()} if isinstance(value, date) else value for name, value in metadata.items()
    }
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def from_json(text: str) -> Metadata:
    """What `to_json` wrote; Raises ValueError for anything else."""
    held: object = json.loads(text)
    if not isinstance(held, dict):
        raise ValueError("not metadata")  # noqa: TRY004 - text that is wrong, not a caller
    return {name: _stored(value) for name, value in cast("dict[str, object]", held).items()}


def _named(name: str) -> str:
    if _FIELD.fullmatch(name) is None:
        raise Invalid(
            f"{name!r} cannot be a metadata field: begin with a letter; use letters, digits, '_' and '-'; "
            f"{MAX_FIELD_CHARACTERS} characters at most."
        )
    return name


def _value(name: str, value: object) -> Value:
    if isinstance(value, list | tuple):
        return _listed(name, list(cast("list[object]", value)))
    return _scalar(name, value)


def _scalar(name: str, value: object) -> Scalar:
    match value:
        case bool() | date():
            return value
        case int() | float() if abs(value) < float("inf"):
            return float(value)
        case str() if len(value) <= MAX_VALUE_CHARACTERS:
            return _dated(value)
        case _:
            raise Invalid(
                f"Metadata field {name!r} must be text of at most {MAX_VALUE_CHARACTERS} characters, a number, "
                "a date like 2024-05-31, true, false, or a list of texts or of numbers."
            )


def _dated(text: str) -> str | date:
    if _DATE.fullmatch(text):
        try:
            return date.fromisoformat(text)
        except ValueError:
            return text
    return text


def _listed(name: str, items: list[object]) -> tuple[str, ...] | tuple[float, ...]:
    if len(items) > MAX_LIST_ITEMS:
        raise Invalid(f"Metadata field {name!r} lists at most {MAX_LIST_ITEMS} items, not {len(items)}.")
    if all(isinstance(item, str) and len(item) <= MAX_VALUE_CHARACTERS for item in items):
        return tuple(cast("list[str]", items))
    if all(isinstance(item, int | float) and not isinstance(item, bool) for item in items):
        return tuple(float(item) for item in cast("list[float]", items))
    raise Invalid(f"Metadata field {name!r} must list only texts, or only numbers.")


def _stored(value: object) -> Value:
    match value:
        case {"date": str(text)}:
            return date.fromisoformat(text)
        case list():
            return tuple(cast("list[str]", value))
        case bool() | float() | str():
            return value
        case _:
            raise ValueError("not a metadata value")
