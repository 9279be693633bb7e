"""Fields of stored types: attribute, stored names, kind of value, and the meaning of its absence."""

from enum import Enum, auto
from typing import Any, Final, Generic, NamedTuple

from groundwire.stored.kinds import PlainValue, UnreadableValue, ValueKind, ValueT


class Required(Enum):
    """Absence of a value that every release has stored: what lacks it cannot be read."""

    REQUIRED = auto()


REQUIRED: Final = Required.REQUIRED


class Shown(Enum):
    """Presence of a field in the JSON that people read: always, only where it differs from its absence, or never."""

    ALWAYS = auto()
    WHERE_SET = auto()
    NEVER = auto()


class StoredField(NamedTuple, Generic[ValueT]):
    """Field of a stored type.

    Attributes:
        name: attribute of the value, and its member in JSON.
        column: in SQLite. attribute: in DynamoDB; its absence there is the absence of the value.
        context_name: in the authorizer's context.
        absent: value of what lacks the field, so also what an earlier release meant; the least right of all values.
            None: the field has no stored value where it is None.
        always_written: it is written even where it equals `absent`, as an earlier release requires it.
        description: meaning of the value in one sentence, where interfaces describe it.
    """

    name: str
    kind: ValueKind[ValueT]
    absent: ValueT | Required | None
    column: str
    attribute: str
    context_name: str
    shown: Shown
    always_written: bool
    description: str

    @property
    def left_out(self) -> ValueT | Required | None:
        """Value that a store leaves out, besides None; `REQUIRED`, which equals no value, where it writes them all."""
        return REQUIRED if self.always_written else self.absent

    def is_absent(self, value: object) -> bool:
        """Return whether a store that can leave the value out does so."""
        return value is None or value == self.left_out

    def plain(self, value: Any) -> PlainValue:
        """Return the plain form of a value that is not None."""
        return self.kind.plain(value)

    def absent_value(self) -> ValueT | None:
        """Return the value of what lacks the field.

        Raises:
            UnreadableValue: the field is required.
        """
        if isinstance(self.absent, Required):
            raise UnreadableValue(f"The stored field {self.name!r} is missing.")
        return self.absent


def field(
    name: str,
    kind: ValueKind[ValueT],
    *,
    absent: ValueT | Required | None,
    stored_as: str | None = None,
    item_as: str | None = None,
    shown: Shown | None = None,
    always_written: bool = False,
    description: str = "",
) -> StoredField[ValueT]:
    """Return a field as `StoredField` declares it; its absence has no default.

    The column is named as the attribute of the value unless `stored_as` names it, and DynamoDB's attribute as the
    column unless `item_as` does. JSON that people read always shows a required field, and others where they are set,
    unless `shown` states otherwise.
    """
    column = stored_as or name
    return StoredField(
        name=name,
        kind=kind,
        absent=absent,
        column=column,
        attribute=item_as or column,
        context_name=_camel_case(name),
        shown=shown or (Shown.ALWAYS if absent is REQUIRED else Shown.WHERE_SET),
        always_written=always_written,
        description=description,
    )


def _camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
