"""Stored types as rows of SQLite: columns and their declarations, values to rows and back."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Generic

from groundwire.stored import texts_json
from groundwire.stored.fields import Required, StoredField
from groundwire.stored.kinds import PlainForm, PlainValue, UnreadableValue
from groundwire.stored.stored_type import StoredType, T

_TYPES: Final = {
    PlainForm.TEXT: "TEXT",
    PlainForm.INTEGER: "INTEGER",
    PlainForm.REAL: "REAL",
    PlainForm.BOOLEAN: "INTEGER",
    PlainForm.BYTES: "BLOB",
    PlainForm.TEXTS: "TEXT",
    PlainForm.WORD_OR_TEXTS: "TEXT",
}
_CACHED_VALUES: Final = 4096


class RowCodec(Generic[T]):
    """Rows of a stored type, read and written by position in the order of `columns`."""

    def __init__(self, stored: StoredType[T]) -> None:
        self._stored = stored
        self.columns: Final = tuple(field.column for field in stored.fields)
        self.names: Final = ", ".join(self.columns)
        """Columns, as a statement names them."""
        self.placeholders: Final = ", ".join("?" for _ in self.columns)
        # Most columns hold the value itself: rows are written and read without a call for each of them.
        writers = [(position, _writer(field)) for position, field in enumerate(stored.fields)]
        self._writers = [(position, write) for position, write in writers if write is not None]
        readers = [(position, field, _reader(field)) for position, field in enumerate(stored.fields)]
        self._readers = [(position, field, read) for position, field, read in readers if read is not None]

    def to_row(self, value: T) -> tuple[Any, ...]:
        """Return the values of `columns`."""
        row = list(self._stored.values_of(value))
        for position, write in self._writers:
            if row[position] is not None:
                row[position] = write(row[position])
        return tuple(row)

    def from_row(self, row: Sequence[Any]) -> T:
        """Return the value of a row that begins with `columns`; further values of the row are not read.

        Raises:
            UnreadableValue: a value is not one of its column.
        """
        values = list(row)
        for position, field, read in self._readers:
            value = values[position]
            if value is not None:
                values[position] = read(value)
            elif field.absent is not None:
                raise UnreadableValue(f"The column {field.column!r} holds no value.")
        return self._stored.from_values(values)


def column_declarations(stored: StoredType[Any]) -> Mapping[str, str]:
    """Return the declarations of the columns that a file of an earlier release may lack, by column.

    Each default is the value that the absence means. A required column is in every file.
    """
    return {
        field.column: column_declaration(field) for field in stored.fields if not isinstance(field.absent, Required)
    }


def column_declaration(field: StoredField[Any]) -> str:
    """Return the type and the constraints of a column."""
    declared = _TYPES[field.kind.form]
    if isinstance(field.absent, Required):
        return f"{declared} NOT NULL"
    return declared if field.absent is None else f"{declared} NOT NULL DEFAULT {_literal(field)}"


def _literal(field: StoredField[Any]) -> str:
    write, value = _writer(field), field.absent
    stored = value if write is None else write(value)
    if isinstance(stored, bytes):
        return f"x'{stored.hex()}'"
    if isinstance(stored, str):
        # SQL doubles a quote within a text.
        quoted = stored.replace("'", "''")
        return f"'{quoted}'"
    return repr(stored)


def _writer(field: StoredField[Any]) -> Callable[[Any], PlainValue] | None:
    """Return the conversion of a value to its column; None where they are the same."""
    to_plain = field.kind.to_plain
    match field.kind.form:
        case PlainForm.TEXTS | PlainForm.WORD_OR_TEXTS:
            return _json_of_texts if to_plain is None else lambda value: _json_of_texts(to_plain(value))
        case PlainForm.BOOLEAN:
            return int
        case _:
            return to_plain


def _json_of_texts(plain: PlainValue) -> PlainValue:
    """Return texts as JSON, and a word as it is."""
    return texts_json.to_json(plain) if isinstance(plain, tuple) else plain


def _reader(field: StoredField[Any]) -> Callable[[Any], Any] | None:
    """Return the conversion of a column to its value; None where they are the same."""
    kind = field.kind
    match kind.form:
        case PlainForm.TEXTS:
            convert: Callable[[Any], Any] | None = lambda text: kind.value(texts_json.from_json(text))  # noqa: E731
        case PlainForm.WORD_OR_TEXTS:
            convert = lambda text: kind.value(texts_json.from_json(text) if text.startswith("[") else text)  # noqa: E731
        case PlainForm.BOOLEAN:
            convert = bool
        case _:
            convert = None if kind.from_plain is None else kind.value
    # A look-up in the cache takes longer than `bool` itself.
    if convert is not None and kind.is_immutable and kind.form is not PlainForm.BOOLEAN:
        return lru_cache(_CACHED_VALUES)(convert)
    return convert
