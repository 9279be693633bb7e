"""The document registry."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.document_rows import COLUMNS, from_row, to_row
from groundwire.domain import errors
from groundwire.domain.documents import Document, DocumentState

_NAMES: Final = ", ".join(COLUMNS)
_SELECT: Final = f"SELECT {_NAMES} FROM documents WHERE tenant = ?"  # noqa: S608
_LIVING: Final = f" AND state <> '{DocumentState.DELETED.value}'"
_INSERT: Final = (
    f"INSERT INTO documents ({_NAMES}, tenant) VALUES ({', '.join('?' for _ in COLUMNS)}, ?)"  # noqa: S608
    " ON CONFLICT DO NOTHING"
)
_UPDATE: Final = (
    f"UPDATE documents SET {', '.join(f'{name} = ?' for name in COLUMNS)}"  # noqa: S608
    " WHERE tenant = ? AND doc_id = ? AND version = ? AND policy_version = ?"
)


class SqliteDocuments:
    """Implements `ports.Documents`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, tenant: str, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """One statement, so one consistent state, however many ids."""
        clause = " AND doc_id IN (SELECT value FROM json_each(?))"
        found = self._select(clause, tenant, json.dumps(list(doc_ids), ensure_ascii=False))
        return {document.doc_id: document for document in found}

    def write(self, tenant: str, document: Document, expected: Document | None) -> None:
        """Durable; Raises Conflict as the port says, NotFound when there is no such tenant."""
        row = (*to_row(document), tenant)
        with self._database.write() as connection:
            if expected is None:
                written = connection.execute(_INSERT, row)
            else:
                condition = (document.doc_id, expected.version, expected.policy_version)
                written = connection.execute(_UPDATE, (*row, *condition))
            if written.rowcount == 0:
                raise errors.Conflict("The document has changed in the meantime: read it again and repeat.")

    def by_source_path(self, tenant: str, collection: str, source_path: str) -> Document | None:
        """The living document ingested from this path; of several, the one changed last."""
        clause = f" AND collection = ? AND source_path = ?{_LIVING} ORDER BY updated_at DESC, doc_id LIMIT 1"
        found = self._select(clause, tenant, collection, source_path)
        return found[0] if found else None

    def by_content(self, tenant: str, collection: str, content_hash: str) -> list[Document]:
        """The living documents with this content, oldest first."""
        clause = f" AND collection = ? AND content_hash = ?{_LIVING} ORDER BY created_at, doc_id"
        return self._select(clause, tenant, collection, content_hash)

    def all(self, tenant: str, collection: str | None) -> list[Document]:
        """Living documents by name; of every collection when `collection` is None."""
        order = f"{_LIVING} ORDER BY source_file_name, doc_id"
        if collection is None:
            return self._select(order, tenant)
        return self._select(f" AND collection = ?{order}", tenant, collection)

    def stale(self, tenant: str) -> list[Document]:
        """Tombstones included, the longest waiting first."""
        return self._select(" AND index_stale ORDER BY updated_at, doc_id", tenant)

    def _select(self, clause: str, *values: str) -> list[Document]:
        with self._database.read() as connection:
            return [from_row(row) for row in connection.execute(_SELECT + clause, values)]
