"""Document records in SQLite, with optimistic locking by version token."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from groundwire.adapters.codecs.document_fields import STATE_BEFORE, STORED_PATHS, StoredValue, from_stored, to_stored
from groundwire.adapters.local.registry.database import Database
from groundwire.domain import errors
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents.record import (
    TOMBSTONE_STATES,
    VERSION_TOKEN_FIELDS,
    Document,
    DocumentState,
    names_digest,
)
from groundwire.ports import SourceRecords

COLUMNS: Final = tuple(STORED_PATHS)
_CACHED_RECORDS: Final = 1_024
_COLUMN_OF: Final = {path: name for name, path in STORED_PATHS.items()}
_NAMES: Final = ", ".join(COLUMNS)
_SELECT: Final = f"SELECT {_NAMES} FROM documents WHERE tenant = ?"  # noqa: S608
_DELETED_STATES: Final = ", ".join(f"'{state.value}'" for state in sorted(TOMBSTONE_STATES))
_LIVE_ONLY: Final = f" AND state NOT IN ({_DELETED_STATES})"
_INSERT: Final = (
    f"INSERT INTO documents ({_NAMES}, tenant) VALUES ({', '.join('?' for _ in COLUMNS)}, ?)"  # noqa: S608
    " ON CONFLICT DO NOTHING"
)
_PARSER_STATES: Final = ", ".join(f"('{state.value}', '{before.value}')" for state, before in STATE_BEFORE.items())
_STATE: Final = (
    f"CASE WHEN reason IS NOT NULL AND (parser_state, state) IN (VALUES {_PARSER_STATES})"
    " THEN parser_state ELSE state END"
)
"""SQL expression for the state of a record.

