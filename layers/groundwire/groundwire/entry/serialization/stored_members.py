"""Stored types as members of JSON objects: for people, for orders between releases, and from orders."""

from typing import Any

from groundwire.domain.errors import InvalidInput
from groundwire.domain.text.timestamps import utc_datetime
from groundwire.entry.serialization.object_reader import ObjectReader
from groundwire.stored.fields import Required, Shown, StoredField
from groundwire.stored.kinds import PlainForm, UnreadableValue
from groundwire.stored.stored_type import StoredType, T


def format_utc(seconds: float | None) -> str | None:
    """Return epoch seconds as UTC to the second, ISO 8601; None for None and for times outside of the calendar."""
    moment = None if seconds is None else utc_datetime(seconds)
    return None if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def shown_members(stored: StoredType[T], value: T) -> dict[str, object]:
    """Return the members of a value that people read."""
    return {field.name: _member(field, each) for field, each in stored.pairs_of(value) if _is_shown(field, each)}


def order_members(stored: StoredType[T], value: T) -> dict[str, object]:
    """Return the members of a value in an order.

    Members that an earlier release does not know are sent only where they differ from what it does: it rejects unknown
    ones.
    """
    return {field.name: _member(field, each) for field, each in stored.pairs_of(value) if not field.is_absent(each)}


def read_members(stored: StoredType[T], members: ObjectReader, usual: T) -> T:
    """Return the value of an order, with the fields of `usual` for members that are null or missing.

    Raises:
        InvalidInput: a member is of another type or not one of its allowed values.
    """
    return stored.from_values([_read(field, members, each) for field, each in stored.pairs_of(usual)])


def _is_shown(field: StoredField[Any], value: Any) -> bool:
    if field.shown is Shown.WHERE_SET:
        return value is not None and (isinstance(field.absent, Required) or value != field.absent)
    return field.shown is Shown.ALWAYS


def _member(field: StoredField[Any], value: Any) -> object:
    if value is None:
        return None
    if field.kind.is_moment:
        return format_utc(value)
    plain = field.plain(value)
    return list(plain) if isinstance(plain, tuple) else plain


def _read(field: StoredField[Any], members: ObjectReader, usual: object) -> Any:
    if not members.is_given(field.name):
        return usual
    try:
        return field.kind.value(_plain(field, members))
    except UnreadableValue as error:
        raise InvalidInput(f"`{field.name}` has a value that is not allowed.") from error


def _plain(field: StoredField[Any], members: ObjectReader) -> Any:
    match field.kind.form:
        case PlainForm.INTEGER:
            return members.integer(field.name, 0)
        case PlainForm.REAL:
            return members.optional_number(field.name)
        case PlainForm.BOOLEAN:
            return members.boolean(field.name)
        case PlainForm.TEXTS:
            return tuple(members.texts(field.name))
        case PlainForm.TEXT:
            return members.optional_text(field.name)
        case _:
            raise TypeError(f"No order has a member of the form {field.kind.form.name}.")
