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
        own = derived or {}
        self._readers = [own.get(field.name) or _reader(field) for field in stored.fields]
        self._writers = [None if field.name in own else _WRITERS[field.kind.form] for field in stored.fields]

    def to_item(self, value: T) -> "dict[str, AttributeValueTypeDef]":
        """Return the attributes of the value, without those of the row key."""
        return {
            field.attribute: write(field.plain(each))
            for (field, each), write in zip(self._stored.pairs_of(value), self._writers, strict=True)
            if write is not None and not field.is_absent(each)
        }

    def from_item(self, item: "Item") -> T:
        """Return the value of an item; further attributes of the item are not read.

        Raises:
            UnreadableValue: a required attribute is missing, or a value is not one of its attribute.
        """
        return self._stored.from_values([read(item) for read in self._readers])


def _word_or_texts(plain: str | tuple[str, ...]) -> "AttributeValueTypeDef":
    return texts(plain) if isinstance(plain, tuple) else text(plain)


_WRITERS: "Final[Mapping[PlainForm, Callable[[Any], AttributeValueTypeDef]]]" = {
    PlainForm.TEXT: text,
    PlainForm.INTEGER: number,
    PlainForm.REAL: number,
    PlainForm.BOOLEAN: flag,
    PlainForm.BYTES: blob,
    PlainForm.TEXTS: texts,
    PlainForm.WORD_OR_TEXTS: _word_or_texts,
}


def _read_texts(held: Iterable[Mapping[str, str]]) -> tuple[str, ...]:
    return tuple([each["S"] for each in held])


_TYPES: Final[Mapping[PlainForm, Mapping[str, Callable[[Any], PlainValue]]]] = {
    PlainForm.TEXT: {"S": str},
    PlainForm.INTEGER: {"N": int},
    PlainForm.REAL: {"N": float},
    PlainForm.BOOLEAN: {"BOOL": bool},
    PlainForm.BYTES: {"B": bytes},
    PlainForm.TEXTS: {"L": _read_texts},
    PlainForm.WORD_OR_TEXTS: {"S": str, "L": _read_texts},
}
"""DynamoDB's types of each form, and how a value of the type is read."""


def _reader(field: StoredField[Any]) -> "Callable[[Item], Any]":
    """Return the function that reads the field's value from an item."""
    attribute, types, kind = field.attribute, _TYPES[field.kind.form], field.kind

    def read(item: "Item") -> Any:
        found = item.get(attribute)
        if found is None:
            return field.absent_value()
        # An attribute value has one member, whose name is the type.
        type_name, held = next(iter(cast("Mapping[str, Any]", found).items()))
        convert = types.get(type_name)
        if convert is None:
            raise UnreadableValue(f"The attribute {attribute!r} has the type {type_name}.")
        try:
            plain = convert(held)
        except (KeyError, TypeError, ValueError) as error:
            raise UnreadableValue(f"The attribute {attribute!r} is not of the form {kind.form.name}.") from error
        return kind.value(plain)

    return read
