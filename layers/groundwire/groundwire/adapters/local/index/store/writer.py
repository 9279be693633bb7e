"""Changes of an index, each within a transaction of the caller."""

import json
import sqlite3
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.adapters.lexical.file_name_words import searched_file_words
from groundwire.adapters.lexical.weighting import TermCounts, passage_terms
from groundwire.adapters.local.index.store.rows import SegmentRow, from_segment, from_vector, from_vectors
from groundwire.domain import errors
from groundwire.domain.access import policy_json
from groundwire.domain.access.policy import Readers
from groundwire.domain.documents.metadata import Metadata, to_json
from groundwire.ports import DocumentVersion, SegmentInput

_MAX_DELETED_IN_LOG: Final = 10_000
"""Limit of deleted rows in the log, beyond which it is purged of them."""

_INSERT_SEGMENT: Final = "INSERT INTO segments VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class _ValueTable:
    """Table of values that many rows share: statements that add, find, and delete one with its last row."""

    insert: str
    select: str
    delete_unused: str


_POLICIES: Final = _ValueTable(
    "INSERT INTO policies (rule) VALUES (?) ON CONFLICT DO NOTHING",
    "SELECT id FROM policies WHERE rule = ?",
    "DELETE FROM policies WHERE id NOT IN (SELECT policy FROM log)",
)
_COLLECTIONS: Final = _ValueTable(
    "INSERT INTO collections (name) VALUES (?) ON CONFLICT DO NOTHING",
    "SELECT id FROM collections WHERE name = ?",
    "DELETE FROM collections WHERE id NOT IN (SELECT collection FROM vectors)",
)
_LANGUAGES: Final = _ValueTable(
    "INSERT INTO languages (code) VALUES (?) ON CONFLICT DO NOTHING",
    "SELECT id FROM languages WHERE code = ?",
    "DELETE FROM languages WHERE id NOT IN (SELECT language FROM vectors)",
)
_METADATA: Final = _ValueTable(
    "INSERT INTO metadata (fields) VALUES (?) ON CONFLICT DO NOTHING",
    "SELECT id FROM metadata WHERE fields = ?",
    "DELETE FROM metadata WHERE id NOT IN (SELECT metadata FROM vectors)",
)

_CLEAR_UNUSED_METADATA: Final = """
UPDATE metadata SET fields = json_object('', cast(id AS TEXT))
WHERE id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.metadata = metadata.id)
"""
"""Replaces unused fields by a name that no document has. The id stays for readers that know it, until the log is
purged."""


@dataclass(frozen=True, slots=True)
class NewRow:
    """Segment ready to be written."""

    segment: SegmentRow
    vector: bytes
    windows: bytes
    terms: TermCounts
    token_sums: bytes
    raw_values: str


def build_rows(
    document: DocumentVersion, segments: Sequence[SegmentInput], metadata: Metadata, dimension: int
) -> dict[str, NewRow]:
    """Build the rows by uid; of two segments with one uid the first counts. Needs no transaction.

    Raises:
        InvalidInput: a vector is not of the index's model, or a segment is not of `document`.
    """
    rows: dict[str, NewRow] = {}
    for segment_input in segments:
        segment = segment_input.segment
        if DocumentVersion(segment.doc_id, segment.version) != document:
            raise errors.InvalidInput("A segment names another document or version than the one it is put for.")
        if segment.uid not in rows:
            rows[segment.uid] = NewRow(
                from_segment(segment),
                from_vector(segment_input.vector, dimension),
                from_vectors(segment_input.windows, dimension),
                passage_terms(segment, searched_file_words(metadata, segment.title)),
                segment.token_sums,
                json.dumps(segment.raw_values) if segment.raw_values else "",
            )
    return rows


def put(
    connection: sqlite3.Connection,
    document: DocumentVersion,
    readers: Readers,
    metadata: Metadata,
    rows: Mapping[str, NewRow],
) -> None:
    """Make the document's rows of this version exactly `rows`; equal rows are not written again."""
    stored = _stored_rows(connection, document)
    metadata_id = _value_id(connection, _METADATA, to_json(metadata))
    unchanged = {uid for uid, one in stored.items() if uid in rows and one.is_same_as(rows[uid], metadata_id)}
    _delete(connection, [one.id for uid, one in stored.items() if uid not in unchanged])
    added = [_insert(connection, row, metadata_id) for uid, row in rows.items() if uid not in unchanged]
    _append_to_log(
        connection,
        [*added, *(stored[uid].id for uid in unchanged)],
        _value_id(connection, _POLICIES, policy_json.readers_to_json(readers)),
    )
    _clear_unused_metadata(connection, (metadata_id, *(one.metadata_id for one in stored.values())))


def prune(connection: sqlite3.Connection, doc_id: str, keep_version: int | None, below: int | None) -> int:
    """Delete the document's rows but those of `keep_version` and from `below` on; return the number of deleted rows."""
    found = connection.execute(
        "SELECT id, metadata FROM segments JOIN vectors USING (id)"
        " WHERE doc_id = ? AND version IS NOT ? AND version < coalesce(?, version + 1)",
        (doc_id, keep_version, below),
    ).fetchall()
    deleted = [int(row[0]) for row in found]
    _delete(connection, deleted)
    _clear_unused_metadata(connection, [row[1] for row in found])
    _purge_if_oversized(connection)
    return len(deleted)


