"""Tags that tenants keep for their users, in DynamoDB."""

from typing import TYPE_CHECKING

from groundwire.adapters.aws.dynamodb.client.attributes import read_text, read_texts, text, texts
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient


class DynamoUsers:
    """Implements `ports.Users`: a row for each entry, an empty one included."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def set(self, tenant: str, user: str, tags: frozenset[str]) -> None:
        """The user's entry is exactly `tags`."""
        self._table.put({"tenant": text(tenant), "user": text(user), "tags": texts(sorted(tags))})

    def tags(self, tenant: str, user: str) -> frozenset[str] | None:
        """None when the tenant keeps no entry for the user; an empty entry is an entry."""
        item = self._table.get({"tenant": text(tenant), "user": text(user)})
        return None if item is None else frozenset(read_texts(item, "tags"))

    def all(self, tenant: str) -> list[tuple[str, frozenset[str]]]:
        """By user."""
        items = self._table.query("tenant = :tenant", {":tenant": text(tenant)})
        return [(read_text(item, "user"), frozenset(read_texts(item, "tags"))) for item in items]

    def delete(self, tenant: str, user: str) -> None:
        """Raises NotFound."""
        try:
            self._table.delete({"tenant": text(tenant), "user": text(user)}, "attribute_exists(tenant)")
        except ConditionFailed as failed:
            raise errors.NotFound(f"The tenant keeps no entry for the user {user!r}.") from failed
