"""Types of the fields that documents have, and the resolution of names to metadata or to a document's own fields."""

from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum
from typing import Final

from groundwire.domain.documents.indexed_fields import OWN_FIELDS, own_field
from groundwire.domain.documents.metadata import Metadata, Value


class FieldType(StrEnum):
    """Type of a field's value in one document; a field may have others in other documents."""

    BOOLEAN = "boolean"
    DATE = "date"
    NUMBER = "number"
    TEXT = "text"
    NUMBERS = "numbers"
    TEXTS = "texts"
    EMPTY_LIST = "empty list"


FieldTypes = Mapping[str, frozenset[FieldType]]
"""Types by field name."""

LIST_TYPES: Final = frozenset({FieldType.NUMBERS, FieldType.TEXTS, FieldType.EMPTY_LIST})


def field_type(value: Value) -> FieldType:
    """Return the type of a value."""
    match value:
        # Before the numbers: in Python a boolean is an integer.
        case bool():
            return FieldType.BOOLEAN
        case int() | float():
            return FieldType.NUMBER
        case str():
            return FieldType.TEXT
        case date():
            return FieldType.DATE
        case ():
            return FieldType.EMPTY_LIST
        case _:
            return FieldType.TEXTS if isinstance(value[0], str) else FieldType.NUMBERS


def field_types(documents: Iterable[Metadata]) -> FieldTypes:
    """Return the types that each field has in these documents."""
    found: dict[str, set[FieldType]] = {}
    for metadata in documents:
        for name, value in metadata.items():
            found.setdefault(name, set()).add(field_type(value))
    return {name: frozenset(types) for name, types in found.items()}


def resolve_field(name: str, known: FieldTypes) -> str:
    """Return the field that a name in a filter denotes.

    Metadata takes precedence: only where no readable document has metadata of the name, `title`, `language`,
    `source_file_name` and `page` are the document's own.

    Args:
        name: name as the caller wrote it.
        known: fields of the documents that the caller may read.
    """
    return own_field(name) if name in OWN_FIELDS and name not in known else name
