"""The tables of template.yaml, made for a test: what is tested is what is deployed."""

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from groundwire.entry.gateway import cloudformation

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

_TEMPLATE: Final = Path(__file__).parents[2] / "template.yaml"
_TAKEN: Final = ("AttributeDefinitions", "KeySchema", "GlobalSecondaryIndexes", "BillingMode")
"""What of a table decides how it behaves; recovery and encryption are for the account alone."""


def create(client: "DynamoDBClient") -> Mapping[str, str]:
    """Every table of the template, empty, under names of its own; by logical id, such as "SessionsTable"."""
    prefix = f"test-{secrets.token_hex(6)}-"
    return {logical_id: _made(client, prefix + logical_id, table) for logical_id, table in _declared().items()}


def _declared() -> dict[str, dict[str, Any]]:
    resources = cast("dict[str, dict[str, Any]]", cloudformation.load(_TEMPLATE)["Resources"])
    return {
        logical_id: resource["Properties"]
        for logical_id, resource in resources.items()
        if resource["Type"] == "AWS::DynamoDB::Table"
    }


def _made(client: "DynamoDBClient", name: str, table: Mapping[str, Any]) -> str:
    client.create_table(TableName=name, **{key: table[key] for key in _TAKEN if key in table})
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
    if "TimeToLiveSpecification" in table:
        client.update_time_to_live(TableName=name, TimeToLiveSpecification=table["TimeToLiveSpecification"])
    return name
