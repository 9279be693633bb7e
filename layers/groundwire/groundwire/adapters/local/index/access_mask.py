"""Which rows a search may meet: decided over the few distinct policies and metadata, spread over the many rows."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Final, Generic, TypeVar

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import Bools
from groundwire.adapters.local.index.arrays.interned import InternedValues
from groundwire.adapters.local.index.memory.snapshot import Snapshot
from groundwire.domain.access.policy import Policy, Principal, decide
from groundwire.domain.documents.metadata import Metadata
from groundwire.domain.filters.expression import Filter, matches

T = TypeVar("T")

_MAX_ENTRIES: Final = 256
"""Questions whose answers are kept: with 5,000 values, about a megabyte."""


class DecisionCache(Generic[T]):
    """Answers per slot, by question and epoch of the slots."""

    def __init__(self) -> None:
        self._decisions: OrderedDict[tuple[Hashable, int], Bools] = OrderedDict()
        self._lock = threading.Lock()

    def decide_all(
        self, rule_key: Hashable, values: InternedValues[T], epoch: int, decide: Callable[[T], bool]
    ) -> Bools:
        """One verdict per slot of `values`, and perhaps of slots that came later.

        Args:
            rule_key: differs whenever `decide` does.
            values: within one epoch a slot never changes its value.
            epoch: of the slots.
            decide: the answer to the question for one value.
        """
        key = rule_key, epoch
        with self._lock:
            if (known := self._decisions.get(key)) is not None:
                self._decisions.move_to_end(key)
        known = np.empty(0, np.bool_) if known is None else known
        if len(known) >= len(values.values):
            return known
        added = np.array([decide(value) for value in values.values[len(known) :]], np.bool_)
        return self._store(key, np.concatenate([known, added]))

    def _store(self, key: tuple[Hashable, int], decided: Bools) -> Bools:
        with self._lock:
            if len(self._decisions.get(key, ())) < len(decided):
                self._decisions[key] = decided
            if len(self._decisions) > _MAX_ENTRIES:
                self._decisions.popitem(last=False)
        return decided


class AccessMaskBuilder:
    """The access rule, and beside it the filter that was asked for, which can only take rows away."""

    def __init__(self) -> None:
        self._access_decisions = DecisionCache[Policy]()
        self._filter_decisions = DecisionCache[Metadata]()

    def build(
        self, principal: Principal, collections: Sequence[str], where: Filter | None, snapshot: Snapshot
    ) -> Bools:
        """True for the rows of `collections` that `principal` may read and `where` admits.

        Rows that have gone are nobody's.
        """
        names = frozenset(collections)
        named = np.array([name in names for name in snapshot.collections.values], np.bool_)
        if not named.any():
            return np.zeros(len(snapshot.ids), np.bool_)
        allowed = self._access_decisions.decide_all(
            principal, snapshot.policies, snapshot.epoch, lambda policy: bool(decide(principal, policy))
        )
        mask = allowed[snapshot.policy_of] & named[snapshot.collection_of]
        return mask if where is None else mask & self._filter_mask(where, snapshot)[snapshot.metadata_of]

    def _filter_mask(self, where: Filter, snapshot: Snapshot) -> Bools:
        """Per metadata slot."""
        # The text tells 1.0 from true, which as values are equal.
        return self._filter_decisions.decide_all(
            repr(where), snapshot.metadata, snapshot.epoch, lambda held: matches(where, held)
        )
