"""Tags that tenants keep for their users, in DynamoDB."""

from typing import TYPE_CHECKING

from groundwire.adapters.aws.dynamodb.client.attributes import read_text, read_texts, text, texts
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient


class DynamoUsers:
    """Implements `ports.Users`: one row per entry, an empty entry included."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def set(self, tenant: str, user: str, tags: frozenset[str]) -> None:
        """Set the user's entry to exactly `tags`."""
        self._table.put({"tenant": text(tenant), "user": text(user), "tags": texts(sorted(tags))})

    def tags(self, tenant: str, user: str) -> frozenset[str] | None:
        """Return the user's tags; None when the tenant keeps no entry for the user. An empty entry is an entry."""
        item = self._table.get({"tenant": text(tenant), "user": text(user)})
        return None if item is None else frozenset(read_texts(item, "tags"))

    def all(self, tenant: str) -> list[tuple[str, frozenset[str]]]:
        """Return all entries by user."""
        items = self._table.query("tenant = :tenant", {":tenant": text(tenant)})
        return [(read_text(item, "user"), frozenset(read_texts(item, "tags"))) for item in items]

    def delete(self, tenant: str, user: str) -> None:
        """Delete the user's entry.

        Raises:
            NotFound: the tenant keeps no entry for the user.
        """
        try:
            self._table.delete({"tenant": text(tenant), "user": text(user)}, "attribute_exists(tenant)")
        except ConditionFailed as failed:
            raise errors.NotFound(f"The user {user!r} has no stored tags.") from failed
