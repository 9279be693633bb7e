"""Stored tags of the users of tenants, in SQLite."""

import sqlite3

from groundwire.adapters.local.registry.database import Database
from groundwire.domain import errors
from groundwire.stored import texts_json


class SqliteUsers:
    """Implements `ports.Users`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def set(self, tenant: str, user: str, tags: frozenset[str]) -> None:
        """Set the user's entry to exactly `tags`.

        Raises:
            NotFound: there is no such tenant.
        """
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO users (tenant, user, tags) VALUES (?, ?, ?)"
                " ON CONFLICT (tenant, user) DO UPDATE SET tags = excluded.tags",
                # Sorted, so that equal sets are stored as equal text.
                (tenant, user, texts_json.to_json(sorted(tags))),
            )

    def tags(self, tenant: str, user: str) -> frozenset[str] | None:
        """Return the user's tags; None when the tenant keeps no entry for the user. An empty entry is an entry."""
        with self._database.read() as connection:
            row = connection.execute("SELECT tags FROM users WHERE tenant = ? AND user = ?", (tenant, user)).fetchone()
        return None if row is None else _tags(row)

    def all(self, tenant: str) -> list[tuple[str, frozenset[str]]]:
        """Return all entries by user."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT user, tags FROM users WHERE tenant = ? ORDER BY user", (tenant,))
            return [(row["user"], _tags(row)) for row in rows]

    def delete(self, tenant: str, user: str) -> None:
        """Delete the user's entry.

        Raises:
            NotFound: the tenant keeps no entry for the user.
        """
        with self._database.write() as connection:
            deletion = connection.execute("DELETE FROM users WHERE tenant = ? AND user = ?", (tenant, user))
            if deletion.rowcount == 0:
                raise errors.NotFound(f"The user {user!r} has no stored tags.")


def _tags(row: sqlite3.Row) -> frozenset[str]:
    return frozenset(texts_json.from_json(row["tags"]))
