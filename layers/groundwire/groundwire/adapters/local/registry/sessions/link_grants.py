"""Grants of short links in SQLite, sealed."""

from typing import Final

from groundwire.adapters.local.registry.database import Database

_ADD: Final = (
    "INSERT INTO link_grants (handle, tenant, sealed, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (handle) DO UPDATE"
    " SET tenant = excluded.tenant, sealed = excluded.sealed, expires_at = excluded.expires_at"
    " WHERE link_grants.sealed = excluded.sealed OR link_grants.expires_at <= ?"
)
_DELETE_EXPIRED: Final = (
    "DELETE FROM link_grants WHERE handle IN"
    " (SELECT handle FROM link_grants WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)"
)
_MAX_SWEPT_PER_GRANT: Final = 16
"""Expired grants deleted with each new one: several, so that they do not pile up; few, to bound its time."""


class SqliteLinkGrants:
    """Implements `ports.LinkGrants`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, tenant: str, handle: int, sealed: str, now: float, expires_at: int) -> bool:
        """Add the grant; a power cut may undo it, and the next process adds the same one again.

        Raises:
            NotFound: there is no such tenant.
        """
        with self._database.write_relaxed() as connection:
            connection.execute(_DELETE_EXPIRED, (now, _MAX_SWEPT_PER_GRANT))
            return connection.execute(_ADD, (handle, tenant, sealed, expires_at, now)).rowcount == 1

    def get(self, handle: int, now: float) -> str | None:
        """Return the grant by its primary key."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT sealed FROM link_grants WHERE handle = ? AND expires_at > ?", (handle, now)
            ).fetchone()
        return None if row is None else str(row["sealed"])
