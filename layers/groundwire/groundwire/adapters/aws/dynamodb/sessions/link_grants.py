"""Grants of short links in the table of sessions, sealed, one row per grant."""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import number, read_integer, read_text, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

_ROW_ID: Final = "grant"
_IS_FREE: Final = "attribute_not_exists(id) OR sealed = :sealed OR expires_at <= :now"


class DynamoLinkGrants:
    """Implements `ports.LinkGrants`; the table's time to live deletes a row some time after its end.

    A link has no room for its tenant, so the partition is the handle's own. The row of a deleted tenant ends by itself:
    nobody can read it without the sealing key, and its key no longer opens anything.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._table = DynamoTable(client, table)

    # The tenant is not stored in clear: it would be of no use here, and the sealed grant names it.
    def add(self, tenant: str, handle: int, sealed: str, now: float, expires_at: int) -> bool:  # noqa: ARG002
        """Add the grant with one conditional write, which a repeat with an unknown answer does not change."""
        row = {**_key(handle), "sealed": text(sealed), "expires_at": number(expires_at)}
        try:
            self._table.insert(row, _IS_FREE, {":sealed": text(sealed), ":now": number(now)})
        except ConditionFailed:
            return False
        return True

    def get(self, handle: int, now: float) -> str | None:
        """Return the grant, with one strongly consistent read: a link may be opened a moment after it was made."""
        item = self._table.get(_key(handle))
        if item is None or read_integer(item, "expires_at") <= now:
            return None
        return read_text(item, "sealed")


def _key(handle: int) -> "Item":
    # No tenant's id begins so.
    return {"tenant": text(f"link#{handle:012x}"), "id": text(_ROW_ID)}
