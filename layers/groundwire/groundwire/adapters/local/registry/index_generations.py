"""State of each tenant's index generations in SQLite, for an index that cannot store it itself."""

import sqlite3

from groundwire.adapters.codecs import generation_state_json
from groundwire.adapters.local.registry.database import Database
from groundwire.domain import errors
from groundwire.ports import GenerationState
from groundwire.ports.indexes import IndexKind


class SqliteIndexGenerations:
    """Implements `ports.IndexGenerations` for the indexes of one kind."""

    def __init__(self, database: Database, kind: IndexKind) -> None:
        self._database = database
        # No tenant id contains a slash.
        self._suffix = "" if kind is IndexKind.PASSAGES else f"/{kind}"

    def read(self, tenant: str) -> GenerationState | None:
        """Return the current state; None where the tenant has no index."""
        with self._database.read() as connection:
            return _read(connection, self._row_key(tenant))

    def write(self, tenant: str, state: GenerationState, expected: GenerationState | None) -> None:
        """Write the state durably.

        Raises:
            Conflict: the stored state is not `expected`; None expects that there is none.
        """
        row = (self._row_key(tenant), generation_state_json.to_json(state))
        with self._database.write() as connection:
            if _read(connection, row[0]) != expected:
                raise errors.Conflict("The tenant's index was changed meanwhile: try again.")
            connection.execute("INSERT OR REPLACE INTO standings (tenant, standing) VALUES (?, ?)", row)

    def delete(self, tenant: str) -> None:
        """Delete the state; no error if it is missing."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM standings WHERE tenant = ?", (self._row_key(tenant),))

    def _row_key(self, tenant: str) -> str:
        return f"{tenant}{self._suffix}"


def _read(connection: sqlite3.Connection, row_key: str) -> GenerationState | None:
    row = connection.execute("SELECT standing FROM standings WHERE tenant = ?", (row_key,)).fetchone()
    return None if row is None else generation_state_json.from_json(row[0])
