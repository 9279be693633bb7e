"""Upload tickets in DynamoDB: rows beside the documents that they become."""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import number, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.stored_items import ItemCodec
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.domain import errors
from groundwire.domain.documents.uploads import STORED_UPLOAD, TICKET_RETENTION_SECONDS, Upload, UploadState

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

_ITEMS: Final = ItemCodec(STORED_UPLOAD)
PREFIX: Final = "upload#"
TTL_ATTRIBUTE: Final = "forget_at"
"""Attribute of the table's time to live: epoch seconds after which DynamoDB may remove the row."""
_CLAIM: Final = "SET upload_state = :state, arrived = :version"
_IS_CLAIMABLE: Final = "(attribute_not_exists(arrived) AND expires_at >= :at) OR arrived = :version"
_FINISH: Final = "SET upload_state = :state"
_SET_REASON: Final = ", refused_for = :reason"


class DynamoUploads:
    """Implements `ports.Uploads` on the documents table."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def add(self, tenant: str, upload: Upload) -> None:
        """Add the ticket.

        Raises:
            Conflict: there is a ticket of this name.
        """
        try:
            self._table.insert(_item(tenant, upload), "attribute_not_exists(id)")
        except ConditionFailed as failed:
            raise errors.Conflict("There is an upload ticket of this name already: ask for another.") from failed

    def get(self, tenant: str, ticket: str) -> Upload | None:
        """Return the ticket, or None."""
        item = self._table.get(_row(tenant, ticket))
        return None if item is None else _ITEMS.from_item(item)

    def claim(self, tenant: str, ticket: str, version: str, at: float) -> Upload | None:
        """Claim the ticket for this object version with one conditional write, then read it."""
        values = {":state": text(UploadState.ARRIVED), ":version": text(version), ":at": number(at)}
        try:
            self._table.update(_row(tenant, ticket), _CLAIM, f"attribute_exists(id) AND ({_IS_CLAIMABLE})", values)
        except ConditionFailed:
            return None
        # The update returned the row as it was before.
        return self.get(tenant, ticket)

    def finish(self, tenant: str, ticket: str, reason: str | None) -> None:
        """Mark the ticket as done, or as refused for a reason."""
        change, values = f"{_FINISH} REMOVE refused_for", {":state": text(UploadState.DONE)}
        if reason is not None:
            change, values = _FINISH + _SET_REASON, {":state": text(UploadState.REFUSED), ":reason": text(reason)}
        try:
            self._table.update(_row(tenant, ticket), change, "attribute_exists(id)", values)
        except ConditionFailed:
            return


def _row(tenant: str, ticket: str) -> "dict[str, AttributeValueTypeDef]":
    return {"tenant": text(tenant), "id": text(PREFIX + ticket)}


def _item(tenant: str, upload: Upload) -> "Item":
    return {
        **_row(tenant, upload.ticket),
        **_ITEMS.to_item(upload),
        TTL_ATTRIBUTE: number(int(upload.expires_at) + TICKET_RETENTION_SECONDS),
    }
