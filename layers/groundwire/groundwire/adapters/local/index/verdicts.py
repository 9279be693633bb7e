"""Questions asked of few distinct values, whose answers are kept: the latest asked, and only what is new is decided."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

import numpy as np

from groundwire.adapters.local.index.arrays import Bools
from groundwire.adapters.local.index.interned import Interned

T = TypeVar("T")

_REMEMBERED: Final = 256
"""Questions whose answers are kept: with 5,000 values, about a megabyte."""


class Verdicts(Generic[T]):
    """Answers per slot, by question and epoch of the slots."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Hashable, int], Bools] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, question: Hashable, values: Interned[T], epoch: int, decide: Callable[[T], bool]) -> Bools:
        """One verdict per slot of `values`, and perhaps of slots that came later.

        Args:
            question: differs whenever `decide` does.
            values: within one epoch a slot never changes its value.
            epoch: of the slots.
            decide: the answer to the question for one value.
        """
        key = question, epoch
        with self._lock:
            if (known := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
        known = np.empty(0, np.bool_) if known is None else known
        if len(known) >= len(values.values):
            return known
        added = np.array([decide(value) for value in values.values[len(known) :]], np.bool_)
        return self._keep(key, np.concatenate([known, added]))

    def _keep(self, key: tuple[Hashable, int], decided: Bools) -> Bools:
        with self._lock:
            if len(self._kept.get(key, ())) < len(decided):
                self._kept[key] = decided
            if len(self._kept) > _REMEMBERED:
                self._kept.popitem(last=False)
        return decided
