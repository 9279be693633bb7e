"""API keys in SQLite, with digests of their secrets."""

from typing import Any, Final

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.keys import admission
from groundwire.adapters.local.registry.keys.rows import ROWS
from groundwire.domain import errors
from groundwire.domain.keys.api_key import CHANGEABLE_FIELDS, STORED_KEY, Admission, ApiKey, SecretMaker
from groundwire.domain.keys.forms.page_session import page_end
from groundwire.domain.limits import MAX_PAGE_SESSIONS
from groundwire.stored import texts_json

_CHANGEABLE: Final = tuple(field.column for field in STORED_KEY.fields if field.name in CHANGEABLE_FIELDS)
_END_SURPLUS_PAGES: Final = (
    "DELETE FROM page_sessions WHERE digest IN"
    " (SELECT digest FROM page_sessions WHERE kid = ? ORDER BY expires_at DESC LIMIT -1 OFFSET ?)"
)


class SqliteKeys:
    """Implements `ports.Keys`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, key: ApiKey, digest: bytes) -> None:
        """Add the key.

        Raises:
            Conflict: the kid is taken.
            NotFound: there is no such tenant.
        """
        statement = f"INSERT INTO keys ({ROWS.names}, digest) VALUES ({ROWS.placeholders}, ?) ON CONFLICT DO NOTHING"  # noqa: S608
        with self._database.write() as connection:
            if connection.execute("SELECT 1 FROM tenants WHERE tenant = ? AND closing", (key.tenant,)).fetchone():
                raise errors.NotFound("There is no such tenant.", "tenant")
            if connection.execute(statement, (*ROWS.to_row(key), digest)).rowcount == 0:
                raise errors.Conflict("A key with this id already exists: create another one.")

    def admit(self, kid: str, digest: bytes, now: float) -> Admission:
        """Admit a call in one exclusive transaction; see `admission`."""
        with self._database.write_relaxed() as connection:
            return admission.admit(connection, kid, digest, now)

    def admit_page(self, kid: str, digest: bytes, now: float) -> Admission:
        """Admit a call of a page session in one exclusive transaction; see `admission`."""
        with self._database.write_relaxed() as connection:
            return admission.admit_page(connection, kid, digest, now)

    def open_page(self, tenant: str, kid: str, digest: bytes, until: float, now: float) -> float:
        """Open a page session, in place of the one that would end first where there are too many; return its end.

        Raises:
            NotFound: the tenant has no active key of this id.
            Conflict: the former secret has just ended.
        """
        with self._database.write() as connection:
            active = "SELECT previous_until FROM keys WHERE kid = ? AND tenant = ? AND NOT revoked"
            row = connection.execute(active, (kid, tenant)).fetchone()
            if row is None:
                raise errors.NotFound("The tenant has no active key of this id.", "key")
            end = page_end(until, row["previous_until"], now)
            connection.execute("DELETE FROM page_sessions WHERE kid = ? AND expires_at <= ?", (kid, now))
            connection.execute(_END_SURPLUS_PAGES, (kid, MAX_PAGE_SESSIONS - 1))
            connection.execute("INSERT INTO page_sessions VALUES (?, ?, ?)", (digest, kid, end))
        return end

    def close_page(self, kid: str, digest: bytes, now: float) -> bool:
        """End a page session; return whether it was open."""
        statement = "DELETE FROM page_sessions WHERE digest = ? AND kid = ? RETURNING expires_at"
        with self._database.write() as connection:
            row = connection.execute(statement, (digest, kid)).fetchone()
        return row is not None and row["expires_at"] > now

    def get(self, tenant: str, kid: str) -> ApiKey | None:
        """Return the key, even if revoked or expired; None when the tenant has none of that kid."""
        statement = f"SELECT {ROWS.names} FROM keys WHERE kid = ? AND tenant = ?"  # noqa: S608
        with self._database.read() as connection:
            row = connection.execute(statement, (kid, tenant)).fetchone()
        return None if row is None else ROWS.from_row(row)

    def get_usable(self, tenant: str, kid: str) -> ApiKey | None:
        """Return the key, but None while the tenant is suspended."""
        statement = (
            f"SELECT {ROWS.names} FROM keys WHERE kid = ? AND tenant = ?"  # noqa: S608
            " AND NOT EXISTS (SELECT 1 FROM tenants WHERE tenants.tenant = keys.tenant AND suspended_at IS NOT NULL)"
        )
        with self._database.read() as connection:
            row = connection.execute(statement, (kid, tenant)).fetchone()
        return None if row is None else ROWS.from_row(row)

    def all(self, tenant: str) -> list[ApiKey]:
        """Return the tenant's keys by creation time."""
        statement = f"SELECT {ROWS.names} FROM keys WHERE tenant = ? ORDER BY created_at, kid"  # noqa: S608
        with self._database.read() as connection:
            return [ROWS.from_row(row) for row in connection.execute(statement, (tenant,))]

    def any_unrevoked(self) -> bool:
        """Return whether any tenant has a key that is not revoked."""
        with self._database.read() as connection:
            return connection.execute("SELECT 1 FROM keys WHERE NOT revoked LIMIT 1").fetchone() is not None

    def rotate(self, tenant: str, kid: str, digest: bytes, previous_until: float, maker: SecretMaker) -> None:
        """Replace the secret; the secret before the last rotation stops at once.

        Raises:
            NotFound: the tenant has no key of this id.
        """
        statement = (
            "UPDATE keys SET previous_digest = digest, digest = ?, previous_until = ?,"
            " formerly_rotated_by = rotated_by, formerly_rotated_with = rotated_with, rotated_by = ?, rotated_with = ?"
            " WHERE kid = ? AND tenant = ?"
        )
        values = (digest, previous_until, maker.user, maker.kid, kid, tenant)
        with self._database.write() as connection:
            if connection.execute(statement, values).rowcount == 0:
                raise errors.NotFound("The tenant has no key of this id.", "key")
            # Whoever had the former secret may have signed in with it.
            connection.execute("DELETE FROM page_sessions WHERE kid = ?", (kid,))

    def replace_tags(self, key: ApiKey, tags: frozenset[str], max_tags: tuple[str, ...]) -> None:
        """Replace the tags of the key, and those that its calls may send, if they still are those of `key`.

        Raises:
            Conflict: they were changed meanwhile, or there is no such key.
        """
        statement = "UPDATE keys SET tags = ?, max_tags = ? WHERE kid = ? AND tenant = ? AND tags = ? AND max_tags = ?"
        before = (texts_json.to_json(sorted(key.tags)), texts_json.to_json(key.max_tags))
        after = (texts_json.to_json(sorted(tags)), texts_json.to_json(max_tags))
        with self._database.write() as connection:
            if connection.execute(statement, (*after, key.kid, key.tenant, *before)).rowcount == 0:
                raise errors.Conflict("The tags of the key were changed meanwhile: try again.")

    def change(self, before: ApiKey, after: ApiKey) -> None:
        """Replace the fields that may change, if each still is that of `before`.

        Raises:
            Conflict: one was changed or the key was revoked meanwhile, or there is no such key.
        """
        assignments = ", ".join(f"{column} = ?" for column in _CHANGEABLE)
        unchanged = " AND ".join(f"{column} IS ?" for column in _CHANGEABLE)
        statement = f"UPDATE keys SET {assignments} WHERE kid = ? AND tenant = ? AND NOT revoked AND {unchanged}"  # noqa: S608
        values = (*_changeable_values(after), before.kid, before.tenant, *_changeable_values(before))
        with self._database.write() as connection:
            if connection.execute(statement, values).rowcount == 0:
                raise errors.Conflict("The key was changed meanwhile: try again.")

    def is_revoked(self, tenant: str, kid: str) -> bool:
        """Return whether the key was revoked, or the tenant has no such key."""
        statement = "SELECT 1 FROM keys WHERE kid = ? AND tenant = ? AND NOT revoked"
        with self._database.read() as connection:
            return connection.execute(statement, (kid, tenant)).fetchone() is None

    def revoke(self, tenant: str, kid: str) -> None:
        """Revoke the key, so that no later `admit` succeeds.

        Raises:
            NotFound: the tenant has no key of this id.
        """
        with self._database.write() as connection:
            statement = "UPDATE keys SET revoked = 1 WHERE kid = ? AND tenant = ?"
            if connection.execute(statement, (kid, tenant)).rowcount == 0:
                raise errors.NotFound("The tenant has no key of this id.", "key")


def _changeable_values(key: ApiKey) -> list[Any]:
    """Return the values of the columns that may change, in their order."""
    by_column = dict(zip(ROWS.columns, ROWS.to_row(key), strict=True))
    return [by_column[column] for column in _CHANGEABLE]
