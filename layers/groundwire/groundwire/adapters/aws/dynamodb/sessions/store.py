"""Sessions of clients that open with a handshake, in a table of their own.

A row's key is its tenant and the digest of its id. `ends_at` decides whether the session is alive; `expires_at` is the
same in whole seconds: the table's time to live deletes the row some time later.
"""

import math
import secrets
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import number, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.stored_items import ItemCodec
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.sessions.key_slots import KeySlots
from groundwire.domain import errors
from groundwire.domain.keys.sessions import STORED_SESSION, session_digest
from groundwire_mcp.definitions.sessions import Session, SessionOwner

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    Values = dict[str, AttributeValueTypeDef]

_ITEMS: Final = ItemCodec(STORED_SESSION)
_ATTRIBUTE_NAMES: Final = {"#user": "user"}
"""Placeholder for `user`, a reserved word of DynamoDB."""


class DynamoSessions:
    """Implements `ports.Sessions`; one request per call, and two more for a new session."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def add(self, session: Session) -> None:
        """Add the session; beyond the number of its key, another one ends.

        Raises:
            Conflict: the id is taken.
        """
        # The client repeats a write whose answer was lost: the condition must accept its own row.
        attempt = text(secrets.token_urlsafe(12))
        try:
            self._table.insert(
                {**_row(session), "attempt": attempt},
                "attribute_not_exists(id) OR attempt = :attempt",
                {":attempt": attempt},
            )
        except ConditionFailed:
            raise errors.Conflict("There is a session of this id already: begin one with another.") from None
        slots = KeySlots(self._table, session.owner.tenant, session.owner.kid)
        slots.take(session_digest(session.id).hex(), session.created_at)

    def get(self, owner: SessionOwner, session_id: str, now: float) -> Session | None:
        """Return the living session, with one strongly consistent read: an ended session must not show again."""
        item = self._table.get(_key(owner.tenant, session_id))
        session = None if item is None else _ITEMS.from_item(item)
        if session is None or session.expires_at <= now or session.owner != owner:
            return None
        return session._replace(id=session_id)

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
            self._table.delete(_key(owner.tenant, session_id), condition, values, _ATTRIBUTE_NAMES)
        except ConditionFailed:
            return False
        return True

    def _set(self, update: str, attributes: "Values", owner: SessionOwner, session_id: str, now: float) -> bool:
        condition, values = _alive_condition(owner, now)
        changed = {**values, **{f":{name}": each for name, each in attributes.items()}}
        try:
            self._table.update(_key(owner.tenant, session_id), update, condition, changed, _ATTRIBUTE_NAMES)
        except ConditionFailed:
            return False
        return True


def _key(tenant: str, session_id: str) -> "Values":
    return {"tenant": text(tenant), "id": text(session_digest(session_id).hex())}


def _alive_condition(owner: SessionOwner, now: float) -> "tuple[str, Values]":
    """Return the condition that the row is the owner's and alive; it is false where there is no row."""
    values = {":kid": text(owner.kid), ":now": number(now)}
    if owner.user is None:
        # `#user = :user` is false where the attribute is missing.
        return "kid = :kid AND ends_at > :now AND attribute_not_exists(#user)", values
    return "kid = :kid AND ends_at > :now AND #user = :user", {**values, ":user": text(owner.user)}


def _row(session: Session) -> "Values":
    return {
        **_ITEMS.to_item(session),
        **_key(session.owner.tenant, session.id),
        **_expiry_attributes(session.expires_at),
    }


def _expiry_attributes(expires_at: float) -> "Values":
    return {"ends_at": number(expires_at), "expires_at": number(math.ceil(expires_at))}
