"""Sessions of clients that open with a handshake, in a table of their own.

A row's key is its tenant and the digest of its id. `ends_at` decides whether the session is alive; `expires_at` is the
same in whole seconds: the table's time to live deletes the row some time later.
"""

import math
import secrets
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import number, optional_text, read_number, read_text, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed, translated_errors
from groundwire.domain import errors
from groundwire.domain.keys.sessions import Session, SessionOwner, session_digest

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

    Values = dict[str, AttributeValueTypeDef]

_ATTRIBUTE_NAMES: Final = {"#user": "user"}
"""Placeholder for `user`, a reserved word of DynamoDB."""


class DynamoSessions:
    """Implements `ports.Sessions`; one request per call."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def add(self, session: Session) -> None:
        """Add the session.

        Raises:
            Conflict: the id is taken.
        """
        # The client repeats a write whose answer was lost: the condition must accept its own row.
        attempt = text(secrets.token_urlsafe(12))
        try:
            with translated_errors(self._table):
                self._client.put_item(
                    TableName=self._table,
                    Item={**_row(session), "attempt": attempt},
                    ConditionExpression="attribute_not_exists(id) OR attempt = :attempt",
                    ExpressionAttributeValues={":attempt": attempt},
                )
        except ConditionFailed:
            raise errors.Conflict("There is a session of this id already: begin one with another.") from None

    def get(self, owner: SessionOwner, session_id: str, now: float) -> Session | None:
        """Return the living session, with one strongly consistent read: an ended session must not show again."""
        with translated_errors(self._table):
            found = self._client.get_item(
                TableName=self._table, Key=_key(owner.tenant, session_id), ConsistentRead=True
            )
        item = found.get("Item")
        if item is None or read_number(item, "ends_at") <= now or _owner(item) != owner:
            return None
        return _session(item, owner, session_id)

    def extend(self, owner: SessionOwner, session_id: str, now: float, expires_at: float) -> bool:
        """Extend the session with one conditional write; a deleted row stays deleted."""
        return self._set(
            "SET ends_at = :ends_at, expires_at = :expires_at", _expiry_attributes(expires_at), owner, session_id, now
        )

    def set_log_level(self, owner: SessionOwner, session_id: str, now: float, level: str) -> bool:
        """Set the log level with one conditional write; a deleted row stays deleted."""
        return self._set("SET log_level = :log_level", {"log_level": text(level)}, owner, session_id, now)

    def end(self, owner: SessionOwner, session_id: str, now: float) -> bool:
        """End the session with one conditional deletion."""
        condition, values = _alive_condition(owner, now)
        try:
            with translated_errors(self._table):
                self._client.delete_item(
                    TableName=self._table,
                    Key=_key(owner.tenant, session_id),
                    ConditionExpression=condition,
                    ExpressionAttributeNames=_ATTRIBUTE_NAMES,
                    ExpressionAttributeValues=values,
                )
        except ConditionFailed:
            return False
        return True

    def _set(self, update: str, attributes: "Values", owner: SessionOwner, session_id: str, now: float) -> bool:
        condition, values = _alive_condition(owner, now)
        try:
            with translated_errors(self._table):
                self._client.update_item(
                    TableName=self._table,
                    Key=_key(owner.tenant, session_id),
                    UpdateExpression=update,
                    ConditionExpression=condition,
                    ExpressionAttributeNames=_ATTRIBUTE_NAMES,
                    ExpressionAttributeValues={**values, **{f":{name}": each for name, each in attributes.items()}},
                )
        except ConditionFailed:
            return False
        return True


def _key(tenant: str, session_id: str) -> "Values":
    return {"tenant": text(tenant), "id": text(session_digest(session_id).hex())}


def _alive_condition(owner: SessionOwner, now: float) -> "tuple[str, Values]":
    """Return the condition that the row is the owner's and alive; it is false where there is no row."""
    values = {":kid": text(owner.kid), ":now": number(now)}
    if owner.user is None:
        return "kid = :kid AND ends_at > :now AND attribute_not_exists(#user)", values
    return "kid = :kid AND ends_at > :now AND #user = :user", {**values, ":user": text(owner.user)}


def _row(session: Session) -> "Values":
    owner = session.owner
    attributes = {
        "kid": owner.kid,
        "user": owner.user,
        "protocol_version": session.protocol_version,
        "client_name": session.client_name,
        "client_version": session.client_version,
        "log_level": session.log_level,
    }
    return {
        **_key(owner.tenant, session.id),
        **{name: text(value) for name, value in attributes.items() if value is not None},
        "created_at": number(session.created_at),
        **_expiry_attributes(session.expires_at),
    }


def _expiry_attributes(expires_at: float) -> "Values":
    return {"ends_at": number(expires_at), "expires_at": number(math.ceil(expires_at))}


def _owner(item: "Item") -> SessionOwner:
    return SessionOwner(read_text(item, "tenant"), read_text(item, "kid"), optional_text(item, "user"))


def _session(item: "Item", owner: SessionOwner, session_id: str) -> Session:
    return Session(
        id=session_id,
        owner=owner,
        protocol_version=read_text(item, "protocol_version"),
        client_name=read_text(item, "client_name"),
        client_version=read_text(item, "client_version"),
        log_level=optional_text(item, "log_level"),
        created_at=read_number(item, "created_at"),
        expires_at=read_number(item, "ends_at"),
    )
