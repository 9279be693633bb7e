"""MCP sessions in SQLite, of protocol versions with a handshake."""

import sqlite3
from typing import Final

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.sqlite.stored_rows import RowCodec
from groundwire.domain import errors
from groundwire.domain.keys.sessions import STORED_SESSION, session_digest
from groundwire.domain.limits import MAX_KEY_SESSIONS
from groundwire_mcp.definitions.sessions import SESSION_SECONDS, Session, SessionOwner

_ROWS: Final = RowCodec(STORED_SESSION)
_INSERT: Final = (
    f"INSERT INTO sessions ({_ROWS.names}, id_digest) VALUES ({_ROWS.placeholders}, ?) ON CONFLICT DO NOTHING"  # noqa: S608
)
# `IS` compares a session without a user as well, which `=` never equals.
_WHERE_LIVE: Final = "tenant = ? AND id_digest = ? AND kid = ? AND user IS ? AND expires_at > ?"
_MAX_SWEPT_PER_HANDSHAKE: Final = 16
"""Number of expired sessions deleted per handshake: several, so that they do not pile up; few, to bound its time."""


class SqliteSessions:
    """Implements `ports.Sessions`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, session: Session) -> None:
        """Add the session; for a tenant that was deleted meanwhile, do nothing, since its next call is denied.

        Raises:
            Conflict: the id is taken.
        """
        row = (*_ROWS.to_row(session), session_digest(session.id))
        try:
            with self._database.write() as connection:
                _delete_expired(connection, session.created_at)
                added = connection.execute(_INSERT, row).rowcount
                _delete_idle(connection, session)
        except errors.NotFound:
            return
        if added == 0:
            raise errors.Conflict("There is a session of this id already: begin one with another.")

    def get(self, owner: SessionOwner, session_id: str, now: float) -> Session | None:
        """Return the living session of this owner, with one statement; None also for another owner's."""
        with self._database.read() as connection:
            row = connection.execute(
                f"SELECT {_ROWS.names} FROM sessions WHERE {_WHERE_LIVE}",  # noqa: S608
                _where_values(owner, session_id, now),
            ).fetchone()
        return None if row is None else _ROWS.from_row(row)._replace(id=session_id)

    def extend(self, owner: SessionOwner, session_id: str, now: float, expires_at: float) -> bool:
        """Extend the session; a power cut may undo it, and the next call repeats it."""
        return self._set("expires_at", expires_at, _where_values(owner, session_id, now))

    def set_log_level(self, owner: SessionOwner, session_id: str, now: float, level: str) -> bool:
        """Set the log level; a power cut may undo it, and the client may repeat it."""
        return self._set("log_level", level, _where_values(owner, session_id, now))

    def end(self, owner: SessionOwner, session_id: str, now: float) -> bool:
        """End the session durably: an ended session never comes back."""
        with self._database.write() as connection:
            statement = f"DELETE FROM sessions WHERE {_WHERE_LIVE}"  # noqa: S608
            return connection.execute(statement, _where_values(owner, session_id, now)).rowcount == 1

    def _set(self, column: str, value: str | float, where_values: tuple[object, ...]) -> bool:
        with self._database.write_relaxed() as connection:
            statement = f"UPDATE sessions SET {column} = ? WHERE {_WHERE_LIVE}"  # noqa: S608
            return connection.execute(statement, (value, *where_values)).rowcount == 1


def _where_values(owner: SessionOwner, session_id: str, now: float) -> tuple[object, ...]:
    return (owner.tenant, session_digest(session_id), owner.kid, owner.user, now)


def _delete_idle(connection: sqlite3.Connection, added: Session) -> None:
    """Delete the key's sessions beyond its number, those that were idle for longest; the added one stays."""
    # The end does not order them: a new session ends within a day, and one that was used within thirty.
    connection.execute(
        "DELETE FROM sessions WHERE (tenant, id_digest) IN (SELECT tenant, id_digest FROM sessions"
        " WHERE tenant = ? AND kid = ? AND id_digest <> ?"
        " ORDER BY MAX(created_at, expires_at - ?) DESC LIMIT -1 OFFSET ?)",
        (added.owner.tenant, added.owner.kid, session_digest(added.id), SESSION_SECONDS, MAX_KEY_SESSIONS - 1),
    )


def _delete_expired(connection: sqlite3.Connection, now: float) -> None:
    """Delete the sessions, of any tenant, that expired longest ago."""
    connection.execute(
        "DELETE FROM sessions WHERE (tenant, id_digest) IN"
        " (SELECT tenant, id_digest FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)",
        (now, _MAX_SWEPT_PER_HANDSHAKE),
    )
