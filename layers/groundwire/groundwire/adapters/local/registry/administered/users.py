"""Stored tags of the users of tenants, and blocks of users, in SQLite."""

import sqlite3
from typing import Final

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.sqlite.stored_rows import RowCodec
from groundwire.domain import errors
from groundwire.domain.access.user_blocks import STORED_BLOCK, UserBlock, UserState, block_key, stored_block_keys
from groundwire.stored import texts_json

_BLOCKS: Final = RowCodec(STORED_BLOCK)
_SELECT_STATE: Final = (
    "SELECT (SELECT tags FROM users WHERE tenant = :tenant AND user = :user) AS tags,"
    " EXISTS (SELECT 1 FROM blocked_users WHERE tenant = :tenant AND block_key IN (:key, :earlier_key)) AS blocked"
)


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

    def replace(self, tenant: str, user: str, tags: frozenset[str], expected: frozenset[str] | None) -> None:
        """Set the user's entry to `tags` if it still is exactly `expected`; None: if there still is no entry.

        Raises:
            Conflict: the entry was added, changed or deleted meanwhile.
            NotFound: there is no such tenant.
        """
        statement = "UPDATE users SET tags = ? WHERE tenant = ? AND user = ? AND tags = ?"
        values = [texts_json.to_json(sorted(tags)), tenant, user]
        if expected is None:
            statement = "INSERT INTO users (tags, tenant, user) VALUES (?, ?, ?) ON CONFLICT (tenant, user) DO NOTHING"
        else:
            values.append(texts_json.to_json(sorted(expected)))
        with self._database.write() as connection:
            if connection.execute(statement, values).rowcount == 0:
                raise errors.Conflict(f"The tags of {user!r} were changed meanwhile: try again.")

    def state(self, tenant: str, user: str) -> UserState:
        """Return the user's tags and block. An empty entry is an entry."""
        keys = stored_block_keys(user)
        values = {"tenant": tenant, "user": user, "key": keys[0], "earlier_key": keys[-1]}
        with self._database.read() as connection:
            row = connection.execute(_SELECT_STATE, values).fetchone()
        return UserState(None if row["tags"] is None else _tags(row), bool(row["blocked"]))

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

    def block(self, tenant: str, block: UserBlock) -> None:
        """Block the user, unless the user is blocked.

        Raises:
            NotFound: there is no such tenant.
        """
        statement = (
            f"INSERT INTO blocked_users (tenant, block_key, {_BLOCKS.names}) VALUES (?, ?, {_BLOCKS.placeholders})"  # noqa: S608
            " ON CONFLICT (tenant, block_key) DO NOTHING"
        )
        with self._database.write() as connection:
            connection.execute(statement, (tenant, block_key(block.user), *_BLOCKS.to_row(block)))

    def unblock(self, tenant: str, user: str) -> None:
        """End the block of the user.

        Raises:
            NotFound: the user is not blocked.
        """
        keys = stored_block_keys(user)
        statement = "DELETE FROM blocked_users WHERE tenant = ? AND block_key IN (?, ?)"
        with self._database.write() as connection:
            if connection.execute(statement, (tenant, keys[0], keys[-1])).rowcount == 0:
                raise errors.NotFound(f"The user {user!r} is not blocked.")

    def blocked(self, tenant: str) -> list[UserBlock]:
        """Return all blocks, the earliest first."""
        statement = f"SELECT {_BLOCKS.names} FROM blocked_users WHERE tenant = ? ORDER BY decided_at, user"  # noqa: S608
        with self._database.read() as connection:
            return [_BLOCKS.from_row(row) for row in connection.execute(statement, (tenant,))]


def _tags(row: sqlite3.Row) -> frozenset[str]:
    return frozenset(texts_json.from_json(row["tags"]))
