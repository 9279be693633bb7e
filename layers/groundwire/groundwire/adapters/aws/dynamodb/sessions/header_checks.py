"""Counts of admitted calls whose identity headers were compared, one row of the sessions table for each tenant."""

import math
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import number, read_integer, text
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.ports.system import HeaderCounts

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

ROW_ID: Final = "headers#"
"""Sort key of the row; a session's is a digest in hexadecimal digits, so the two never meet."""
RETENTION_SECONDS: Final = 86_400
"""Time after the last comparison for which a row is kept at least."""
_COUNT: Final = "SET expires_at = :end ADD compared :one, different :different"
_ONE_ROW: Final = "tenant = :tenant AND id = :id"


class DynamoHeaderChecks:
    """Implements `ports.HeaderChecks`; the role of the operator function may query the table, not get single rows."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def record(self, tenant: str, now: float, *, is_different: bool) -> None:
        """Count one comparison, with one unconditional write: environments of a function count side by side."""
        # DynamoDB's time to live takes whole seconds.
        end = math.ceil(now) + RETENTION_SECONDS
        values = {":end": number(end), ":one": number(1), ":different": number(int(is_different))}
        self._table.upsert({"tenant": text(tenant), "id": text(ROW_ID)}, _COUNT, values)

    def counts(self, tenant: str) -> HeaderCounts:
        """Return the tenant's counts, by one strongly consistent query."""
        rows = self._table.query(_ONE_ROW, {":tenant": text(tenant), ":id": text(ROW_ID)})
        item = next(rows, None)
        if item is None:
            return HeaderCounts(0, 0)
        return HeaderCounts(read_integer(item, "compared"), read_integer(item, "different"))
