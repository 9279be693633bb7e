"""Collections of tenants in DynamoDB: rows beside those of their documents."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.stored_items import ItemCodec
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.domain import errors
from groundwire.domain.documents.collection import STORED_COLLECTION, Collection

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    # Not at run time: it imports half the domain, which a list of tools does not need.
    from groundwire.ports import Collections

CACHE_TTL_SECONDS: Final = 10
"""Time until a new document shows in the index: a new collection shows no later."""
_MAX_CACHED_TENANTS: Final = 10_000
"""Limit of the cache, about a kilobyte each; beyond it the whole cache is cleared."""


class CachedCollections:
    """Implements `ports.Collections` with a cache; changes of other processes show after at most `CACHE_TTL_SECONDS`.

    It caches names and settings only: access is decided on every call, from the key and the documents' records. An
    empty list is not cached, so that a tenant's first document is found at once.
    """

    def __init__(self, collections: "Collections", clock: Callable[[], float]) -> None:
        """Take the store, and a monotonic clock."""
        self._collections = collections
        self._clock = clock
        self._cached: dict[str, tuple[float, list[Collection]]] = {}

    def put(self, tenant: str, collection: Collection) -> None:
        """Create the collection, or change its settings."""
        self._collections.put(tenant, collection)
        self._cached.pop(tenant, None)

    def add(self, tenant: str, collection: Collection) -> bool:
        """Create the collection; return False, and change nothing, where there is one of this name."""
        is_new = self._collections.add(tenant, collection)
        # Also where there was one: what is cached may be older than it.
        self._cached.pop(tenant, None)
        return is_new

    def all(self, tenant: str) -> list[Collection]:
        """Return the collections by name."""
        now = self._clock()
        known = self._cached.get(tenant)
        if known is not None and now - known[0] < CACHE_TTL_SECONDS:
            return list(known[1])
        found = self._collections.all(tenant)
        # `now` is the time before the read, so that no list is kept for too long.
        self._store(tenant, now, found)
        return list(found)

    def delete(self, tenant: str, name: str) -> None:
        """Delete the collection.

        Raises:
            NotFound: there is no such collection.
        """
        self._cached.pop(tenant, None)
        self._collections.delete(tenant, name)

    def _store(self, tenant: str, now: float, found: list[Collection]) -> None:
        if len(self._cached) >= _MAX_CACHED_TENANTS:
            self._cached.clear()
        if found:
            self._cached[tenant] = now, found
        else:
            self._cached.pop(tenant, None)


COLLECTION_PREFIX: Final = "collection#"


class DynamoCollections:
    """Implements `ports.Collections`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def put(self, tenant: str, collection: Collection) -> None:
        """Create the collection, or change its settings."""
        self._table.put({**_row(tenant, collection.name), **_ITEMS.to_item(collection)})

    def add(self, tenant: str, collection: Collection) -> bool:
        """Create the collection; return False, and change nothing, where there is one of this name."""
        item = {**_row(tenant, collection.name), **_ITEMS.to_item(collection)}
        try:
            self._table.insert(item, "attribute_not_exists(id)")
        except ConditionFailed:
            return False
        return True

    def all(self, tenant: str) -> list[Collection]:
        """Return the collections by name."""
        values = {":tenant": text(tenant), ":prefix": text(COLLECTION_PREFIX)}
        return [_ITEMS.from_item(item) for item in self._table.query(_ALL, values)]

    def delete(self, tenant: str, name: str) -> None:
        """Delete the collection.

        Raises:
            NotFound: there is no such collection.
        """
        try:
            self._table.delete(_row(tenant, name), "attribute_exists(tenant)")
        except ConditionFailed as failed:
            raise errors.NotFound(f"There is no collection {name!r}.", "collection") from failed


_ITEMS: Final = ItemCodec(STORED_COLLECTION)
_ALL: Final = "tenant = :tenant AND begins_with(id, :prefix)"


def _row(tenant: str, name: str) -> "dict[str, AttributeValueTypeDef]":
    return {"tenant": text(tenant), "id": text(COLLECTION_PREFIX + name)}
