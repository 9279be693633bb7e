"""Columns of the documents' fields, for filters: a leaf is evaluated once per distinct value, then applied to slots.

Texts of metadata are decoded when the first filter needs them; a search without a filter decodes none.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import I32, I64, U8, Bools
from groundwire.adapters.local.index.arrays.interned import InternedValues
from groundwire.adapters.local.sqlite.errors import UndecodableRow
from groundwire.domain.documents import metadata
from groundwire.domain.documents.indexed_fields import (
    FILE_PATH_FIELD,
    FILE_PATH_SOURCES,
    PAGE_FIELD,
    ROWS_FIELD,
    is_own_field,
)
from groundwire.domain.documents.metadata import Metadata, Value
from groundwire.domain.filters.expression import Filter, Leaf, combine, leaf_truth
from groundwire.domain.filters.field_types import FieldType, field_type
from groundwire.domain.filters.outcomes import EITHER, FALSE, TRUE

_NO_SLOTS: Final = np.empty(0, np.int32)

_TYPES: Final = tuple(FieldType)

_TRUE: Final = np.uint8(TRUE)
_FALSE: Final = np.uint8(FALSE)
_ONE: Final = np.uint8(1)


@dataclass(slots=True)
class _Column:
    """Values of one field: the slots that have one, ascending, and the number of each slot's value.

    Attributes:
        numbers: number of a value by its type and itself: 1.0 and true are equal.
        recent: slots and numbers that are not in the arrays yet.
    """

    values: list[Value] = field(default_factory=list[Value])
    numbers: dict[tuple[type, Value], int] = field(default_factory=dict[tuple[type, Value], int])
    slots: I32 = field(default_factory=lambda: _NO_SLOTS)
    value_of: I32 = field(default_factory=lambda: _NO_SLOTS)
    recent: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def add(self, slot: int, value: Value) -> None:
        """Add the value of a slot that is higher than all before."""
        key = type(value), value
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.values)
            self.values.append(value)
        self.recent.append((slot, number))

    def slots_from(self, start: int) -> tuple[I32, I32]:
        """Return the slots from `start` on that have a value, and its number."""
        if self.recent:
            added = np.array(self.recent, np.int32)
            self.slots = np.concatenate([self.slots, added[:, 0]])
            self.value_of = np.concatenate([self.value_of, added[:, 1]])
            self.recent.clear()
        first = int(np.searchsorted(self.slots, start))
        return self.slots[first:], self.value_of[first:]


class FieldColumns:
    """Columns of one epoch of slots, extended as slots are added."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._epoch: int = -1
        self._count: int = 0
        self._columns: dict[str, _Column] = {}

    def may_pass(self, where: Filter, texts: InternedValues[str], epoch: int, start: int) -> Bools:
        """Return for the slots from `start` on whether a row of the slot may pass the filter.

        That is wider than the filter for a passage's page, and for the own fields of rows of the first form.

        Raises:
            UndecodableRow: a text is no metadata.
        """
        with self._lock:
            self._extend(texts.values, epoch)
            algebra = _TruthArrays(self._count - start)
            found = combine(where, algebra, lambda leaf: self._truths(leaf, start))
        return (found & _TRUE).astype(np.bool_)

    def sample(
        self, texts: InternedValues[str], epoch: int, slots: I32, most: int
    ) -> dict[str, dict[FieldType, list[int]]]:
        """Return by metadata field and type the first of these slots that have such a value, at most `most`.

        Raises:
            UndecodableRow: a text is no metadata.
        """
        found: dict[str, dict[FieldType, list[int]]] = {}
        with self._lock:
            self._extend(texts.values, epoch)
            for name, column in self._columns.items():
                if is_own_field(name):
                    continue
                held, value_of = column.slots_from(0)
                is_chosen = np.isin(held, slots)
                kinds = np.array([_TYPES.index(field_type(value)) for value in column.values], np.int32)
                kind_of, chosen = kinds[value_of[is_chosen]], held[is_chosen]
                numbers: list[int] = np.unique(kind_of).tolist()
                if numbers:
                    found[name] = {_TYPES[kind]: chosen[kind_of == kind][:most].tolist() for kind in numbers}
        return found

    def count(self, name: str, texts: InternedValues[str], epoch: int, rows_of: I64) -> list[tuple[Value, int]]:
        """Return the stored values of a field, each with its number of rows; `rows_of` has the rows of each slot.

        Raises:
            UndecodableRow: a text is no metadata.
        """
        with self._lock:
            self._extend(texts.values, epoch)
            slots, value_of = self._slots_with(name, 0)
            values = self._columns[name].values if len(slots) else ()
        numbers: list[float] = np.bincount(value_of, weights=rows_of[slots], minlength=len(values)).tolist()
        return [(value, int(number)) for value, number in zip(values, numbers, strict=False) if number]

    def _extend(self, texts: Sequence[str], epoch: int) -> None:
        if epoch != self._epoch or len(texts) < self._count:
            self._epoch = epoch
            self._count = 0
            self._columns.clear()
        for slot in range(self._count, len(texts)):
            for name, value in _decoded(texts[slot]).items():
                column = self._columns.get(name)
                if column is None:
                    column = self._columns[name] = _Column()
                column.add(slot, value)
            self._count = slot + 1

    def _truths(self, leaf: Leaf, start: int) -> U8:
        """Return the truth of a leaf for the slots from `start` on."""
        length = self._count - start
        if leaf.field == PAGE_FIELD:
            return np.full(length, EITHER, np.uint8)
        if leaf.field == FILE_PATH_FIELD:
            # One of the sources has the value: what either of them allows is possible.
            first, second = (self._truths(replace(leaf, field=source), start) for source in FILE_PATH_SOURCES)
            return first | second
        truths = np.full(length, leaf_truth(leaf, None), np.uint8)
        if is_own_field(leaf.field):
            current, _ = self._slots_with(ROWS_FIELD, start)
            truths = np.full(length, EITHER, np.uint8)
            truths[current - start] = leaf_truth(leaf, None)
        slots, value_of = self._slots_with(leaf.field, start)
        if len(slots):
            values = self._columns[leaf.field].values
            used = np.unique(value_of)
            numbers: list[int] = used.tolist()
            by_value = np.zeros(len(values), np.uint8)
            by_value[used] = [leaf_truth(leaf, values[number]) for number in numbers]
            truths[slots - start] = by_value[value_of]
        return truths

    def _slots_with(self, name: str, start: int) -> tuple[I32, I32]:
        column = self._columns.get(name)
        return (_NO_SLOTS, _NO_SLOTS) if column is None else column.slots_from(start)


class _TruthArrays:
    """Algebra of truths of many slots at once."""

    def __init__(self, length: int) -> None:
        self._length = length

    def all_of(self, parts: Iterator[U8]) -> U8:
        found = np.full(self._length, TRUE, np.uint8)
        for part in parts:
            found = (found & part & _TRUE) | ((found | part) & _FALSE)
        return found

    def any_of(self, parts: Iterator[U8]) -> U8:
        found = np.full(self._length, FALSE, np.uint8)
        for part in parts:
            found = ((found | part) & _TRUE) | (found & part & _FALSE)
        return found

    def negation(self, part: U8) -> U8:
        return (part >> _ONE) | ((part & _TRUE) << _ONE)


def _decoded(text: str) -> Metadata:
    try:
        return metadata.from_json(text)
    except (ValueError, TypeError) as error:
        raise UndecodableRow("metadata") from error
