"""Collections of tenants."""

from groundwire.adapters.local.registry.database import Database
from groundwire.domain import errors
from groundwire.domain.documents.collection import Collection


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
            connection.execute(
                "INSERT INTO collections (tenant, name, bm25_weight, language, description, floor, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, name) DO UPDATE SET"
                " bm25_weight = excluded.bm25_weight, language = excluded.language,"
                " description = excluded.description, floor = excluded.floor, created_at = excluded.created_at",
                (
                    tenant,
                    collection.name,
                    collection.bm25_weight,
                    collection.language,
                    collection.description,
                    collection.floor,
                    collection.created_at,
                ),
            )

    def all(self, tenant: str) -> list[Collection]:
        """Return the collections by name."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT name, bm25_weight, language, description, floor, created_at FROM collections"
                " WHERE tenant = ? ORDER BY name",
                (tenant,),
            )
            return [Collection(*row) for row in rows]

    def delete(self, tenant: str, name: str) -> None:
        """Delete the collection.

        Raises:
            NotFound: there is no such collection.
        """
        with self._database.write() as connection:
            deletion = connection.execute("DELETE FROM collections WHERE tenant = ? AND name = ?", (tenant, name))
            if deletion.rowcount == 0:
                raise errors.NotFound(f"There is no collection {name!r}.", "collection")
