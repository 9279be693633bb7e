"""Stored types: the table of a type's fields, and the conversion of values to tuples of field values and back."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from groundwire.stored.fields import StoredField

T = TypeVar("T")


class StoredPart(NamedTuple):
    """Attribute whose value has fields of its own, stored beside those of its owner."""

    name: str
    stored: "StoredType[Any]"


class NotStored(NamedTuple):
    """Attribute that no store has, and its value in all that is read."""

    name: str
    value: object


Entry = StoredField[Any] | StoredPart | NotStored
_Argument = int | Callable[[Sequence[Any]], Any]
"""Argument of a constructor: the position of a field, or a function of all values."""


class StoredType(Generic[T]):
    """Table of the fields of a type, which is a dataclass or named tuple with positional arguments.

    Attributes:
        fields: of the type and its parts, in the order of the table. Every tuple of values has this order.
    """

    def __init__(self, build: type[T], *entries: Entry) -> None:
        """Take the type and an entry for each of its attributes.

        Raises:
            TypeError: an attribute has no entry, an entry no attribute, or two fields have one name.
        """
        self.build: Final = build
        self.entries: Final = entries
        self.attributes: Final[tuple[str, ...]] = getattr(build, "__match_args__", ())
        # At import: an attribute without an entry would be lost in every store.
        if sorted(self.attributes) != sorted(entry.name for entry in entries):
            raise TypeError(f"{build.__name__}: its table needs one entry for each of {', '.join(self.attributes)}.")
        found = [*_fields_with_paths(entries, "")]
        self.fields: Final = tuple(field for field, _ in found)
        self._positions: Final = {field.name: position for position, field in enumerate(self.fields)}
        if len(self._positions) < len(self.fields):
            raise TypeError(f"{build.__name__}: two fields have one name.")
        self._values: Final[Callable[[T], Any]] = attrgetter(*(path for _, path in found))
        self.from_values: Final[Callable[[Sequence[Any]], T]]
        """Return the value whose fields have these values."""
        self.from_values, _ = _constructor(self, 0)

    def values_of(self, value: T) -> tuple[Any, ...]:
        """Return the values of the fields."""
        values = self._values(value)
        # `attrgetter` of one path returns the value itself.
        return values if len(self.fields) > 1 else (values,)

    def pairs_of(self, value: T) -> Iterable[tuple[StoredField[Any], Any]]:
        """Return each field with its value."""
        return zip(self.fields, self.values_of(value), strict=True)

    def field(self, name: str) -> StoredField[Any]:
        """Return the field of this name, which may be one of a part."""
        return self.fields[self._positions[name]]


def _fields_with_paths(entries: Iterable[Entry], prefix: str) -> Iterator[tuple[StoredField[Any], str]]:
    """Yield the fields of a table and of its parts, each with the path to its value."""
    for entry in entries:
        if isinstance(entry, StoredPart):
            yield from _fields_with_paths(entry.stored.entries, f"{prefix}{entry.name}.")
        elif isinstance(entry, StoredField):
            yield entry, prefix + entry.name


def _constructor(stored: StoredType[T], first: int) -> tuple[Callable[[Sequence[Any]], T], int]:
    """Return the function that builds the type from the values from position `first`, and the position after them."""
    arguments: dict[str, _Argument] = {}
    for entry in stored.entries:
        if isinstance(entry, StoredPart):
            arguments[entry.name], first = _constructor(entry.stored, first)
        elif isinstance(entry, NotStored):
            arguments[entry.name] = _constant(entry.value)
        else:
            arguments[entry.name], first = first, first + 1
    build, ordered = stored.build, [arguments[name] for name in stored.attributes]

    def construct(values: Sequence[Any]) -> T:
        found: list[Any] = []
        for each in ordered:
            found.append(values[each] if isinstance(each, int) else each(values))  # noqa: PERF401 - one frame fewer
        return build(*found)

    return construct, first


def _constant(value: object) -> Callable[[Sequence[Any]], object]:
    return lambda _values: value
