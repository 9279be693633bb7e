"""The changes of an index, each within a transaction that the caller holds."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.adapters.local.index.rows import SegmentRow, from_segment, from_vector
from groundwire.adapters.local.index.terms import TermCounts, passage_terms
from groundwire.adapters.local.registry import columns
from groundwire.domain import errors
from groundwire.domain.access import Policy
from groundwire.ports import DocumentVersion, SegmentInput

_SPARE_GONE: Final = 10_000
"""So many rows that have gone are remembered before the log is cleared of them."""


@dataclass(frozen=True, slots=True)
class NewRow:
    """A segment ready to be written."""

    segment: SegmentRow
    vector: bytes
    terms: TermCounts


def new_rows(document: DocumentVersion, segments: Sequence[SegmentInput], dimension: int) -> dict[str, NewRow]:
    """By uid; of two segments with one uid the first stays. Needs no transaction.

    Raises:
        Invalid: a vector is not of the index's model, or a segment not of `document`.
    """
    rows: dict[str, NewRow] = {}
    for given in segments:
        segment = given.segment
        if DocumentVersion(segment.doc_id, segment.version) != document:
            raise errors.Invalid("A segment names another document or version than the one it is put for.")
        if segment.uid not in rows:
            terms = passage_terms(segment.heading_path, segment.text)
            rows[segment.uid] = NewRow(from_segment(segment), from_vector(given.vector, dimension), terms)
    return rows


def put(connection: sqlite3.Connection, document: DocumentVersion, policy: Policy, rows: Mapping[str, NewRow]) -> None:
    """The document's rows of this version are exactly `rows`; those that stand already are not touched."""
    stored = _stored(connection, document)
    same = {uid for uid, (_, row, vector) in stored.items() if uid in rows and _is_same(rows[uid], row, vector)}
    _delete(connection, [row_id for uid, (row_id, _, _) in stored.items() if uid not in same])
    policy_id = _interned_policy(connection, policy)
    added = [_insert(connection, row) for uid, row in rows.items() if uid not in same]
    _say(connection, [*added, *(stored[uid][0] for uid in same)], policy_id)


def prune(connection: sqlite3.Connection, doc_id: str, keep_version: int | None) -> int:
    """Only rows of `keep_version` remain of the document; returns how many went."""
    found = connection.execute(
        "SELECT id FROM segments WHERE doc_id = ? AND version IS NOT ?", (doc_id, keep_version)
    ).fetchall()
    gone = [int(row[0]) for row in found]
    _delete(connection, gone)
    _forget_the_gone(connection)
    return len(gone)


def set_policy(connection: sqlite3.Connection, doc_id: str, policy: Policy) -> None:
    """All rows of the document stand under `policy`."""
    found = connection.execute("SELECT id FROM segments WHERE doc_id = ?", (doc_id,)).fetchall()
    if found:
        _say(connection, [int(row[0]) for row in found], _interned_policy(connection, policy))


def _stored(connection: sqlite3.Connection, document: DocumentVersion) -> dict[str, tuple[int, SegmentRow, bytes]]:
    found = connection.execute(
        "SELECT vectors.vector, segments.* FROM segments JOIN vectors USING (id) WHERE doc_id = ? AND version = ?",
        (document.doc_id, document.version),
    )
    return {row[2]: (row[1], row[2:], row[0]) for row in found}


def _is_same(new: NewRow, row: SegmentRow, vector: bytes) -> bool:
    return new.segment == row and new.vector == vector


def _insert(connection: sqlite3.Connection, row: NewRow) -> int:
    """Returns the new row's id."""
    added = connection.execute("INSERT INTO segments VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row.segment)
    collection = _interned_collection(connection, row.segment[3])
    terms, counts = row.terms.terms.astype("<u8").tobytes(), row.terms.counts.astype("<u2").tobytes()
    connection.execute(
        "INSERT INTO vectors VALUES (?, ?, ?, ?, ?)", (added.lastrowid, collection, row.vector, terms, counts)
    )
    return int(added.lastrowid or 0)


def _delete(connection: sqlite3.Connection, ids: Sequence[int]) -> None:
    connection.execute("DELETE FROM segments WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(ids),))
    _say(connection, ids, None)


def _say(connection: sqlite3.Connection, ids: Iterable[int], policy: int | None) -> None:
    """The newest word on these rows, at the end of the log; nothing where it was said before."""
    connection.execute(
        "INSERT OR REPLACE INTO log (segment, policy) SELECT value, ?1 FROM json_each(?2) "
        "WHERE NOT EXISTS (SELECT 1 FROM log WHERE segment = value AND policy IS ?1)",
        (policy, json.dumps(list(ids))),
    )


def _interned_policy(connection: sqlite3.Connection, policy: Policy) -> int:
    rule = (columns.from_policy(policy),)
    connection.execute("INSERT INTO policies (rule) VALUES (?) ON CONFLICT DO NOTHING", rule)
    return int(connection.execute("SELECT id FROM policies WHERE rule = ?", rule).fetchone()[0])


def _interned_collection(connection: sqlite3.Connection, name: str) -> int:
    connection.execute("INSERT INTO collections (name) VALUES (?) ON CONFLICT DO NOTHING", (name,))
    return int(connection.execute("SELECT id FROM collections WHERE name = ?", (name,)).fetchone()[0])


def _forget_the_gone(connection: sqlite3.Connection) -> None:
    """Keeps the log in proportion to the rows; who has not read so far must then begin anew."""
    gone = connection.execute("SELECT count(*) FROM log WHERE policy IS NULL").fetchone()[0]
    if gone <= _SPARE_GONE or gone <= connection.execute("SELECT count(*) FROM segments").fetchone()[0]:
        return
    connection.execute("UPDATE meta SET value = (SELECT max(sequence) FROM log) WHERE key = 'log_floor'")
    connection.execute("DELETE FROM log WHERE policy IS NULL")
    connection.execute("DELETE FROM policies WHERE id NOT IN (SELECT policy FROM log)")
    connection.execute("DELETE FROM collections WHERE id NOT IN (SELECT collection FROM vectors)")
