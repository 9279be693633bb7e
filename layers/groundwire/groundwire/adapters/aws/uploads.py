"""Upload tickets in DynamoDB: rows beside the documents that they become."""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.attribute_values import number, optional_text, read_number, read_text, text
from groundwire.adapters.aws.faults import ConditionFailed, dynamodb_faults
from groundwire.adapters.aws.table import Table
from groundwire.domain import errors, metadata, policy_text
from groundwire.domain.uploads import TICKET_KEPT_SECONDS, Upload, UploadState

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.attribute_values import Item

PREFIX: Final = "upload#"
FORGET_AT: Final = "forget_at"
"""When DynamoDB may remove the row (epoch seconds): the attribute that the table's time to live is told by."""
_CLAIM: Final = "SET upload_state = :state, arrived = :version"
_FREE: Final = "(attribute_not_exists(arrived) AND expires_at >= :at) OR arrived = :version"
_FINISH: Final = "SET upload_state = :state"
_BECAUSE: Final = ", refused_for = :reason"


class DynamoUploads:
    """Implements `ports.Uploads` on the documents table."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = Table(client, table)

    def add(self, tenant: str, upload: Upload) -> None:
        """Raises Conflict when there is a ticket of this name."""
        try:
            with dynamodb_faults(self._table.name):
                self._table.client.put_item(
                    TableName=self._table.name,
                    Item=_item(tenant, upload),
                    ConditionExpression="attribute_not_exists(id)",
                )
        except ConditionFailed as failed:
            raise errors.Conflict("There is an upload ticket of this name already: ask for another.") from failed

    def get(self, tenant: str, ticket: str) -> Upload | None:
        """The ticket, or None."""
        item = self._table.get(_row(tenant, ticket))
        return None if item is None else _upload(item)

    def claim(self, tenant: str, ticket: str, version: str, at: float) -> Upload | None:
        """One conditional write, and a read of what it has won."""
        values = {":state": text(UploadState.ARRIVED), ":version": text(version), ":at": number(at)}
        try:
            self._table.update(_row(tenant, ticket), _CLAIM, f"attribute_exists(id) AND ({_FREE})", values)
        except ConditionFailed:
            return None
        return self.get(tenant, ticket)

    def finish(self, tenant: str, ticket: str, reason: str | None) -> None:
        """Done, or refused for a reason."""
        change, values = f"{_FINISH} REMOVE refused_for", {":state": text(UploadState.DONE)}
        if reason is not None:
            change, values = _FINISH + _BECAUSE, {":state": text(UploadState.REFUSED), ":reason": text(reason)}
        try:
            self._table.update(_row(tenant, ticket), change, "attribute_exists(id)", values)
        except ConditionFailed:
            return


def _row(tenant: str, ticket: str) -> "dict[str, AttributeValueTypeDef]":
    return {"tenant": text(tenant), "id": text(PREFIX + ticket)}


def _item(tenant: str, upload: Upload) -> "Item":
    item: dict[str, AttributeValueTypeDef] = {
        **_row(tenant, upload.ticket),
        "ticket": text(upload.ticket),
        "doc_id": text(upload.doc_id),
        "collection": text(upload.collection),
        "file_name": text(upload.file_name),
        "sha256": text(upload.sha256),
        "policy": text(policy_text.to_json(upload.policy)),
        "expires_at": number(upload.expires_at),
        "metadata": text(metadata.to_json(upload.metadata)),
        "upload_state": text(upload.state),
        FORGET_AT: number(int(upload.expires_at) + TICKET_KEPT_SECONDS),
    }
    given = {"source_url": upload.source_url, "arrived": upload.arrived, "refused_for": upload.reason}
    return {**item, **{name: text(value) for name, value in given.items() if value is not None}}


def _upload(item: "Item") -> Upload:
    return Upload(
        ticket=read_text(item, "ticket"),
        doc_id=read_text(item, "doc_id"),
        collection=read_text(item, "collection"),
        file_name=read_text(item, "file_name"),
        sha256=read_text(item, "sha256"),
        policy=policy_text.from_json(read_text(item, "policy")),
        expires_at=read_number(item, "expires_at"),
        metadata=metadata.from_json(read_text(item, "metadata")),
        source_url=optional_text(item, "source_url"),
        state=UploadState(read_text(item, "upload_state")),
        arrived=optional_text(item, "arrived"),
        reason=optional_text(item, "refused_for"),
    )
