"""Interned values: few distinct values of many rows, numbered from 0 so that an array of slots replaces them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import I32
from groundwire.adapters.local.sqlite.errors import UndecodableRow

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class InternedValues(Generic[T]):
    """Values in the order of their slots.

    Attributes:
        slots: slot by the id that the value has in its table.
    """

    values: tuple[T, ...]
    slots: Mapping[int, int] = field(default_factory=dict[int, int])

    @property
    def last_id(self) -> int:
        """Highest known id; 0 when none is known."""
        return max(self.slots, default=0)

    def with_values(self, added: Sequence[tuple[int, T]]) -> "InternedValues[T]":
        """Return a copy with further values by id; known values keep their slots."""
        if not added:
            return self
        slots = {row_id: len(self.values) + number for number, (row_id, _) in enumerate(added)}
        return InternedValues((*self.values, *(value for _, value in added)), {**self.slots, **slots})

    def restricted_to(self, ids: Sequence[int], placeholder: T | None = None) -> "InternedValues[T]":
        """Return the values without an id, then the values of these ids in their order.

        Args:
            ids: ids of the values.
            placeholder: replaces a value that no longer exists.

        Raises:
            KeyError: an id is unknown, and there is no placeholder.
        """
        values = [
            placeholder if placeholder is not None and row_id not in self.slots else self._value(row_id)
            for row_id in ids
        ]
        return InternedValues(self.values[: len(self.values) - len(self.slots)]).with_values(
            list(zip(ids, values, strict=True))
        )

    def _value(self, row_id: int) -> T:
        return self.values[self.slots[row_id]]

    def slots_of(self, ids: Sequence[int]) -> I32:
        """Return the slot of each id.

        Raises:
            UndecodableRow: a row refers to a value that is in no table.
        """
        try:
            return np.array([self.slots[row_id] for row_id in ids], np.int32)
        except KeyError as error:
            raise UndecodableRow(f"reference to {error}") from error
