"""Refresh of a snapshot from the file, which reads only what is newer."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from groundwire.adapters.local.index.arrays.interned import InternedValues
from groundwire.adapters.local.index.arrays.similarity import VectorMatrix
from groundwire.adapters.local.index.lexical.postings import merge_segments
from groundwire.adapters.local.index.snapshots.snapshot import DELETED, RowBatch, Snapshot, empty_snapshot
from groundwire.adapters.local.index.store.rows import to_matrix
from groundwire.adapters.local.sqlite.errors import UndecodableRow
from groundwire.domain.access import policy_json
from groundwire.domain.access.policy import Readers

T = TypeVar("T")

_BATCH_ROWS: Final = 8_192
"""Rows read at a time: bounds the memory of inverting them, about 60 MB."""

_NO_FIELDS: Final = "{}"

_MAX_DELETED_ROWS: Final = 5_000
"""Deleted rows in memory beyond which everything is read again."""


def refresh_snapshot(connection: sqlite3.Connection, snapshot: Snapshot, dimension: int) -> Snapshot:
    """Return the snapshot as of now; the connection is in a transaction, so that all reads see one state.

    Raises:
        sqlite3.Error: the file is damaged or does not answer.
    """
    sequence, floor = log_bounds(connection)
    # The log no longer tells which of the known rows were deleted since.
    if snapshot.sequence < floor and len(snapshot.ids):
        snapshot = empty_snapshot(dimension, snapshot.epoch + 1)
    refreshed = _read_new_rows(
        connection, _apply_policy_changes(connection, _read_values(connection, snapshot)), dimension
    )
    refreshed = replace(refreshed, sequence=max(sequence, floor))
    if _is_mostly_deleted(refreshed):
        return refresh_snapshot(connection, empty_snapshot(dimension, refreshed.epoch + 1), dimension)
    return refreshed


def log_bounds(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the latest sequence of the log, and the sequence below which it no longer has deleted rows."""
    found = connection.execute(
        "SELECT (SELECT max(sequence) FROM log), (SELECT value FROM meta WHERE key = 'log_floor')"
    ).fetchone()
    return found[0] or 0, found[1]


def _read_values(connection: sqlite3.Connection, snapshot: Snapshot) -> Snapshot:
    return replace(
        snapshot,
        policies=_read_new_values(connection, "SELECT id, rule FROM policies", snapshot.policies, _readers),
        collections=_read_new_values(connection, "SELECT id, name FROM collections", snapshot.collections, str),
        languages=_read_new_values(connection, "SELECT id, code FROM languages", snapshot.languages, str),
        metadata=_read_new_values(connection, "SELECT id, fields FROM metadata", snapshot.metadata, _metadata),
    )


def with_interned_values(
    connection: sqlite3.Connection, snapshot: Snapshot, ids: Mapping[str, Sequence[int]]
) -> Snapshot:
    """Return the empty snapshot with policies, collections, languages and metadata in the order of these ids.

    Raises:
        KeyError: a value no longer exists.
    """
    known = _read_values(connection, snapshot)
    return replace(
        snapshot,
        policies=known.policies.restricted_to(ids["policies"]),
        collections=known.collections.restricted_to(ids["collections"]),
        languages=known.languages.restricted_to(ids["languages"]),
        # Metadata is deleted with its last row, so no row refers to the placeholder.
        metadata=known.metadata.restricted_to(ids["metadata"], _NO_FIELDS),
    )


def read_in_parts(connection: sqlite3.Connection, dimension: int, rows: int) -> Iterator[Snapshot]:
    """Yield the whole file in parts, at least one, each of `rows` rows or a batch more."""
    sequence, floor = log_bounds(connection)
    empty = replace(_read_values(connection, empty_snapshot(dimension, 0)), sequence=max(sequence, floor))
    part = empty
    for batch in _batches(_rows_after(connection, 0), empty, dimension):
        part = part.with_rows(batch)
        if len(part.ids) >= rows:
            yield replace(part, postings=merge_segments(part.postings))
            part = replace(empty, vector_rows=VectorMatrix(dimension))
    yield replace(part, postings=merge_segments(part.postings))


def _read_new_values(
    connection: sqlite3.Connection, select: str, known: InternedValues[T], decoded: Callable[[str], T]
) -> InternedValues[T]:
    found = connection.execute(f"{select} WHERE id > ?", (known.last_id,))
    return known.with_values([(int(row[0]), decoded(row[1])) for row in found])


def _readers(rule: str) -> Readers:
    try:
        return policy_json.readers_from_json(rule)
    except (ValueError, TypeError, KeyError) as error:
        raise UndecodableRow("policy") from error


def _metadata(fields: str) -> str:
    """Return the stored text, which only a filter decodes: each document has fields of its own."""
    if fields[:1] != "{" or fields[-1:] != "}":
        raise UndecodableRow("metadata")
    return fields


def _apply_policy_changes(connection: sqlite3.Connection, snapshot: Snapshot) -> Snapshot:
    """Give known rows their latest policy, and deleted rows the policy of nobody."""
    found = connection.execute(
        "SELECT segment, policy FROM log WHERE sequence > ? AND segment <= ?", (snapshot.sequence, snapshot.last_id)
    ).fetchall()
    is_deleted = np.array([row[1] is None for row in found], np.bool_)
    policies = np.full(len(found), DELETED, np.int32)
    policies[~is_deleted] = snapshot.policies.slots_of([row[1] for row in found if row[1] is not None])
    return snapshot.with_policies(np.array([row[0] for row in found], np.int64), policies)


def _read_new_rows(connection: sqlite3.Connection, snapshot: Snapshot, dimension: int) -> Snapshot:
    for batch in _batches(_rows_after(connection, snapshot.last_id), snapshot, dimension):
        snapshot = snapshot.with_rows(batch)
    return snapshot


def _rows_after(connection: sqlite3.Connection, row_id: int) -> sqlite3.Cursor:
    return connection.execute(
        "SELECT vectors.id, log.policy, vectors.collection, language, metadata, vector, terms, counts "
        "FROM vectors LEFT JOIN log ON log.segment = vectors.id WHERE vectors.id > ? ORDER BY vectors.id",
        (row_id,),
    )


def _batches(found: sqlite3.Cursor, snapshot: Snapshot, dimension: int) -> Iterator[RowBatch]:
    while rows := found.fetchmany(_BATCH_ROWS):
        ids, policies, collections, languages, metadata_ids, vectors, terms, counts = zip(*rows, strict=True)
        terms_per_row = np.array([len(blob) // 8 for blob in terms], np.int64)
        if any(4 * len(count_bytes) != len(term_bytes) for count_bytes, term_bytes in zip(counts, terms, strict=True)):
            raise UndecodableRow("length of terms")
        yield RowBatch(
            np.array(ids, np.int64),
            snapshot.policies.slots_of(policies),
            snapshot.collections.slots_of(collections),
            snapshot.languages.slots_of(languages),
            snapshot.metadata.slots_of(metadata_ids),
            to_matrix(list(vectors), dimension),
            np.frombuffer(b"".join(terms), "<u8").astype(np.uint64),
            np.frombuffer(b"".join(counts), "<u2").astype(np.uint16),
            terms_per_row,
        )


def _is_mostly_deleted(snapshot: Snapshot) -> bool:
    live_count = int(np.count_nonzero(snapshot.live_mask))
    return len(snapshot.ids) - live_count > max(_MAX_DELETED_ROWS, live_count)
