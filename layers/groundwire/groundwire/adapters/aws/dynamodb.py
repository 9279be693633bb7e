"""The client that every table is reached by."""

from typing import TYPE_CHECKING, Final

import boto3
from botocore.config import Config

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

CONFIG: Final = Config(
    # DynamoDB answers in milliseconds: who waits longer waits for a connection that is gone. Three attempts end
    # well within the 8 s of the authorizer unless each runs into its whole read timeout.
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 3},
)


def client() -> "DynamoDBClient":
    """A client, good for any number of threads; region, address and credentials as boto3 finds them."""
    return boto3.Session().client("dynamodb", config=CONFIG)  # pyright: ignore[reportUnknownMemberType] - other services have no types
