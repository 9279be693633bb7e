"""Sign-ins to the page by the identity provider in SQLite, one row for each attempt that opened one."""

from typing import Final

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.sqlite.stored_rows import RowCodec
from groundwire.domain.keys.forms.oauth import TokenIdentity
from groundwire.domain.keys.forms.provider_session import STORED_TOKEN_IDENTITY, OpenedSession, ProviderSession

_ROWS: Final = RowCodec(STORED_TOKEN_IDENTITY)
_INSERT: Final = (
    f"INSERT INTO provider_sessions ({_ROWS.names}, attempt, digest, kept_until)"  # noqa: S608
    f" VALUES ({_ROWS.placeholders}, ?, ?, ?) ON CONFLICT DO NOTHING"
)
_WHERE_OPEN: Final = "tenant = ? AND attempt = ? AND digest = ? AND expires_at > ?"
_DELETE_EXPIRED: Final = (
    "DELETE FROM provider_sessions WHERE (tenant, attempt) IN"
    " (SELECT tenant, attempt FROM provider_sessions WHERE kept_until <= ? ORDER BY kept_until LIMIT ?)"
)
_MAX_SWEPT_PER_SIGN_IN: Final = 16
"""Expired rows deleted with each new one: several, so that they do not pile up; few, to bound its time."""


class SqliteProviderSessions:
    """Implements `ports.ProviderSessions`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, opened: OpenedSession, now: float) -> bool:
        """Open the session of an attempt, with one statement.

        Raises:
            NotFound: there is no such tenant.
        """
        row = (*_ROWS.to_row(opened.identity), opened.attempt, opened.digest, opened.kept_until)
        with self._database.write() as connection:
            connection.execute(_DELETE_EXPIRED, (now, _MAX_SWEPT_PER_SIGN_IN))
            return connection.execute(_INSERT, row).rowcount == 1

    def find(self, session: ProviderSession, digest: bytes, now: float) -> TokenIdentity | None:
        """Return the identity of an open session, with one statement."""
        with self._database.read() as connection:
            row = connection.execute(
                f"SELECT {_ROWS.names} FROM provider_sessions WHERE {_WHERE_OPEN}",  # noqa: S608
                (session.tenant, session.attempt, digest, now),
            ).fetchone()
        return None if row is None else _ROWS.from_row(row)

    def end(self, session: ProviderSession, digest: bytes, now: float) -> bool:
        """End a session durably; its row stays, so that its attempt opens no other."""
        statement = f"UPDATE provider_sessions SET expires_at = 0 WHERE {_WHERE_OPEN}"  # noqa: S608
        with self._database.write() as connection:
            return connection.execute(statement, (session.tenant, session.attempt, digest, now)).rowcount == 1
