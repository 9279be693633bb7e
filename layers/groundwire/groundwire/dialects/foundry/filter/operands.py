"""Operands of Milvus expressions, and the fields that names and paths denote."""

import re
from dataclasses import dataclass
from typing import Final

from groundwire.dialects.foundry.filter.literals import parse_raw_string, parse_string
from groundwire.domain.documents.indexed_fields import FILE_PATH, FILE_PATH_FIELD, own_field
from groundwire.domain.documents.metadata import is_field_name
from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.field_types import FieldTypes, resolve_field

Constant = bool | int | float | str
"""Literal, or the result of arithmetic on literals."""


@dataclass(frozen=True, slots=True)
class Field:
    """Document field, or the item at a position of its list.

    Attributes:
        position: position from 0; None: the field's own value.
        is_path: it was written with brackets.
    """

    name: str
    position: int | None = None
    is_path: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """Whole column `metadata` or `$meta`, which has no value to compare."""

    name: str


@dataclass(frozen=True, slots=True)
class Calculation:
    """Sum or product of a field and a number.

    Attributes:
        is_product: the number is a factor; else it is added.
    """

    field: Field
    is_product: bool
    number: float


@dataclass(frozen=True, slots=True)
class Length:
    """Number of items of a field's list."""

    field: Field


@dataclass(frozen=True, slots=True)
class ListOf:
    """Operand in square brackets; its elements are literals or lists of them."""

    items: tuple["Constant | ListOf", ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """Operand that is true, false or unknown."""

    where: Filter


Operand = Constant | Field | Column | Calculation | Length | ListOf | Condition

ABSENT_FIELD: Final = "_absent"
"""Field that no document has: names of metadata begin with a letter."""
_COLUMNS: Final = ("metadata", "$meta")
_SOURCE_FILE_NAME: Final = "source_file_name"
_COLUMN: Final = re.compile(r"\$?[A-Za-z_0-9]+")
_KEY: Final = re.compile(
    r"""\[(?:(?P<string>(?:u8|[uUL])?(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'))"""
    r"""|(?P<raw>[rR](?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'))|(?P<position>[0-9]++))\]""",
    re.DOTALL,
)


def named_field(name: str, known: FieldTypes) -> Field | Column:
    """Return what a bare name denotes: a field of the metadata or of the document itself."""
    return Column(name) if name in _COLUMNS else _field(name, known)


def field_at_path(path: str, known: FieldTypes) -> Field:
    """Return the field of a path: `metadata["year"]`, `tags[0]`, `metadata["tags"][0]`.

    Metadata is flat: a path with more keys is absent.

    Raises:
        ExpressionError: a key has an invalid escape.
    """
    column = _COLUMN.match(path)
    name = column[0] if column is not None else ""
    keys: list[str | int] = [] if name in _COLUMNS else [name]
    keys.extend(map(_key, _KEY.finditer(path, len(name))))
    match keys:
        case [str(only)] if name in _COLUMNS and only in known:
            found = Field(only)
        case [str(only)]:
            found = _field(only, known)
        case [str(first), int(position)]:
            found = _field(first, known, position)
        case _:
            found = Field(ABSENT_FIELD)
    return Field(found.name, found.position, is_path=True)


def _key(found: re.Match[str]) -> str | int:
    if found["position"] is not None:
        return int(found["position"])
    return parse_string(found["string"]) if found["string"] is not None else parse_raw_string(found["raw"])


def _field(name: str, known: FieldTypes, position: int | None = None) -> Field:
    if not is_field_name(name):
        return Field(ABSENT_FIELD, position)
    if name == FILE_PATH:
        # Rows decide about the file's name alone exactly, which is the path where no metadata names another one.
        return Field(FILE_PATH_FIELD if name in known else own_field(_SOURCE_FILE_NAME), position)
    return Field(resolve_field(name, known), position)
