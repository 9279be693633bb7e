"""Lexical statistics of a snapshot: for all callers, and for one."""

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import Bools
from groundwire.adapters.local.index.lexical.bm25 import AccessStatistics, AccessStatisticsCache, Bm25
from groundwire.adapters.local.index.lexical.phrase_scorer import TermWeightCache
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot


def build_bm25(snapshot: Snapshot) -> Bm25:
    """Return the scorer of the snapshot's rows, with empty caches."""
    return Bm25(
        snapshot.postings, snapshot.lengths, snapshot.languages.values, TermWeightCache(), AccessStatisticsCache()
    )


def build_access_statistics(snapshot: Snapshot, readable: Bools) -> AccessStatistics:
    """Count the readable rows of each collection and language."""
    shape = len(snapshot.collections.values), len(snapshot.languages.values)
    collection_language = snapshot.collection_of * np.int32(shape[1]) + snapshot.language_of
    counted = collection_language if readable.all() else collection_language[readable]
    return AccessStatistics(readable, np.bincount(counted, minlength=shape[0] * shape[1]).reshape(shape))
