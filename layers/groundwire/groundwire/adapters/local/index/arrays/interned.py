"""Few distinct values that many rows share, numbered from 0 so that an array can stand for them."""

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
        slots: by the id that the value has in its table.
    """

    values: tuple[T, ...]
    slots: Mapping[int, int] = field(default_factory=dict[int, int])

    @property
    def last_id(self) -> int:
        """Ids above are not known yet; 0 when none is."""
        return max(self.slots, default=0)

    def with_values(self, added: Sequence[tuple[int, T]]) -> "InternedValues[T]":
        """With further values by id; what was known keeps its slot."""
        if not added:
            return self
        slots = {row_id: len(self.values) + number for number, (row_id, _) in enumerate(added)}
        return InternedValues((*self.values, *(value for _, value in added)), {**self.slots, **slots})

    def restricted_to(self, ids: Sequence[int], placeholder: T | None = None) -> "InternedValues[T]":
        """Those without an id, and then the values of these ids in their order.

        Args:
            ids: of the values.
            placeholder: stands for a value that is not there any more.

        Raises:
            KeyError: an id is unknown, and nothing can stand for its value.
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
        """The slot of each id.

        Raises:
            Undecodable: a row refers to a value that is in no table.
        """
        try:
            return np.array([self.slots[row_id] for row_id in ids], np.int32)
        except KeyError as error:
            raise UndecodableRow(f"reference to {error}") from error
