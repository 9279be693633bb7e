"""Access mask: the rows that a search may return, decided per distinct policy and metadata, then applied to rows.

Selected rows are listed and counted by it: numbers come from the snapshot's arrays, segments from the file.
"""

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from hashlib import blake2b
from typing import Final, Generic, TypeVar

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import Bools
from groundwire.adapters.local.index.arrays.interned import InternedValues
from groundwire.adapters.local.index.selection.field_columns import FieldColumns
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.adapters.local.index.store.rows import document_rows, first_segments
from groundwire.domain.access.policy import Principal, Readers, decide
from groundwire.domain.filters.expression import Filter
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.passages.value_counts import ValueCounts, most_frequent
from groundwire.domain.search.request import ALL_DOCUMENTS
from groundwire.ports import IndexQuery, RowListing, RowSelection

T = TypeVar("T")

_MAX_ENTRIES: Final = 256
"""Limit of cached rules: with 5,000 values, about a megabyte."""


class DecisionCache(Generic[T]):
    """Decisions per slot, by rule and epoch of the slots."""

    def __init__(self) -> None:
        self._decisions: OrderedDict[tuple[Hashable, int], Bools] = OrderedDict()
        self._lock = threading.Lock()

    def decide_all(
        self, rule_key: Hashable, values: InternedValues[T], epoch: int, decide_from: Callable[[int], Bools]
    ) -> Bools:
        """Return one decision per slot of `values`, and perhaps of later slots.

        Args:
            rule_key: differs whenever `decide_from` does.
            values: within one epoch a slot never changes its value.
            epoch: epoch of the slots.
            decide_from: returns the decisions of the slots from this one on.
        """
        key = rule_key, epoch
        with self._lock:
            if (known := self._decisions.get(key)) is not None:
                self._decisions.move_to_end(key)
        known = np.empty(0, np.bool_) if known is None else known
        if len(known) >= len(values.values):
            return known
        return self._store(key, np.concatenate([known, decide_from(len(known))]))

    def _store(self, key: tuple[Hashable, int], decided: Bools) -> Bools:
        with self._lock:
            # Another search may have decided on more slots meanwhile.
            if len(self._decisions.get(key, ())) < len(decided):
                self._decisions[key] = decided
            if len(self._decisions) > _MAX_ENTRIES:
                self._decisions.popitem(last=False)
        return decided


class AccessMaskBuilder:
    """Builder of the mask: the caller's rights, and the narrowing of the search, which can only remove rows.

    Attributes:
        columns: columns of the documents' fields.
    """

    def __init__(self) -> None:
        self._access_decisions = DecisionCache[Readers]()
        self._filter_decisions = DecisionCache[str]()
        self.columns = FieldColumns()

    def readable(self, principal: Principal, granted: CollectionGrant, snapshot: Snapshot) -> Bools:
        """Return the mask of live rows that `principal` may read, in the collections that its key covers."""
        policies = snapshot.policies

        def decide_from(start: int) -> Bools:
            return np.array([bool(decide(principal, readers)) for readers in policies.values[start:]], np.bool_)

        # Per distinct pair of policy and ceiling this takes about 1 ms for 5,000 of them, and there are many more rows.
        allowed = self._access_decisions.decide_all(principal, policies, snapshot.epoch, decide_from)
        mask = allowed[snapshot.policy_of]
        return mask if granted == ALL_COLLECTIONS else mask & _in_collections(granted, snapshot)[snapshot.collection_of]

    def narrow(self, readable: Bools, collections: Sequence[str], where: Filter | None, snapshot: Snapshot) -> Bools:
        """Return the mask of the readable rows of `collections` that `where` admits."""
        named = _in_collections(frozenset(collections), snapshot)
        mask = readable if named.all() else readable & named[snapshot.collection_of]
        return mask if where is None else mask & self._filter_mask(where, snapshot)[snapshot.metadata_of]

    def _filter_mask(self, where: Filter, snapshot: Snapshot) -> Bools:
        """Return the filter's decision per metadata slot."""

        def decide_from(start: int) -> Bools:
            return self.columns.may_pass(where, snapshot.metadata, snapshot.epoch, start)

        # The text distinguishes 1.0 from true, which are equal as values; a filter may be long.
        rule = blake2b(repr(where).encode(errors="surrogatepass"), digest_size=32).digest()
        return self._filter_decisions.decide_all(rule, snapshot.metadata, snapshot.epoch, decide_from)


def _in_collections(names: frozenset[str], snapshot: Snapshot) -> Bools:
    """Return per slot whether the collection has one of these names."""
    return np.array([name in names for name in snapshot.collections.values], np.bool_)


def narrow(
    connection: sqlite3.Connection,
    snapshot: Snapshot,
    masks: AccessMaskBuilder,
    readable: Bools,
    narrowing: IndexQuery | RowSelection,
) -> Bools:
    """Return the mask of those of the readable rows that collections, documents and filter leave."""
    mask = masks.narrow(readable, narrowing.collections, narrowing.where, snapshot)
    if narrowing.documents != ALL_DOCUMENTS:
        mask = mask & document_mask(connection, snapshot, narrowing.documents)
    return mask


def document_mask(connection: sqlite3.Connection, snapshot: Snapshot, doc_ids: frozenset[str]) -> Bools:
    """Return the mask of the rows of these documents."""
    return np.isin(snapshot.ids, document_rows(connection, doc_ids))


def list_rows(connection: sqlite3.Connection, snapshot: Snapshot, mask: Bools, most: int) -> RowListing:
    """Return the first segments of the rows that pass, and the number of all."""
    ids = snapshot.ids[mask]
    return RowListing(first_segments(connection, ids, most), len(ids))


def count_by_collection(snapshot: Snapshot, mask: Bools) -> dict[str, int]:
    """Return the number of rows that pass, by collection."""
    numbers: list[int] = np.bincount(snapshot.collection_of[mask]).tolist()
    return {snapshot.collections.values[slot]: number for slot, number in enumerate(numbers) if number}


def count_values(snapshot: Snapshot, columns: FieldColumns, mask: Bools, field: str, most: int) -> ValueCounts:
    """Return the most frequent values of a field of the rows that pass."""
    rows_of = np.bincount(snapshot.metadata_of[mask], minlength=len(snapshot.metadata.values))
    return most_frequent(columns.count(field, snapshot.metadata, snapshot.epoch, rows_of), most)
