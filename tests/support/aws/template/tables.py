"""The tables of template.yaml, made for a test: what is tested is what is deployed."""

import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from groundwire.entry.gateway import cloudformation

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

_TEMPLATE: Final = Path(__file__).parents[4] / "template.yaml"
_TAKEN: Final = ("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "BillingMode")
"""What of a table decides how it behaves; recovery and encryption are for the account alone."""


def create(client: "DynamoDBClient", only: Collection[str] | None = None) -> Mapping[str, str]:
    """The tables of the template, empty, under names of their own; by logical id, such as "SessionsTable".

    Args:
        client: of the place where they shall be.
        only: logical ids, where a test needs no more; None: every one.
    """
    prefix = f"test-{secrets.token_hex(6)}-"
    declared = _declared()
    return {name: _made(client, prefix + name, declared[name]) for name in (declared if only is None else only)}


@cache
def _declared() -> dict[str, dict[str, Any]]:
    resources = cast("dict[str, dict[str, Any]]", cloudformation.load_template(_TEMPLATE)["Resources"])
    return {
        logical_id: resource["Properties"]
        for logical_id, resource in resources.items()
        if resource["Type"] == "AWS::DynamoDB::Table"
    }


def _made(client: "DynamoDBClient", name: str, table: Mapping[str, Any]) -> str:
    # A name of its own can be in use only by an attempt of this very request whose answer was late.
    made = None
    with suppress(client.exceptions.ResourceInUseException):
        made = client.create_table(TableName=name, **{key: table[key] for key in _TAKEN if key in table})
    # Both engines of one machine answer with a table that is there already.
    if made is None or made["TableDescription"].get("TableStatus") != "ACTIVE":
        client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
    if "TimeToLiveSpecification" in table:
        client.update_time_to_live(TableName=name, TimeToLiveSpecification=table["TimeToLiveSpecification"])
    return name
