"""Which rows a principal may read: `decide()` over the few distinct policies, spread over the many rows."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays import Bools
from groundwire.adapters.local.index.snapshot import Snapshot
from groundwire.domain.access import Principal, decide

_REMEMBERED: Final = 256
"""Principals whose decisions are kept: with 5,000 policies, about a megabyte."""


class Admission:
    """Decisions by the whole principal and the epoch of the policies, the latest used kept."""

    def __init__(self) -> None:
        self._decisions: OrderedDict[tuple[Principal, int], Bools] = OrderedDict()
        self._lock = threading.Lock()

    def mask(self, principal: Principal, collections: Sequence[str], snapshot: Snapshot) -> Bools:
        """True for the rows of `collections` that `principal` may read; rows that have gone are nobody's."""
        names = frozenset(collections)
        wanted = np.array([name in names for name in snapshot.collections.values], np.bool_)
        if not wanted.any():
            return np.zeros(len(snapshot.ids), np.bool_)
        return self._allowed(principal, snapshot)[snapshot.policy_of] & wanted[snapshot.collection_of]

    def _allowed(self, principal: Principal, snapshot: Snapshot) -> Bools:
        """Per policy slot."""
        key = principal, snapshot.epoch
        with self._lock:
            if (known := self._decisions.get(key)) is not None:
                self._decisions.move_to_end(key)
                return known
        decided = np.array([bool(decide(principal, policy)) for policy in snapshot.policies.values], np.bool_)
        with self._lock:
            self._decisions[key] = decided
            if len(self._decisions) > _REMEMBERED:
                self._decisions.popitem(last=False)
        return decided
