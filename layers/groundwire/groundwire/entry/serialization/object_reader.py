"""Typed reading of a JSON object's members, which rejects unread members."""

from collections.abc import Iterable, Mapping
from typing import cast

from groundwire.domain.errors import InvalidInput


class ObjectReader:
    """Members of a JSON object.

    Raises:
        InvalidInput: from every reading method, with the member's name.
    """

    def __init__(self, members: object) -> None:
        if not isinstance(members, Mapping):
            raise InvalidInput("A request is a JSON object with an `action`.")
        self._members = cast("Mapping[str, object]", members)
        self._read_names: set[str] = set()

    def text(self, name: str) -> str:
        """Return the non-empty text."""
        value = self.optional_text(name)
        if not value:
            raise InvalidInput(f"`{name}` is missing: it must be a text.")
        return value

    def optional_text(self, name: str) -> str | None:
        """Return the text; None where it is null or missing."""
        value = self.value(name)
        if value is not None and not isinstance(value, str):
            raise InvalidInput(f"`{name}` must be a text.")
        return value

    def text_or_empty(self, name: str) -> str:
        """Return the text; an empty one where it is null or missing."""
        return self.optional_text(name) or ""

    def texts(self, name: str) -> list[str]:
        """Return the list of texts; empty where it is null or missing."""
        value = self.value(name)
        # 0 is no text, so the check below refuses what is no list.
        items: list[object] = [] if value is None else cast("list[object]", value) if isinstance(value, list) else [0]
        texts = [item for item in items if isinstance(item, str)]
        if len(texts) != len(items):
            raise InvalidInput(f"`{name}` must be a list of texts.")
        return texts

    def is_given(self, name: str) -> bool:
        """Return whether the member is neither null nor missing."""
        return self.value(name) is not None

    def integer(self, name: str, default: int) -> int:
        """Return the whole number; `default` where it is null or missing."""
        value = self.value(name)
        if value is None:
            return default
        # `true` is an `int` in Python.
        if not isinstance(value, int) or isinstance(value, bool):
            raise InvalidInput(f"`{name}` must be a whole number.")
        return value

    def optional_number(self, name: str) -> float | None:
        """Return the number; None where it is null or missing."""
        value = self.value(name)
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise InvalidInput(f"`{name}` must be a number.")
        return float(value)

    def boolean(self, name: str) -> bool:
        """Return the boolean; False where it is null or missing."""
        value = self.value(name)
        if value is not None and not isinstance(value, bool):
            raise InvalidInput(f"`{name}` must be true or false.")
        return value is True

    def is_literal(self, name: str, literal: str) -> bool:
        """Return whether the member equals this literal; if so, it counts as read."""
        is_equal = self._members.get(name) == literal
        # Another value stays unread, so that `reject_unread` reports the member.
        if is_equal:
            self._read_names.add(name)
        return is_equal

    def reject_unread(self) -> None:
        """Check that every member was read.

        Raises:
            InvalidInput: there are unread members.
        """
        if unknown := sorted(set(self._members) - self._read_names):
            raise InvalidInput(f"Unknown members of this request: {_quoted(unknown)}.")

    def value(self, name: str) -> object:
        """Return the value, which the caller checks; None where it is missing."""
        self._read_names.add(name)
        return self._members.get(name)


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
