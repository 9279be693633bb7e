"""Which generation of each tenant's index answers: a row of its own beside the tenant's documents."""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import read_text, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.codecs import generation_state_json
from groundwire.domain import errors
from groundwire.ports import GenerationState

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

GENERATIONS_ID: Final = "index"
"""Ids of documents and collections all have a prefix, so none of them is this."""


class DynamoIndexGenerations:
    """Implements `ports.Standings`."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def read(self, tenant: str) -> GenerationState | None:
        """As it is now; None where the tenant has no index."""
        item = self._table.get(_row(tenant))
        return None if item is None else generation_state_json.from_json(read_text(item, "standing"))

    def write(self, tenant: str, state: GenerationState, expected: GenerationState | None) -> None:
        """It is durable; Raises Conflict when what is stored is not `expected` (None: it exists already)."""
        told = generation_state_json.to_json(state)
        values = {":new": text(told)}
        condition = "attribute_not_exists(standing)"
        if expected is not None:
            values[":expected"] = text(generation_state_json.to_json(expected))
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
    return {"tenant": text(tenant), "id": text(GENERATIONS_ID)}