def set_readers(connection: sqlite3.Connection, doc_id: str, readers: Readers) -> None:
    """Give all rows of the document these readers."""
    found = connection.execute("SELECT id FROM segments WHERE doc_id = ?", (doc_id,)).fetchall()
    if found:
        _append_to_log(
            connection,
            [int(row[0]) for row in found],
            _value_id(connection, _POLICIES, policy_json.readers_to_json(readers)),
        )


@dataclass(frozen=True, slots=True)
class _StoredRow:
    """Row as it is stored in the tables."""

    id: int
    segment: SegmentRow
    vector: bytes
    windows: bytes
    metadata_id: int
    raw_values: str

    def is_same_as(self, new: NewRow, metadata_id: int) -> bool:
        """Return whether writing `new` would change nothing."""
        return (self.segment, self.vector, self.windows, self.metadata_id, self.raw_values) == (
            new.segment,
            new.vector,
            new.windows,
            metadata_id,
            new.raw_values,
        )


def _stored_rows(connection: sqlite3.Connection, document: DocumentVersion) -> dict[str, _StoredRow]:
    found = connection.execute(
        "SELECT vectors.vector, coalesce(windows.vectors, x''), vectors.metadata, coalesce(raw_values.texts, ''),"
        " segments.* FROM segments JOIN vectors USING (id) LEFT JOIN windows USING (id) LEFT JOIN raw_values USING (id)"
        " WHERE doc_id = ? AND version = ?",
        (document.doc_id, document.version),
    )
    return {row[5]: _StoredRow(row[4], row[5:], *row[:4]) for row in found}


def _insert(connection: sqlite3.Connection, row: NewRow, metadata_id: int) -> int:
    """Insert the row and return its id."""
    row_id = int(connection.execute(_INSERT_SEGMENT, row.segment).lastrowid or 0)
    counts = row.terms.counts
    connection.execute(
        "INSERT INTO vectors VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            row_id,
            _value_id(connection, _COLLECTIONS, row.segment[3]),
            _value_id(connection, _LANGUAGES, row.terms.language),
            metadata_id,
            row.vector,
            struct.pack(f"<{len(counts)}Q", *counts),
            struct.pack(f"<{len(counts)}H", *counts.values()),
        ),
    )
    if row.windows:
        connection.execute("INSERT INTO windows VALUES (?, ?)", (row_id, row.windows))
    if row.token_sums:
        connection.execute("INSERT INTO token_sums VALUES (?, ?)", (row_id, row.token_sums))
    if row.raw_values:
        connection.execute("INSERT INTO raw_values VALUES (?, ?)", (row_id, row.raw_values))
    return row_id


def _delete(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    connection.execute("DELETE FROM segments WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(ids),))
    _append_to_log(connection, ids, None)


def _append_to_log(connection: sqlite3.Connection, ids: Iterable[int], policy: int | None) -> None:
    """Append the rows' current state to the log, unless its latest entry is the same."""
    connection.execute(
        # REPLACE gives the row a new sequence, from which readers learn of the change.
        "INSERT OR REPLACE INTO log (segment, policy) SELECT value, ?1 FROM json_each(?2) "
        "WHERE NOT EXISTS (SELECT 1 FROM log WHERE segment = value AND policy IS ?1)",
        (policy, json.dumps(list(ids))),
    )


def _value_id(connection: sqlite3.Connection, values: _ValueTable, value: str) -> int:
    """Return the id of a shared value; adds it if it is new."""
    connection.execute(values.insert, (value,))
    return int(connection.execute(values.select, (value,)).fetchone()[0])


def _clear_unused_metadata(connection: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Clear metadata without rows: it is content of a document, and is deleted with the last row."""
    connection.execute(_CLEAR_UNUSED_METADATA, (json.dumps(sorted(set(ids))),))


def purge_deleted(connection: sqlite3.Connection) -> None:
    """Remove deleted rows from the log; a reader that has not read so far must start again."""
    connection.execute(
        "UPDATE meta SET value = max(value, (SELECT coalesce(max(sequence), 0) FROM log)) WHERE key = 'log_floor'"
    )
    connection.execute("DELETE FROM log WHERE policy IS NULL")
    for values in (_POLICIES, _COLLECTIONS, _LANGUAGES, _METADATA):
        connection.execute(values.delete_unused)


def _purge_if_oversized(connection: sqlite3.Connection) -> None:
    """Purge the log when its deleted rows outnumber the rows."""
    deleted = connection.execute("SELECT count(*) FROM log WHERE policy IS NULL").fetchone()[0]
    if deleted > _MAX_DELETED_IN_LOG and deleted > connection.execute("SELECT count(*) FROM segments").fetchone()[0]:
        purge_deleted(connection)
