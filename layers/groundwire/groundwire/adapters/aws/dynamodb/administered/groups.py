"""Mappings of groups to tags in DynamoDB: one row per tenant, in the table of the users.

The row has a partition of its own, so that no list of a tenant's users has it.
"""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import read_text, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.codecs import group_json
from groundwire.domain import errors
from groundwire.domain.access.groups import NO_GROUPS, GroupTags

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

GROUP_PARTITION_PREFIX: Final = "groups#"
_ROW: Final = "mapping"


class DynamoGroups:
    """Implements `ports.Groups`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def read(self, tenant: str) -> GroupTags:
        """Return the whole mapping; empty where the tenant has none."""
        # A batch, as the functions that read this table have the right to batches alone.
        items = self._table.get_all([group_row(tenant)])
        return group_json.from_json(read_text(items[0], "group_tags")) if items else NO_GROUPS

    def replace(self, tenant: str, mapping: GroupTags, expected: GroupTags) -> None:
        """Replace the whole mapping if the stored one is as expected.

        Raises:
            Conflict: it is not.
        """
        before = group_json.to_json(expected)
        # An empty mapping is a row or none, which is the same to a reader.
        condition = "group_tags = :before" if expected else "attribute_not_exists(tenant) OR group_tags = :before"
        item = {**group_row(tenant), "group_tags": text(group_json.to_json(mapping))}
        try:
            self._table.insert(item, condition, {":before": text(before)})
        except ConditionFailed as failed:
            raise errors.Conflict("The mapping of groups was changed meanwhile: read it again.") from failed


def group_row(tenant: str) -> "Item":
    """Return the key of a tenant's row."""
    return {"tenant": text(GROUP_PARTITION_PREFIX + tenant), "user": text(_ROW)}
