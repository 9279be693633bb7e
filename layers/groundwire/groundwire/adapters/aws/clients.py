"""The clients that services of AWS are reached by; region, address and credentials as boto3 finds them.

Each is good for any number of threads.
"""

from functools import cache
from typing import TYPE_CHECKING, Final

import boto3
from botocore.config import Config

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_logs import CloudWatchLogsClient
    from types_boto3_secretsmanager import SecretsManagerClient

CONFIG: Final = Config(
    # These services answer in milliseconds: who waits longer waits for a connection that is gone. Three attempts
    # end well within the 8 s of the authorizer unless each runs into its whole read timeout.
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 3},
)


def dynamodb() -> "DynamoDBClient":
    """Of the tables."""
    return _session().client("dynamodb", config=CONFIG)  # pyright: ignore[reportUnknownMemberType] - other services have no types


def logs() -> "CloudWatchLogsClient":
    """Of the audit log."""
    return _session().client("logs", config=CONFIG)  # pyright: ignore[reportUnknownMemberType] - other services have no types


def secrets_manager() -> "SecretsManagerClient":
    """Of the deployment's secret."""
    return _session().client("secretsmanager", config=CONFIG)  # pyright: ignore[reportUnknownMemberType] - other services have no types


@cache
def _session() -> boto3.Session:
    """One, as each reads the same descriptions of services from disk."""
    return boto3.Session()
