"""Which generation of each tenant's index answers, where the index itself cannot say it."""

import sqlite3

from groundwire.adapters.codecs import generation_state_json
from groundwire.adapters.local.registry.database import Database
from groundwire.domain import errors
from groundwire.ports import GenerationState


class SqliteIndexGenerations:
    """Implements `ports.Standings`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, tenant: str) -> GenerationState | None:
        """As it is now; None where the tenant has no index."""
        with self._database.read() as connection:
            return _read(connection, tenant)

    def write(self, tenant: str, state: GenerationState, expected: GenerationState | None) -> None:
        """It is durable; Raises Conflict when what is stored is not `expected` (None: it exists already)."""
        row = (tenant, generation_state_json.to_json(state))
        with self._database.write() as connection:
            if _read(connection, tenant) != expected:
                raise errors.Conflict("The tenant's index was changed meanwhile: repeat what you did.")
            connection.execute("INSERT OR REPLACE INTO standings (tenant, standing) VALUES (?, ?)", row)

    def delete(self, tenant: str) -> None:
        """The tenant has no index; no error when it had none."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM standings WHERE tenant = ?", (tenant,))


def _read(connection: sqlite3.Connection, tenant: str) -> GenerationState | None:
    row = connection.execute("SELECT standing FROM standings WHERE tenant = ?", (tenant,)).fetchone()
    return None if row is None else generation_state_json.from_json(row[0])
