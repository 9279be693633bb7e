"""Sign-ins to the page by the identity provider in the table of sessions, one row for each attempt that opened one.

`ends_at` decides whether the sign-in is open. `expires_at`, of the table's time to live, is not before the end of the
attempt, so that the attempt opens no second one.
"""

import math
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import blob, number, read_blob, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.stored_items import ItemCodec
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.domain.keys.forms.provider_session import STORED_TOKEN_IDENTITY

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from groundwire.adapters.aws.dynamodb.client.attributes import Item
    from groundwire.domain.keys.forms.oauth import TokenIdentity
    from groundwire.domain.keys.forms.provider_session import OpenedSession, ProviderSession

_ITEMS: Final = ItemCodec(STORED_TOKEN_IDENTITY)
_PREFIX: Final = "page#"
"""Beginning of the sort key; a session's of MCP is a digest in hexadecimal digits, so the two never meet."""


class DynamoProviderSessions:
    """Implements `ports.ProviderSessions`; one request per call."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    def open(self, opened: "OpenedSession", now: float) -> bool:  # noqa: ARG002 - the table deletes rows by itself
        """Open the session of an attempt, with one conditional write, which a repeat by the client passes again."""
        digest = blob(opened.digest)
        row = {
            **_ITEMS.to_item(opened.identity),
            **_key(opened.identity.tenant, opened.attempt),
            "digest": digest,
            "expires_at": number(math.ceil(opened.kept_until)),
        }
        try:
            self._table.insert(row, "attribute_not_exists(id) OR digest = :digest", {":digest": digest})
        except ConditionFailed:
            return False
        return True

    def find(self, session: "ProviderSession", digest: bytes, now: float) -> "TokenIdentity | None":
        """Return the identity of an open session, with one strongly consistent read: an ended one must not show."""
        item = self._table.get(_key(session.tenant, session.attempt))
        if item is None or read_blob(item, "digest") != digest:
            return None
        identity = _ITEMS.from_item(item)
        return identity if identity.expires_at > now else None

    def end(self, session: "ProviderSession", digest: bytes, now: float) -> bool:
        """End a session with one conditional write; its row stays, so that its attempt opens no other."""
        values = {":digest": blob(digest), ":now": number(now), ":ended": number(0)}
        try:
            self._table.update(
                _key(session.tenant, session.attempt),
                "SET ends_at = :ended",
                "digest = :digest AND ends_at > :now",
                values,
            )
        except ConditionFailed:
            return False
        return True


def _key(tenant: str, attempt: str) -> "Item":
    return {"tenant": text(tenant), "id": text(_PREFIX + attempt)}
