"""The clients that services of AWS are reached by; region, address and credentials as boto3 finds them.

Made by the botocore beneath boto3: they are the same clients, and what boto3 loads beside them for S3 and its resources
would cost each cold start about 40 ms. Each is good for any number of threads.
"""

from functools import cache
from typing import TYPE_CHECKING, Final, cast

from botocore.config import Config
from botocore.session import Session, get_session

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_logs import CloudWatchLogsClient
    from types_boto3_secretsmanager import SecretsManagerClient
    from types_boto3_sqs import SQSClient

CONFIG: Final = Config(
    # These services answer in milliseconds: who waits longer waits for a connection that is gone. Three attempts
    # end well within the 8 s of the authorizer unless each runs into its whole read timeout.
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 3},
)


def dynamodb() -> "DynamoDBClient":
    """Of the tables."""
    return cast("DynamoDBClient", _client("dynamodb"))


def logs() -> "CloudWatchLogsClient":
    """Of the audit log."""
    return cast("CloudWatchLogsClient", _client("logs"))


def secrets_manager() -> "SecretsManagerClient":
    """Of the deployment's secret."""
    return cast("SecretsManagerClient", _client("secretsmanager"))


def sqs() -> "SQSClient":
    """Of the queues."""
    return cast("SQSClient", _client("sqs"))


def _client(service: str) -> object:
    return _session().create_client(service, config=CONFIG)  # pyright: ignore[reportUnknownMemberType] - its clients have no types


@cache
def _session() -> Session:
    """One, as each reads the same descriptions of services from disk."""
    return get_session()
