"""The rows of the table of keys, by what they tell; a tenant's partition lists its keys, so that none is missed.

    id              part        tells
    key#<kid>       key         a key: its digests, its rights, what it has spent
    tenant#<id>     tenant      a tenant, and how much its keys may call together
    tenant#<id>     rate        what the tenant has spent
    tenant#<id>     ingest      who writes the tenant's documents, until when
    tenant#<id>     key#<kid>   that the tenant has this key
    name#<name>     name        whose name this is

An index over the keys would not do: it follows the table with a delay, and a key that was added a moment before its
tenant is deleted would be missed and work on.
"""

from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.dynamodb.client.attributes import read_text, text

if TYPE_CHECKING:
    from types_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from groundwire.adapters.aws.dynamodb.client.attributes import Item

    Row = dict[str, AttributeValueTypeDef]

TENANT_PART: Final = "tenant"
KEY_PREFIX: Final = "key#"


def key_row(kid: str) -> "Row":
    """Where the key itself is."""
    return _row(KEY_PREFIX + kid, "key")


def tenant_row(tenant: str) -> "Row":
    """Where the tenant itself is."""
    return _row(_partition(tenant), TENANT_PART)


def rate_row(tenant: str) -> "Row":
    """Where the tenant's rate is: apart, as it is written by every call of a key that counts there."""
    return _row(_partition(tenant), "rate")


def lease_row(tenant: str) -> "Row":
    """Where it stands who writes the tenant's documents."""
    return _row(_partition(tenant), "ingest")


def member_row(tenant: str, kid: str) -> "Row":
    """What says that the key is the tenant's."""
    return _row(_partition(tenant), KEY_PREFIX + kid)


def name_row(name: str) -> "Row":
    """What says whose name this is."""
    return _row(f"name#{name}", "name")


def member_values(tenant: str) -> "Item":
    """Values for `MEMBERS`."""
    return {":tenant": text(_partition(tenant)), ":keys": text(KEY_PREFIX)}


MEMBER_CONDITION: Final = "id = :tenant AND begins_with(part, :keys)"
"""The condition of a query for the rows that `member_row` names."""


def kid_of(member: "Item") -> str:
    """Whose row it is."""
    return read_text(member, "part").removeprefix(KEY_PREFIX)


def _partition(tenant: str) -> str:
    return f"tenant#{tenant}"


def _row(id_: str, part: str) -> "Row":
    return {"id": text(id_), "part": text(part)}
