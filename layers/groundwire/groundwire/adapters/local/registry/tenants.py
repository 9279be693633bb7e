"""Tenants in SQLite."""

import sqlite3
from collections.abc import Mapping
from typing import Final

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.schema import TENANT_TABLES, TENANT_TABLES_IF_USED
from groundwire.adapters.local.sqlite.stored_rows import RowCodec
from groundwire.domain import errors
from groundwire.domain.keys.tenant import STORED_TENANT, Tenant, folded_name

_ROWS: Final = RowCodec(STORED_TENANT)


class SqliteTenants:
    """Implements `ports.Tenants`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, tenant: Tenant) -> None:
        """Add the tenant.

        Raises:
            Conflict: the name, in any letter case, or the id is taken.
        """
        with self._database.write() as connection:
            names = (row["name"] for row in connection.execute("SELECT name FROM tenants"))
            if folded_name(tenant.name) in map(folded_name, names):
                raise errors.Conflict(f"There is a tenant named {tenant.name!r} already: choose another name.")
            statement = f"INSERT INTO tenants ({_ROWS.names}) VALUES ({_ROWS.placeholders}) ON CONFLICT DO NOTHING"  # noqa: S608
            if connection.execute(statement, _ROWS.to_row(tenant)).rowcount == 0:
                raise errors.Conflict(f"There is a tenant named {tenant.name!r} already: choose another name.")

    def get(self, tenant: str) -> Tenant | None:
        """Return the tenant of this id, or None."""
        with self._database.read() as connection:
            statement = f"SELECT {_ROWS.names} FROM tenants WHERE tenant = ?"  # noqa: S608
            row = connection.execute(statement, (tenant,)).fetchone()
        return None if row is None else _ROWS.from_row(row)

    def all(self) -> list[Tenant]:
        """Return the tenants by name."""
        with self._database.read() as connection:
            statement = f"SELECT {_ROWS.names} FROM tenants ORDER BY name"  # noqa: S608
            return [_ROWS.from_row(row) for row in connection.execute(statement)]

    def set_rate(self, tenant: str, rate_per_minute: int, burst: int) -> None:
        """Set the limit over all keys of the tenant.

        Raises:
            NotFound: there is no such tenant.
        """
        self._update(tenant, "rate_per_minute = ?, burst = ?, tat = NULL", rate_per_minute, burst)

    def set_suspension(self, tenant: str, since: float | None) -> None:
        """Suspend the tenant, or end its suspension.

        Raises:
            NotFound: there is no such tenant.
        """
        self._update(tenant, "suspended_at = ?", since)

    def mark_deleting(self, tenant: str) -> None:
        """Mark the tenant as closing: no key is added from now on.

        Raises:
            NotFound: there is no such tenant.
        """
        self._update(tenant, "closing = 1")

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

    def _update(self, tenant: str, change: str, *values: float | None) -> None:
        with self._database.write() as connection:
            # The change is one of our own constants.
            statement = f"UPDATE tenants SET {change} WHERE tenant = ?"  # noqa: S608
            if connection.execute(statement, (*values, tenant)).rowcount == 0:
                raise errors.NotFound("There is no such tenant.", "tenant")


def _count(connection: sqlite3.Connection, table: str, tenant: str) -> int:
    # The table's name is one of our own constants.
    statement = f"SELECT count(*) FROM {table} WHERE tenant = ?"  # noqa: S608
    return int(connection.execute(statement, (tenant,)).fetchone()[0])
