"""Live and building generations of each tenant's index: one row beside the tenant's documents."""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import read_text, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.codecs import generation_state_json
from groundwire.domain import errors
from groundwire.ports import GenerationState
from groundwire.ports.indexes import IndexKind

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

GENERATIONS_ID: Final = {IndexKind.PASSAGES: "index", IndexKind.IMAGES: "index-images"}
"""Id of the row by kind; ids of documents and collections all have a prefix, so none equals it."""


class DynamoIndexGenerations:
    """Implements `ports.IndexGenerations` for the indexes of one kind."""

    def __init__(self, client: "DynamoDBClient", table: str, kind: IndexKind) -> None:
        self._table = DynamoTable(client, table)
        self._id = GENERATIONS_ID[kind]

    def read(self, tenant: str) -> GenerationState | None:
        """Return the current state; None where the tenant has no index."""
        item = self._table.get(self._row(tenant))
        return None if item is None else generation_state_json.from_json(read_text(item, "standing"))

    def write(self, tenant: str, state: GenerationState, expected: GenerationState | None) -> None:
        """Write the state durably.

        Raises:
            Conflict: the stored state is not `expected`; None expects that there is none.
        """
        state_json = generation_state_json.to_json(state)
        values = {":new": text(state_json)}
        condition = "attribute_not_exists(standing)"
        if expected is not None:
            values[":expected"] = text(generation_state_json.to_json(expected))
            condition = "standing = :expected"
        try:
            self._table.update(self._row(tenant), "SET standing = :new", condition, values)
        except ConditionFailed as failed:
            (current,) = failed.items
            # A client that did not get the answer repeats the write, and finds its own state.
            if current is None or read_text(current, "standing") != state_json:
                raise errors.Conflict("The tenant's index was changed meanwhile: try again.") from failed

    def delete(self, tenant: str) -> None:
        """Delete the state; no error if it is missing."""
        self._table.delete_all([self._row(tenant)])

    def _row(self, tenant: str) -> "Item":
        return {"tenant": text(tenant), "id": text(self._id)}
