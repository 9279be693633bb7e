"""Selected rows, as a mask, listed and counted: numbers come from the snapshot's arrays, segments from the file."""

import sqlite3

import numpy as np

from groundwire.adapters.local.index.arrays.dtypes import Bools
from groundwire.adapters.local.index.selection.access_mask import AccessMaskBuilder
from groundwire.adapters.local.index.selection.field_columns import FieldColumns
from groundwire.adapters.local.index.snapshots.snapshot import Snapshot
from groundwire.adapters.local.index.store.reader import document_rows, first_segments
from groundwire.domain.passages.value_counts import ValueCounts, most_frequent
from groundwire.domain.search.request import ALL_DOCUMENTS
from groundwire.ports import IndexQuery, RowListing, RowSelection


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
