"""Definitions of tenants in SQLite, with conditional writes by entity tag."""

import sqlite3
from collections.abc import Sequence
from typing import Final

from groundwire.adapters.local.registry.database import Database
from groundwire.ports.definitions import (
    DefinitionKey,
    DefinitionKind,
    DefinitionWrite,
    Precondition,
    StoredDefinition,
    check_count,
    check_deletion,
    check_precondition,
)

_SELECT: Final = "SELECT kind, name, body, tag, created_at, updated_at FROM definitions WHERE tenant = ? AND kind = ?"
_COUNT: Final = "SELECT count(*) FROM definitions WHERE tenant = ? AND kind = ?"
_PUT: Final = (
    "INSERT INTO definitions (tenant, kind, name, body, tag, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (tenant, kind, name) DO UPDATE SET"
    " body = excluded.body, tag = excluded.tag, updated_at = excluded.updated_at"
)
_DELETE: Final = "DELETE FROM definitions WHERE tenant = ? AND kind = ? AND name = ?"


class SqliteDefinitions:
    """Implements `ports.Definitions`; each write is one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, tenant: str, kind: DefinitionKind, name: str) -> StoredDefinition | None:
        """Return the definition, or None."""
        with self._database.read() as connection:
            return _find(connection, tenant, kind, name)

    def read(self, tenant: str, keys: Sequence[DefinitionKey]) -> dict[DefinitionKey, StoredDefinition]:
        """Return the definitions of these keys that exist."""
        with self._database.read() as connection:
            found = [_find(connection, tenant, kind, name) for kind, name in keys]
        return {(each.kind, each.name): each for each in found if each is not None}

    def list_all(self, tenant: str, kind: DefinitionKind) -> list[StoredDefinition]:
        """Return the definitions by name."""
        with self._database.read() as connection:
            return [_definition(row) for row in connection.execute(f"{_SELECT} ORDER BY name", (tenant, kind.value))]

    def put(self, tenant: str, definition: StoredDefinition, expected: Precondition) -> DefinitionWrite:
        """Create or replace the definition.

        Raises:
            PreconditionFailed: the stored definition is not as expected.
            Conflict: the tenant has as many of this kind as it can have.
            NotFound: there is no such tenant.
        """
        kind, name, body, tag, created_at, updated_at = definition
        with self._database.write() as connection:
            stored = _find(connection, tenant, kind, name)
            check_precondition(expected, None if stored is None else stored.tag)
            if stored is None:
                check_count(kind, connection.execute(_COUNT, (tenant, kind.value)).fetchone()[0])
            connection.execute(_PUT, (tenant, kind.value, name, body, tag, created_at, updated_at))
        kept_created_at = created_at if stored is None else stored.created_at
        return DefinitionWrite(definition._replace(created_at=kept_created_at), stored is None)

    def delete(self, tenant: str, kind: DefinitionKind, name: str, expected: Precondition) -> None:
        """Delete the definition.

        Raises:
            PreconditionFailed: the stored definition is not as expected.
            NotFound: there is none, and `expected` does not refuse that.
        """
        with self._database.write() as connection:
            stored = _find(connection, tenant, kind, name)
            check_deletion(expected, None if stored is None else stored.tag)
            connection.execute(_DELETE, (tenant, kind.value, name))


def _find(connection: sqlite3.Connection, tenant: str, kind: DefinitionKind, name: str) -> StoredDefinition | None:
    row = connection.execute(f"{_SELECT} AND name = ?", (tenant, kind.value, name)).fetchone()
    return None if row is None else _definition(row)


def _definition(row: sqlite3.Row) -> StoredDefinition:
    return StoredDefinition(
        kind=DefinitionKind(row["kind"]),
        name=row["name"],
        body=row["body"],
        tag=row["tag"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
