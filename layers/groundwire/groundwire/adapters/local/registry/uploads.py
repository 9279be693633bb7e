"""Upload tickets."""

import sqlite3
from typing import Final

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.sqlite.json_columns import from_policy, to_policy
from groundwire.domain import errors
from groundwire.domain.documents import metadata
from groundwire.domain.documents.uploads import TICKET_RETENTION_SECONDS, Upload, UploadState

_COLUMNS: Final = (
    "ticket, doc_id, collection, file_name, sha256, policy, expires_at, metadata, source_url, state, arrived, reason"
)
_INSERT: Final = (
    f"INSERT INTO uploads (tenant, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
    " ON CONFLICT DO NOTHING"
)
_WHERE_TICKET: Final = " WHERE tenant = ? AND ticket = ?"
_SELECT: Final = f"SELECT {_COLUMNS} FROM uploads{_WHERE_TICKET}"  # noqa: S608
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
            if connection.execute(_INSERT, (tenant, *_row(upload))).rowcount == 0:
                raise errors.Conflict("There is an upload ticket of this name already: ask for another.")

    def get(self, tenant: str, ticket: str) -> Upload | None:
        """Return the ticket, or None."""
        with self._database.read() as connection:
            row = connection.execute(_SELECT, (tenant, ticket)).fetchone()
        return None if row is None else _upload(row)

    def claim(self, tenant: str, ticket: str, version: str, at: float) -> Upload | None:
        """Claim the ticket for this object version, in one transaction."""
        with self._database.write() as connection:
            values = (UploadState.ARRIVED.value, version, tenant, ticket, at, version)
            if connection.execute(_CLAIM, values).rowcount == 0:
                return None
            return _upload(connection.execute(_SELECT, (tenant, ticket)).fetchone())

    def finish(self, tenant: str, ticket: str, reason: str | None) -> None:
        """Mark the ticket as done, or as refused for a reason."""
        state = UploadState.DONE if reason is None else UploadState.REFUSED
        with self._database.write() as connection:
            connection.execute(_FINISH, (state.value, reason, tenant, ticket))


def _row(upload: Upload) -> tuple[str | float | None, ...]:
    return (
        upload.ticket,
        upload.doc_id,
        upload.collection,
        upload.file_name,
        upload.sha256,
        from_policy(upload.policy),
        upload.expires_at,
        metadata.to_json(upload.metadata),
        upload.source_url,
        upload.state.value,
        upload.object_version,
        upload.reason,
    )


def _upload(row: sqlite3.Row) -> Upload:
    return Upload(
        ticket=row["ticket"],
        doc_id=row["doc_id"],
        collection=row["collection"],
        file_name=row["file_name"],
        sha256=row["sha256"],
        policy=to_policy(row["policy"]),
        expires_at=row["expires_at"],
        metadata=metadata.from_json(row["metadata"]),
        source_url=row["source_url"],
        state=UploadState(row["state"]),
        object_version=row["arrived"],
        reason=row["reason"],
    )
