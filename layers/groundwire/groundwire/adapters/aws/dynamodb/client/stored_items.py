"""Stored types as items of DynamoDB: attributes of each form, values to items and back."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Generic, cast

from groundwire.adapters.aws.dynamodb.client.attributes import blob, flag, number, text, texts
from groundwire.stored.fields import StoredField
from groundwire.stored.kinds import PlainForm, PlainValue, UnreadableValue
from groundwire.stored.stored_type import StoredType, T

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item


class ItemCodec(Generic[T]):
    """Items of a stored type; a value that is None, or that its absence means, has no attribute.

    Args:
        derived: fields that an item has no attribute of their own for, each with the function that reads its value from
            the item, such as from its key.
    """

    def __init__(self, stored: StoredType[T], derived: "Mapping[str, Callable[[Item], Any]] | None" = None) -> None:
        self._stored = stored
        self._derived: Mapping[str, Callable[[Item], Any]] = derived or {}

    def to_item(self, value: T) -> "dict[str, AttributeValueTypeDef]":
        """Return the attributes of the value, without those of the row key."""
        return {
            field.attribute: _written(field, each)
            for field, each in self._stored.pairs_of(value)
            if field.name not in self._derived and not field.is_absent(each)
        }

    def from_item(self, item: "Item") -> T:
        """Return the value of an item; further attributes of the item are not read.

        Raises:
            UnreadableValue: a required attribute is missing, or a value is not one of its attribute.
        """
        return self._stored.from_values([self._value(field, item) for field in self._stored.fields])

    def _value(self, field: StoredField[Any], item: "Item") -> Any:
        if self._derived and field.name in self._derived:
            return self._derived[field.name](item)
        found = item.get(field.attribute)
        return field.absent_value() if found is None else field.kind.value(_plain(field, found))


_TYPES: Final[Mapping[PlainForm, str]] = {
    PlainForm.TEXT: "S",
    PlainForm.INTEGER: "N",
    PlainForm.REAL: "N",
    PlainForm.BOOLEAN: "BOOL",
    PlainForm.BYTES: "B",
    PlainForm.TEXTS: "L",
}
"""DynamoDB's type of each form."""


def _written(field: StoredField[Any], value: Any) -> "AttributeValueTypeDef":
    plain: PlainValue = field.plain(value)
    match plain:
        case bool():
            return flag(plain)
        case int() | float():
            return number(plain)
        case bytes():
            return blob(plain)
        case tuple():
            return texts(plain)
        case _:
            return text(str(plain))


def _plain(field: StoredField[Any], found: "AttributeValueTypeDef") -> Any:
    form = field.kind.form
    if form is PlainForm.WORD_OR_TEXTS:
        form = PlainForm.TEXT if "S" in found else PlainForm.TEXTS
    held: Any = cast("Mapping[str, Any]", found).get(_TYPES[form])
    if held is None:
        raise UnreadableValue(f"The attribute {field.attribute!r} is not of the type {_TYPES[form]}.")
    try:
        return _READERS[form](held)
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableValue(f"The attribute {field.attribute!r} is not of the form {form.name}.") from error


def _read_texts(held: Iterable[Mapping[str, str]]) -> tuple[str, ...]:
    return tuple(each["S"] for each in held)


_READERS: Final[Mapping[PlainForm, Callable[[Any], PlainValue]]] = {
    PlainForm.TEXT: str,
    PlainForm.INTEGER: int,
    PlainForm.REAL: float,
    PlainForm.BOOLEAN: bool,
    PlainForm.BYTES: bytes,
    PlainForm.TEXTS: _read_texts,
}
