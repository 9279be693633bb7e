"""Ids of tenants that a check of the deployment created, so that a later check can prove that nothing is left of them.

The rows are of no tenant: their partition has a name that no tenant id has.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import number, read_text, text
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.uploads import TTL_ATTRIBUTE

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

_PARTITION: Final = "#scratch"
_RETENTION_SECONDS: Final = 90 * 86_400
"""Time for which an id is kept; what could be left of a tenant is erased or expired long before."""


class DynamoScratchTenants:
    """Implements `ports.ScratchTenants` on the documents table."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def remember(self, tenant: str, now: float) -> None:
        """Store the id in a row of its own."""
        ends = number(math.ceil(now) + _RETENTION_SECONDS)
        self._table.put({"tenant": text(_PARTITION), "id": text(tenant), TTL_ATTRIBUTE: ends})

    def all(self) -> Sequence[str]:
        """Return the ids, sorted."""
        rows = self._table.query("tenant = :tenant", {":tenant": text(_PARTITION)})
        return [read_text(row, "id") for row in rows]
