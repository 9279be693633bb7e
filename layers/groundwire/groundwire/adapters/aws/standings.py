"""Which generation of each tenant's index answers: a row of its own beside the tenant's documents."""

from typing import TYPE_CHECKING, Final

from groundwire.adapters import standing_text
from groundwire.adapters.aws.attribute_values import read_text, text
from groundwire.adapters.aws.faults import ConditionFailed
from groundwire.adapters.aws.table import Table
from groundwire.domain import errors
from groundwire.ports import Standing

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from groundwire.adapters.aws.attribute_values import Item

STANDING_ID: Final = "index"
"""Ids of documents and collections all have a prefix, so none of them is this."""


class DynamoStandings:
    """Implements `ports.Standings`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = Table(client, table)

    def read(self, tenant: str) -> Standing | None:
        """As it is now; None where the tenant has no index."""
        item = self._table.get(_row(tenant))
        return None if item is None else standing_text.from_json(read_text(item, "standing"))

    def write(self, tenant: str, standing: Standing, expected: Standing | None) -> None:
        """It is durable; Raises Conflict when what is stored is not `expected` (None: it exists already)."""
        told = standing_text.to_json(standing)
        values = {":new": text(told)}
        condition = "attribute_not_exists(standing)"
        if expected is not None:
            values[":expected"] = text(standing_text.to_json(expected))
            condition = "standing = :expected"
        try:
            self._table.update(_row(tenant), "SET standing = :new", condition, values)
        except ConditionFailed as failed:
            (there,) = failed.items
            # A client that lost the answer sends the write again, and meets its own.
            if there is None or read_text(there, "standing") != told:
                raise errors.Conflict("The tenant's index was changed meanwhile: repeat what you did.") from failed

    def delete(self, tenant: str) -> None:
        """The tenant has no index; no error when it had none."""
        self._table.delete_all([_row(tenant)])


def _row(tenant: str) -> "Item":
    return {"tenant": text(tenant), "id": text(STANDING_ID)}
