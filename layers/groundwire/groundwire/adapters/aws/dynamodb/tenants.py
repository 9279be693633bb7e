"""Tenants in DynamoDB, for the operator."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import flag, number, read_text, text
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed
from groundwire.adapters.aws.dynamodb.client.retry import retry_on_conflict
from groundwire.adapters.aws.dynamodb.client.stored_items import ItemCodec
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.keys.rate import initial_rate
from groundwire.adapters.aws.dynamodb.keys.row_keys import TENANT_PART, name_row, rate_row, tenant_row
from groundwire.adapters.aws.dynamodb.keys.tenant_rate import COUNTED_TENANT, SUSPENDED_AT
from groundwire.adapters.aws.dynamodb.tenant_erasure import erase_tenant_rows
from groundwire.domain import errors
from groundwire.domain.keys.tenant import STORED_TENANT, Tenant, folded_name

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item


@dataclass(frozen=True, slots=True)
class TenantTables:
    """Names of all tables with rows of tenants."""

    keys: str
    users: str
    documents: str
    sessions: str


class DynamoTenants:
    """Implements `ports.Tenants`."""

    def __init__(self, client: "DynamoDBClient", tables: TenantTables) -> None:
        self._keys = DynamoTable(client, tables.keys)
        self._users = DynamoTable(client, tables.users)
        self._documents = DynamoTable(client, tables.documents)
        self._sessions = DynamoTable(client, tables.sessions)

    def add(self, tenant: Tenant) -> None:
        """Add the tenant.

        Raises:
            Conflict: the name, in any letter case, or the id is taken.
        """
        rate: dict[str, AttributeValueTypeDef] = {
            **rate_row(tenant.tenant),
            **initial_rate(tenant.rate_per_minute, tenant.burst),
        }
        names: list[Item] = [{**name_row(name), "owner": text(tenant.tenant)} for name in _names(tenant.name)]
        try:
            rows = (_item(tenant), rate, *names)
            self._keys.transact([{"Put": self._keys.insert_request(row, "id")} for row in rows])
        except ConditionFailed as failed:
            raise errors.Conflict(f"There is a tenant named {tenant.name!r} already: choose another name.") from failed

    def get(self, tenant: str) -> Tenant | None:
        """Return the tenant of this id, or None."""
        item = self._keys.get(tenant_row(tenant))
        return None if item is None else _ITEMS.from_item(item)

    def all(self) -> list[Tenant]:
        """Return the tenants by name; reads the whole table: only the operator calls it, and an index would lag."""
        found = self._keys.scan("part = :part", {":part": text(TENANT_PART)})
        return sorted(map(_ITEMS.from_item, found), key=lambda tenant: tenant.name)

    def set_rate(self, tenant: str, rate_per_minute: int, burst: int) -> None:
        """Set the limit over all keys of the tenant.

        Raises:
            NotFound: there is no such tenant.
        """
        # As of a new tenant: what was spent counts in steps of the former rate.
        rate = initial_rate(rate_per_minute, burst)
        self._change(
            tenant,
            "SET rate_per_minute = :rate, burst = :burst",
            {":rate": number(rate_per_minute), ":burst": number(burst)},
            "SET tat = :tat, step = :step, tolerance = :tolerance",
            {f":{name}": value for name, value in rate.items()},
        )

    def set_suspension(self, tenant: str, since: float | None) -> None:
        """Suspend the tenant, or end its suspension, on its row and on the one that each call writes.

        Raises:
            NotFound: there is no such tenant.
        """
        change = f"REMOVE {SUSPENDED_AT}" if since is None else f"SET {SUSPENDED_AT} = :since"
        values: Item = {} if since is None else {":since": number(since)}
        self._change(tenant, change, values, change, values)

    def mark_deleting(self, tenant: str) -> None:
        """Mark the tenant as closing: no key is added and no ingestion starts from now on.

        Raises:
            NotFound: there is no such tenant.
        """
        if retry_on_conflict(lambda: self._mark_deleting(tenant)) is None:
            raise errors.NotFound("There is no such tenant.", "tenant")

    def delete(self, tenant: str) -> Mapping[str, int]:
        """Delete the tenant and all its rows.

        Returns counts of keys, users, collections, documents and sessions, tombstones included; all 0 for an unknown
        tenant. The tenant's own row is deleted last, with its name: until then the deletion can be repeated.
        """
        item = retry_on_conflict(lambda: self._mark_deleting(tenant))
        counts = erase_tenant_rows(tenant, self._keys, self._users, self._documents, self._sessions)
        if item is not None:
            name, *folded = _names(read_text(item, "name"))
            for other in folded:
                # A tenant of an earlier release has no such row; it may be the name of another one.
                with suppress(ConditionFailed):
                    self._keys.delete(name_row(other), "#owner = :tenant", {":tenant": text(tenant)}, _OWNER)
            rows = (name_row(name), tenant_row(tenant))
            self._keys.transact([{"Delete": {"TableName": self._keys.name, "Key": row}} for row in rows])
        return counts

    def _change(self, tenant: str, change: str, values: "Item", rate_change: str, rate_values: "Item") -> None:
        """Change the tenant's row and its rate row at once.

        Raises:
            NotFound: there is no such tenant.
        """
        requests = (
            self._keys.update_request(tenant_row(tenant), change, "attribute_exists(id)", values),
            self._keys.update_request(rate_row(tenant), rate_change, "attribute_exists(id)", rate_values),
        )
        try:
            self._keys.transact([{"Update": request} for request in requests])
        except ConditionFailed as failed:
            raise errors.NotFound("There is no such tenant.", "tenant") from failed

    def _mark_deleting(self, tenant: str) -> "Item | None":
        """Mark the tenant as closing, so that no key is added; None when there is no such tenant."""
        try:
            return self._keys.update(tenant_row(tenant), "SET closing = :yes", "attribute_exists(id)", _YES)
        except ConditionFailed:
            return None


_ITEMS: Final = ItemCodec(STORED_TENANT)
_OWNER: Final = {"#owner": "owner"}
_YES: Final = {":yes": flag(True)}


def _names(name: str) -> list[str]:
    """Return the name and, where it is another, the form in which names are compared."""
    return list(dict.fromkeys((name, folded_name(name))))


def _item(tenant: Tenant) -> "Item":
    return {
        **tenant_row(tenant.tenant),
        **_ITEMS.to_item(tenant),
        **COUNTED_TENANT,
    }
