"""Which rows a search may meet: decided over the few distinct policies and metadata, spread over the many rows."""

from collections.abc import Sequence

import numpy as np

from groundwire.adapters.local.index.arrays import Bools
from groundwire.adapters.local.index.snapshot import Snapshot
from groundwire.adapters.local.index.verdicts import Verdicts
from groundwire.domain.access import Policy, Principal, decide
from groundwire.domain.filters import Filter, matches
from groundwire.domain.metadata import Metadata


class Admission:
    """The access rule, and beside it the filter that was asked for, which can only take rows away."""

    def __init__(self) -> None:
        self._allowed = Verdicts[Policy]()
        self._wanted = Verdicts[Metadata]()

    def mask(self, principal: Principal, collections: Sequence[str], where: Filter | None, snapshot: Snapshot) -> Bools:
        """True for the rows of `collections` that `principal` may read and `where` admits.

        Rows that have gone are nobody's.
        """
        names = frozenset(collections)
        named = np.array([name in names for name in snapshot.collections.values], np.bool_)
        if not named.any():
            return np.zeros(len(snapshot.ids), np.bool_)
        allowed = self._allowed.of(
            principal, snapshot.policies, snapshot.epoch, lambda policy: bool(decide(principal, policy))
        )
        mask = allowed[snapshot.policy_of] & named[snapshot.collection_of]
        return mask if where is None else mask & self._admitted(where, snapshot)[snapshot.metadata_of]

    def _admitted(self, where: Filter, snapshot: Snapshot) -> Bools:
        """Per metadata slot."""
        # The text tells 1.0 from true, which as values are equal.
        return self._wanted.of(repr(where), snapshot.metadata, snapshot.epoch, lambda held: matches(where, held))