`state` has a value that releases without the states of the parser can read (`STATE_BEFORE`). The actual state then is
in `parser_state`. Only refused records, which have a reason, have one.
"""
_TOKEN_COLUMNS: Final = tuple(
    _STATE if path == "ingestion.state" else _COLUMN_OF[path] for path in VERSION_TOKEN_FIELDS
)
_WHERE_UNCHANGED: Final = f" WHERE tenant = ? AND doc_id = ?{''.join(f' AND {each} = ?' for each in _TOKEN_COLUMNS)}"
_UPDATE: Final = f"UPDATE documents SET {', '.join(f'{name} = ?' for name in COLUMNS)}{_WHERE_UNCHANGED}"  # noqa: S608
_SELECT_UNCHANGED: Final = f"SELECT 1 FROM documents{_WHERE_UNCHANGED}"  # noqa: S608
_SKETCHES: Final = (
    f"SELECT doc_id, sketch FROM documents WHERE tenant = ? AND state = '{DocumentState.INDEXED.value}'"  # noqa: S608
    " AND length(sketch) > 0 ORDER BY created_at, doc_id"
)
_PAGE: Final = (
    # A literal state, because only then SQLite uses the partial index of indexed documents.
    f" AND collection = ? AND state = '{DocumentState.INDEXED.value}' AND doc_id > ? ORDER BY doc_id LIMIT ?"
)
_DELETE_UNINDEXED: Final = (
    "DELETE FROM documents WHERE tenant = ? AND doc_id = ? AND policy_version = ? AND version = 0"  # noqa: S608
    f" AND state NOT IN ({_DELETED_STATES})"
)
_DELETED_ONLY: Final = f" AND state IN ({_DELETED_STATES})"
_DELETIONS: Final = f" AND deleted_from = ? AND deleted_from <> ''{_DELETED_ONLY} ORDER BY deleted_at DESC, doc_id"
_MARKED_WITH_CONTENT: Final = " AND deleted_content = ? AND deleted_content <> '' ORDER BY doc_id"
_DELETED_CHILDREN: Final = f" AND parent = ?{_DELETED_ONLY} ORDER BY doc_id"
_PAGE_DELETIONS: Final = f" AND deleted_at > 0{_DELETED_ONLY} AND doc_id > ? ORDER BY doc_id LIMIT ?"
_SELECT_MISSING_CHILD: Final = (
    "SELECT 1 FROM documents WHERE tenant = ? AND parent IN (SELECT value FROM json_each(?))"  # noqa: S608
    f" AND doc_id NOT IN (SELECT value FROM json_each(?)){_LIVE_ONLY} LIMIT 1"
)


class SqliteDocuments:
    """Implements `ports.Documents`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, tenant: str, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """Return the records that exist; one statement, so one consistent state, however many ids."""
        # One parameter for all ids, since SQLite limits their number.
        clause = " AND doc_id IN (SELECT value FROM json_each(?))"
        values = tenant, json.dumps(list(doc_ids), ensure_ascii=False)
        with self._database.read() as connection:
            records = [_repeated_record(tuple(row)) for row in connection.execute(_SELECT + clause, values)]
        return {document.doc_id: document for document in records}

    def write(self, tenant: str, document: Document, expected: Document | None) -> None:
        """Write a record durably.

        Raises:
            Conflict: the stored record is not `expected`.
            NotFound: there is no such tenant.
        """
        with self._database.write() as connection:
            if expected is not None:
                _update(connection, tenant, document, expected)
            elif connection.execute(_INSERT, (*_to_row(document), tenant)).rowcount == 0:
                raise _conflict()

    def write_all(self, tenant: str, changes: Sequence[tuple[Document, Document]]) -> None:
        """Write the changes in one transaction."""
        with self._database.write() as connection:
            _write_changes(connection, tenant, changes)

    def write_attachment_tree(self, tenant: str, changes: Sequence[tuple[Document, Document]]) -> None:
        """Write an attachment tree in one transaction; no other writer can add a child meanwhile."""
        ids = json.dumps([document.doc_id for document, _ in changes], ensure_ascii=False)
        with self._database.write() as connection:
            _write_changes(connection, tenant, changes)
            if connection.execute(_SELECT_MISSING_CHILD, (tenant, ids, ids)).fetchone() is not None:
                raise _conflict()

    def add_queued(self, tenant: str, documents: Sequence[Document]) -> None:
        """Add the records that do not exist, in one transaction."""
        with self._database.write() as connection:
            connection.executemany(_INSERT, [(*_to_row(document), tenant) for document in documents])

    def delete_unindexed(self, tenant: str, document: Document) -> None:
        """Delete the row of a document that was never indexed; it needs no tombstone."""
        with self._database.write() as connection:
            connection.execute(_DELETE_UNINDEXED, (tenant, document.doc_id, document.policy_version))

    def from_source(self, tenant: str, collection: str, source_path: str, parent: str | None = None) -> SourceRecords:
        """Return the living document ingested from this path, and the tombstones of documents deleted from it."""
        # `IS` compares NULL as well, which `=` never equals.
        clause = f" AND collection = ? AND source_path = ? AND parent IS ?{_LIVE_ONLY}"
        order = " ORDER BY updated_at DESC, doc_id LIMIT 1"
        living = self._select(clause + order, tenant, collection, source_path, parent)
        deletions = self._select(_DELETIONS, tenant, names_digest(collection, source_path, parent))
        return SourceRecords(living[0] if living else None, tuple(deletions))

    def marked_with_content(self, tenant: str, content_mark: str) -> list[Document]:
        """Return the records with this mark, by id."""
        return self._select(_MARKED_WITH_CONTENT, tenant, content_mark)

    def page_deletions(self, tenant: str, after: str | None, limit: int) -> list[Document]:
        """Return the next page by primary key."""
        return self._select(_PAGE_DELETIONS, tenant, after or "", limit)

    def deleted_children(self, tenant: str, parent: str) -> list[Document]:
        """Return the tombstones of the document's attachments, by id."""
        return self._select(_DELETED_CHILDREN, tenant, parent)

    def by_content(self, tenant: str, collection: str, content_hash: str) -> list[Document]:
        """Return the living documents with this content, oldest first."""
        clause = f" AND collection = ? AND content_hash = ?{_LIVE_ONLY} ORDER BY created_at, doc_id"
        return self._select(clause, tenant, collection, content_hash)

    def children(self, tenant: str, parent: str) -> list[Document]:
        """Return the document's living attachments, oldest first."""
        return self._select(f" AND parent = ?{_LIVE_ONLY} ORDER BY created_at, doc_id", tenant, parent)

    def all(self, tenant: str, collection: str | None) -> list[Document]:
        """Return the living documents by name; of every collection when `collection` is None."""
        order = f"{_LIVE_ONLY} ORDER BY source_file_name, doc_id"
        if collection is None:
            return self._select(order, tenant)
        return self._select(f" AND collection = ?{order}", tenant, collection)

    def page_indexed(self, tenant: str, collection: str, after: str | None, limit: int) -> list[Document]:
        """Return the next page, from a partial index that holds only indexed documents."""
        return self._select(_PAGE, tenant, collection, after or "", limit)

    def page_live(self, tenant: str, after: str | None, limit: int) -> list[Document]:
        """Return the next page by primary key."""
        return self._select(f"{_LIVE_ONLY} AND doc_id > ? ORDER BY doc_id LIMIT ?", tenant, after or "", limit)

    def page_records(self, tenant: str, after: str | None, limit: int) -> list[Document]:
        """Return the next page by primary key."""
        return self._select(" AND doc_id > ? ORDER BY doc_id LIMIT ?", tenant, after or "", limit)

    def sketches(self, tenant: str) -> list[tuple[str, bytes]]:
        """Return ids and sketches only, because the records may be very many."""
        with self._database.read() as connection:
            return [(row["doc_id"], row["sketch"]) for row in connection.execute(_SKETCHES, (tenant,))]

    def stale_documents(self, tenant: str) -> list[Document]:
        """Return the documents with a stale index, tombstones included, the longest waiting first."""
        return self._select(" AND index_stale ORDER BY updated_at, doc_id", tenant)

    def tenants_with_stale_documents(self) -> list[str]:
        """Return their tenants, by id."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT DISTINCT tenant FROM documents WHERE index_stale ORDER BY tenant")
            return [str(row["tenant"]) for row in rows]

    def _select(self, clause: str, *values: str | int | None) -> list[Document]:
        with self._database.read() as connection:
            return [_from_row(row) for row in connection.execute(_SELECT + clause, values)]


def _write_changes(connection: sqlite3.Connection, tenant: str, changes: Sequence[tuple[Document, Document]]) -> None:
    for document, expected in changes:
        if document != expected:
            _update(connection, tenant, document, expected)
        elif connection.execute(_SELECT_UNCHANGED, _version_token(tenant, expected)).fetchone() is None:
            raise _conflict()


def _update(connection: sqlite3.Connection, tenant: str, document: Document, expected: Document) -> None:
    row = (*_to_row(document), *_version_token(tenant, expected))
    if connection.execute(_UPDATE, row).rowcount == 0:
        raise _conflict()


def _version_token(tenant: str, expected: Document) -> tuple[object, ...]:
    return tenant, expected.doc_id, *expected.version_token


def _conflict() -> errors.Conflict:
    return errors.Conflict("The document has changed in the meantime: read its current state, then try again.")


def _to_row(document: Document) -> list[StoredValue]:
    """Return the values of `COLUMNS`."""
    return list(to_stored(document).values())


def _from_row(row: Iterable[StoredValue]) -> Document:
    """Read the record of a row of `COLUMNS`."""
    # Records from before the source of a policy was stored have none.
    return from_stored(dict(zip(COLUMNS, row, strict=True)), earlier_source=PolicySource.UNKNOWN)


_repeated_record: Final = lru_cache(_CACHED_RECORDS)(_from_row)
"""Cache of decoded rows by the whole row: a changed row is another key, so no record in it is out of date."""
