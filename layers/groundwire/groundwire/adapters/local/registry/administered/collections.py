"""Collections of tenants in SQLite."""

from typing import Final

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.sqlite.stored_rows import RowCodec
from groundwire.domain import errors
from groundwire.domain.documents.collection import STORED_COLLECTION, Collection

_ROWS: Final = RowCodec(STORED_COLLECTION)
_SELECT: Final = f"SELECT {_ROWS.names} FROM collections WHERE tenant = ? ORDER BY name"  # noqa: S608
_INSERT: Final = f"INSERT INTO collections (tenant, {_ROWS.names}) VALUES (?, {_ROWS.placeholders})"  # noqa: S608
_ADD: Final = f"{_INSERT} ON CONFLICT (tenant, name) DO NOTHING"
_SETTINGS: Final = ", ".join(f"{name} = excluded.{name}" for name in _ROWS.columns)
_PUT: Final = f"{_INSERT} ON CONFLICT (tenant, name) DO UPDATE SET {_SETTINGS}"


class SqliteCollections:
    """Implements `ports.Collections`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, tenant: str, collection: Collection) -> None:
        """Create the collection, or change its settings.

        Raises:
            NotFound: there is no such tenant.
        """
        with self._database.write() as connection:
            connection.execute(_PUT, (tenant, *_ROWS.to_row(collection)))

    def add(self, tenant: str, collection: Collection) -> bool:
        """Create the collection; return False, and change nothing, where there is one of this name.

        Raises:
            NotFound: there is no such tenant.
        """
        with self._database.write() as connection:
            return connection.execute(_ADD, (tenant, *_ROWS.to_row(collection))).rowcount == 1

    def all(self, tenant: str) -> list[Collection]:
        """Return the collections by name."""
        with self._database.read() as connection:
            return [_ROWS.from_row(row) for row in connection.execute(_SELECT, (tenant,))]

    def delete(self, tenant: str, name: str) -> None:
        """Delete the collection.

        Raises:
            NotFound: there is no such collection.
        """
        with self._database.write() as connection:
            deletion = connection.execute("DELETE FROM collections WHERE tenant = ? AND name = ?", (tenant, name))
            if deletion.rowcount == 0:
                raise errors.NotFound(f"There is no collection {name!r}.", "collection")
