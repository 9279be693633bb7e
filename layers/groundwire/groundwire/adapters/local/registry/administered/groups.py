"""Mappings of groups to tags in SQLite: one row per tenant."""

import sqlite3

from groundwire.adapters.codecs import group_json
from groundwire.adapters.local.registry.database import Database
from groundwire.domain import errors
from groundwire.domain.access.groups import NO_GROUPS, GroupTags


class SqliteGroups:
    """Implements `ports.Groups`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, tenant: str) -> GroupTags:
        """Return the whole mapping; empty where the tenant has none."""
        with self._database.read() as connection:
            stored = _stored(connection, tenant)
        return NO_GROUPS if stored is None else group_json.from_json(stored)

    def replace(self, tenant: str, mapping: GroupTags, expected: GroupTags) -> None:
        """Replace the whole mapping if the stored one is as expected.

        Raises:
            Conflict: it is not.
            NotFound: there is no such tenant.
        """
        with self._database.write() as connection:
            stored = _stored(connection, tenant)
            if (NO_GROUPS if stored is None else group_json.from_json(stored)) != expected:
                raise errors.Conflict("The mapping of groups was changed meanwhile: read it again.")
            connection.execute(
                "INSERT INTO group_mappings (tenant, group_tags) VALUES (?, ?)"
                " ON CONFLICT (tenant) DO UPDATE SET group_tags = excluded.group_tags",
                (tenant, group_json.to_json(mapping)),
            )


def _stored(connection: sqlite3.Connection, tenant: str) -> str | None:
    row = connection.execute("SELECT group_tags FROM group_mappings WHERE tenant = ?", (tenant,)).fetchone()
    return None if row is None else str(row["group_tags"])
