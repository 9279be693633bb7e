"""Upload tickets in SQLite."""

from typing import Final

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.sqlite.stored_rows import RowCodec
from groundwire.domain import errors
from groundwire.domain.documents.uploads import STORED_UPLOAD, TICKET_RETENTION_SECONDS, Upload, UploadState

_ROWS: Final = RowCodec(STORED_UPLOAD)
_INSERT: Final = (
    f"INSERT INTO uploads (tenant, {_ROWS.names}) VALUES (?, {_ROWS.placeholders})"  # noqa: S608
    " ON CONFLICT DO NOTHING"
)
_WHERE_TICKET: Final = " WHERE tenant = ? AND ticket = ?"
_SELECT: Final = f"SELECT {_ROWS.names} FROM uploads{_WHERE_TICKET}"  # noqa: S608
_CLAIM: Final = (
    f"UPDATE uploads SET state = ?, arrived = ?{_WHERE_TICKET}"  # noqa: S608
    " AND (arrived IS NULL AND expires_at >= ? OR arrived = ?)"
)
_FINISH: Final = f"UPDATE uploads SET state = ?, reason = ?{_WHERE_TICKET}"  # noqa: S608


class SqliteUploads:
    """Implements `ports.Uploads`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, tenant: str, upload: Upload) -> None:
        """Add the ticket; deletes tickets whose retention is over.

        Raises:
            Conflict: there is a ticket of this name.
            NotFound: there is no such tenant.
        """
        with self._database.write() as connection:
            connection.execute(
                "DELETE FROM uploads WHERE expires_at < ?", (upload.expires_at - TICKET_RETENTION_SECONDS,)
            )
            if connection.execute(_INSERT, (tenant, *_ROWS.to_row(upload))).rowcount == 0:
                raise errors.Conflict("There is an upload ticket of this name already: ask for another.")

    def get(self, tenant: str, ticket: str) -> Upload | None:
        """Return the ticket, or None."""
        with self._database.read() as connection:
            row = connection.execute(_SELECT, (tenant, ticket)).fetchone()
        return None if row is None else _ROWS.from_row(row)

    def claim(self, tenant: str, ticket: str, version: str, at: float) -> Upload | None:
        """Claim the ticket for this object version, in one transaction; None if it expired or has another version."""
        with self._database.write() as connection:
            values = (UploadState.ARRIVED.value, version, tenant, ticket, at, version)
            if connection.execute(_CLAIM, values).rowcount == 0:
                return None
            return _ROWS.from_row(connection.execute(_SELECT, (tenant, ticket)).fetchone())

    def finish(self, tenant: str, ticket: str, reason: str | None) -> None:
        """Mark the ticket as done, or as refused for a reason."""
        state = UploadState.DONE if reason is None else UploadState.REFUSED
        with self._database.write() as connection:
            connection.execute(_FINISH, (state.value, reason, tenant, ticket))
