"""Attributes of earlier releases by which they decide which keys count towards the tenant-wide rate limit.

Every call is counted on the tenant's rate row, whatever these attributes hold: `apart`, `turning` or `together`. A
release before that one counts only the calls of marked keys. So that a stack may return to it, each new key is marked,
a tenant's sums over its keys are kept, and a new tenant has `together`: all of its keys are marked.
"""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import flag, number, text
from groundwire.adapters.aws.dynamodb.client.table import DynamoTable
from groundwire.adapters.aws.dynamodb.keys.row_keys import tenant_row
from groundwire.domain.keys.api_key import ApiKey

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import UpdateTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

COUNTED_KEY: Final["Item"] = {"tenant_counts": flag(True)}
"""Attributes of a key whose calls count towards its tenant's limit."""
COUNTED_TENANT: Final["Item"] = {
    "keys_rate": number(0),
    "keys_burst": number(0),
    "counting": text("together"),
}
"""Attributes of a new tenant, all of whose keys are counted."""
SUSPENDED_AT: Final = "suspended_at"
"""Attribute of the rate row of a suspended tenant: each call writes that row, so its condition costs no read."""
_ADD_KEY: Final = "ADD keys_rate :rate, keys_burst :burst"
_TENANT_IS_OPEN: Final = "attribute_exists(id) AND attribute_not_exists(closing)"


def add_key_request(table: DynamoTable, key: ApiKey) -> "UpdateTypeDef":
    """Build the transaction part that adds the key to its tenant's sums; the tenant must not be closing."""
    values = {":rate": number(key.rate_per_minute), ":burst": number(key.burst)}
    return table.update_request(tenant_row(key.tenant), _ADD_KEY, _TENANT_IS_OPEN, values)


def add_rate_request(table: DynamoTable, before: ApiKey, after: ApiKey) -> "UpdateTypeDef":
    """Build the transaction part that adds the change of a key's rate to its tenant's sums."""
    values = {
        ":rate": number(after.rate_per_minute - before.rate_per_minute),
        ":burst": number(after.burst - before.burst),
    }
    return table.update_request(tenant_row(after.tenant), _ADD_KEY, _TENANT_IS_OPEN, values)
