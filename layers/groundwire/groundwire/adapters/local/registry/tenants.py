"""Tenants, for the operator."""

import sqlite3
from collections.abc import Mapping

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.schema import TENANT_TABLES, TENANT_TABLES_IF_USED
from groundwire.domain import errors
from groundwire.domain.keys.tenant import Tenant

_COLUMNS = "tenant, name, rate_per_minute, burst, created_at"


class SqliteTenants:
    """Implements `ports.Tenants`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, tenant: Tenant) -> None:
        """Add the tenant.

        Raises:
            Conflict: the name or the id is taken.
        """
        row = (tenant.tenant, tenant.name, tenant.rate_per_minute, tenant.burst, tenant.created_at)
        with self._database.write() as connection:
            statement = f"INSERT INTO tenants ({_COLUMNS}) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"  # noqa: S608
            if connection.execute(statement, row).rowcount == 0:
                raise errors.Conflict(f"There is a tenant named {tenant.name!r} already: choose another name.")

    def get(self, tenant: str) -> Tenant | None:
        """Return the tenant of this id, or None."""
        with self._database.read() as connection:
            statement = f"SELECT {_COLUMNS} FROM tenants WHERE tenant = ?"  # noqa: S608
            row = connection.execute(statement, (tenant,)).fetchone()
        return None if row is None else _tenant(row)

    def all(self) -> list[Tenant]:
        """Return the tenants by name."""
        with self._database.read() as connection:
            return [_tenant(row) for row in connection.execute(f"SELECT {_COLUMNS} FROM tenants ORDER BY name")]  # noqa: S608

    def mark_deleting(self, tenant: str) -> None:
        """Mark the tenant as closing: no key is added from now on.

        Raises:
            NotFound: there is no such tenant.
        """
        with self._database.write() as connection:
            if connection.execute("UPDATE tenants SET closing = 1 WHERE tenant = ?", (tenant,)).rowcount == 0:
                raise errors.NotFound("There is no such tenant.", "tenant")

    def delete(self, tenant: str) -> Mapping[str, int]:
        """Delete the tenant and all its rows.

        Returns counts of keys, users, collections, documents and sessions, tombstones included, all 0 for an unknown
        tenant; and of definitions where there were some.
        """
        with self._database.write() as connection:
            counts = {table: _count(connection, table, tenant) for table in TENANT_TABLES}
            found = {table: _count(connection, table, tenant) for table in TENANT_TABLES_IF_USED}
            connection.execute("DELETE FROM tenants WHERE tenant = ?", (tenant,))
        self._database.truncate_wal()
        return counts | {table: count for table, count in found.items() if count}


def _count(connection: sqlite3.Connection, table: str, tenant: str) -> int:
    # The table's name is one of our own constants.
    statement = f"SELECT count(*) FROM {table} WHERE tenant = ?"  # noqa: S608
    return int(connection.execute(statement, (tenant,)).fetchone()[0])


def _tenant(row: sqlite3.Row) -> Tenant:
    return Tenant(
        tenant=row["tenant"],
        name=row["name"],
        rate_per_minute=row["rate_per_minute"],
        burst=row["burst"],
        created_at=row["created_at"],
    )
