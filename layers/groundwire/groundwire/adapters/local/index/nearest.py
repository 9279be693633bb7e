"""The rows nearest to phrases: exactly, and where there are very many, exactly among those that are likely."""

from typing import Final

import numpy as np

from groundwire.adapters.local.index.arrays import F32, I64
from groundwire.adapters.local.index.best import best
from groundwire.adapters.local.index.signs import near
from groundwire.adapters.local.index.similarity import cosines
from groundwire.adapters.local.index.snapshot import Snapshot

EXACT_UP_TO: Final = 200_000
"""Admitted rows that are all compared: with more, most are passed over by the signs of their vectors."""

_LEAST_NEAR: Final = 2_000
_NEAR_OF: Final = 100
"""One row of so many is compared exactly, `_LEAST_NEAR` at least. Among 500,000 vectors around common centres none of
the ten nearest was missed (bench.scale); queries far from every centre lose more."""


def nearest(snapshot: Snapshot, queries: F32, admitted: I64, depth: int) -> list[I64]:
    """Per phrase the places in `admitted` of the `depth` nearest rows, in no order; of equally near ones the first."""
    if len(admitted) <= EXACT_UP_TO:
        return [best(scores, depth) for scores in cosines(snapshot.vectors, queries, admitted)]
    number = max(_LEAST_NEAR, 10 * depth, len(admitted) // _NEAR_OF)
    found: list[I64] = []
    for query in queries:
        places = near(snapshot.signs, query, admitted, number)
        scores = cosines(snapshot.vectors, query[np.newaxis], admitted[places])
        found.append(places[best(scores[0], depth)])
    return found
