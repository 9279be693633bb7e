"""Row keys of the table of keys; a tenant's partition lists its keys, so that none is missed.

    id              part        content
    key#<kid>       key         a key: its digests, its permissions, its rate
    tenant#<id>     tenant      a tenant, and the sums of its keys' rates
    tenant#<id>     rate        the tenant's rate
    tenant#<id>     ingest      the ingest lease: who writes the tenant's documents, until when
    tenant#<id>     key#<kid>   membership: the tenant has this key
    name#<name>     name        the owner of this name

A secondary index over the keys would not do: it follows the table with a delay. It would miss a key that was added just
before its tenant is deleted, and that key would stay valid.
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
    """Return the row key of the key itself."""
    return _row(KEY_PREFIX + kid, "key")


def tenant_row(tenant: str) -> "Row":
    """Return the row key of the tenant itself."""
    return _row(_partition(tenant), TENANT_PART)


def rate_row(tenant: str) -> "Row":
    """Return the row key of the tenant's rate, separate because every counted call writes it."""
    return _row(_partition(tenant), "rate")


def lease_row(tenant: str) -> "Row":
    """Return the row key of the tenant's ingest lease."""
    return _row(_partition(tenant), "ingest")


def member_row(tenant: str, kid: str) -> "Row":
    """Return the row key of the key's membership in its tenant."""
    return _row(_partition(tenant), KEY_PREFIX + kid)


def name_row(name: str) -> "Row":
    """Return the row key of a tenant's name."""
    return _row(f"name#{name}", "name")


def member_values(tenant: str) -> "Item":
    """Return the values for `MEMBER_CONDITION`."""
    return {":tenant": text(_partition(tenant)), ":keys": text(KEY_PREFIX)}


MEMBER_CONDITION: Final = "id = :tenant AND begins_with(part, :keys)"
"""Condition of a query for the rows of `member_row`."""


def kid_of(member: "Item") -> str:
    """Return the key id of a membership row."""
    return read_text(member, "part").removeprefix(KEY_PREFIX)


def _partition(tenant: str) -> str:
    return f"tenant#{tenant}"


def _row(id_: str, part: str) -> "Row":
    return {"id": text(id_), "part": text(part)}
