"""The collections of tenants, in DynamoDB: rows beside those of their documents."""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.attribute_values import number, optional_text, read_number, read_text, text
from groundwire.adapters.aws.faults import ConditionFailed
from groundwire.adapters.aws.table import Table
from groundwire.domain import errors
from groundwire.domain.documents import Collection

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.attribute_values import Item

COLLECTION_PREFIX: Final = "collection#"


class DynamoCollections:
    """Implements `ports.Collections`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = Table(client, table)

    def put(self, tenant: str, collection: Collection) -> None:
        """The collection exists with these settings, made or changed."""
        item = {
            **_row(tenant, collection.name),
            "name": text(collection.name),
            "bm25_weight": number(collection.bm25_weight),
        }
        if collection.language is not None:
            item["language"] = text(collection.language)
        self._table.put(item)

    def all(self, tenant: str) -> list[Collection]:
        """By name."""
        values = {":tenant": text(tenant), ":prefix": text(COLLECTION_PREFIX)}
        return [_collection(item) for item in self._table.query(_ALL, values)]

    def delete(self, tenant: str, name: str) -> None:
        """Raises NotFound."""
        try:
            self._table.delete(_row(tenant, name), "attribute_exists(tenant)")
        except ConditionFailed as failed:
            raise errors.NotFound(f"There is no collection {name!r}.", "collection") from failed


_ALL: Final = "tenant = :tenant AND begins_with(id, :prefix)"


def _row(tenant: str, name: str) -> "dict[str, AttributeValueTypeDef]":
    return {"tenant": text(tenant), "id": text(COLLECTION_PREFIX + name)}


def _collection(item: "Item") -> Collection:
    return Collection(read_text(item, "name"), read_number(item, "bm25_weight"), optional_text(item, "language"))
