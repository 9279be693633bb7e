"""Kinds of stored values: the plain form that every store can write, and the conversions to it and back."""

from collections.abc import Callable
from enum import Enum, StrEnum, auto
from typing import Any, Final, Generic, NamedTuple, TypeVar

PlainValue = str | int | float | bytes | tuple[str, ...]
"""Value that every store can write; a boolean is an integer here. None is no value: a store leaves it out."""

ValueT = TypeVar("ValueT")
_EnumT = TypeVar("_EnumT", bound=StrEnum)
_WordT = TypeVar("_WordT", bound=str)


class UnreadableValue(ValueError):
    """A stored value that is missing, has another form, or is not one of the allowed values.

    It is never replaced by a default: who cannot read a right must not grant it.
    """


class PlainForm(Enum):
    """Form of a plain value, which decides how a store writes it.

    `WORD_OR_TEXTS` is a text or texts: a list can never be mistaken for the word.
    """

    TEXT = auto()
    INTEGER = auto()
    REAL = auto()
    BOOLEAN = auto()
    BYTES = auto()
    TEXTS = auto()
    WORD_OR_TEXTS = auto()


class ValueKind(NamedTuple, Generic[ValueT]):
    """Kind of a stored value.

    Attributes:
        to_plain, from_plain: conversions; None for values that are plain. `from_plain` raises ValueError.
        is_immutable: a value that was read may be shared by all who read the same plain value.
        is_moment: epoch seconds, which JSON shows as UTC.
    """

    form: PlainForm
    to_plain: Callable[[ValueT], PlainValue] | None = None
    from_plain: Callable[[Any], ValueT] | None = None
    is_immutable: bool = True
    is_moment: bool = False

    def plain(self, value: ValueT) -> Any:
        """Return the plain value."""
        return value if self.to_plain is None else self.to_plain(value)

    def value(self, plain: Any) -> ValueT:
        """Return the value of a plain value of this kind's form.

        Raises:
            UnreadableValue: it is none of this kind.
        """
        if self.from_plain is None:
            return plain
        try:
            return self.from_plain(plain)
        except (ValueError, KeyError, TypeError) as error:
            # Cut, since the message goes into logs and a stored value can have any length.
            raise UnreadableValue(f"Not a value of the form {self.form.name}: {plain!r:.64}") from error


def _sorted_texts(texts: frozenset[str]) -> tuple[str, ...]:
    # Sorted, so that equal sets are stored as equal bytes.
    return tuple(sorted(texts))


TEXT: Final[ValueKind[str]] = ValueKind(PlainForm.TEXT)
INTEGER: Final[ValueKind[int]] = ValueKind(PlainForm.INTEGER)
REAL: Final[ValueKind[float]] = ValueKind(PlainForm.REAL)
MOMENT: Final[ValueKind[float]] = ValueKind(PlainForm.REAL, is_moment=True)
"""Epoch seconds."""
BOOLEAN: Final[ValueKind[bool]] = ValueKind(PlainForm.BOOLEAN)
BYTES: Final[ValueKind[bytes]] = ValueKind(PlainForm.BYTES)
TEXTS: Final[ValueKind[tuple[str, ...]]] = ValueKind(PlainForm.TEXTS)
"""Texts in their order."""
TEXT_SET: Final[ValueKind[frozenset[str]]] = ValueKind(PlainForm.TEXTS, _sorted_texts, frozenset[str])


def _count(plain: int) -> int:
    if plain < 0:
        raise UnreadableValue(f"A count below zero: {plain}")
    return plain


COUNT: Final[ValueKind[int]] = ValueKind(PlainForm.INTEGER, _count, _count)
"""Whole number that is not negative."""


def enum_text(members: type[_EnumT]) -> ValueKind[_EnumT]:
    """Return the kind of an enum's member, stored as its text."""
    return ValueKind(PlainForm.TEXT, _member_text, members)


def enum_set(members: type[_EnumT]) -> ValueKind[frozenset[_EnumT]]:
    """Return the kind of a set of an enum's members; an unknown member makes the set unreadable."""

    def from_texts(texts: tuple[str, ...]) -> frozenset[_EnumT]:
        return frozenset(map(members, texts))

    return ValueKind(PlainForm.TEXTS, _member_texts, from_texts)


def word_or_set(word: _WordT) -> ValueKind[frozenset[str] | _WordT]:
    """Return the kind of a set of texts for which one word may be stored, such as the word for all collections."""

    def to_plain(value: frozenset[str] | _WordT) -> PlainValue:
        return tuple(sorted(value)) if isinstance(value, frozenset) else value

    def from_plain(plain: str | tuple[str, ...]) -> frozenset[str] | _WordT:
        # A set of one name is a list, too, so no name is ever taken for the word.
        if isinstance(plain, tuple):
            return frozenset(plain)
        if plain != word:
            raise UnreadableValue(f"Neither {word!r} nor a list: {plain!r:.64}")
        return word

    return ValueKind(PlainForm.WORD_OR_TEXTS, to_plain, from_plain)


def converted_text(
    write: Callable[[ValueT], str], read: Callable[[str], ValueT], *, is_immutable: bool
) -> ValueKind[ValueT]:
    """Return the kind of a value that is stored as a text, such as the JSON of a mapping; `read` raises ValueError."""
    return ValueKind(PlainForm.TEXT, write, read, is_immutable=is_immutable)


def _member_text(member: StrEnum) -> str:
    return member.value


def _member_texts(members: frozenset[StrEnum]) -> tuple[str, ...]:
    # The text of such a member is its value.
    return tuple(sorted(map(str, members)))
