"""The clients that services of AWS are reached by; region, address and credentials as boto3 finds them.

Made by the botocore beneath boto3: they are the same clients, and what boto3 loads beside them for S3 and its resources
would cost each cold start about 40 ms. Each is good for any number of threads.
"""

from functools import cache
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlsplit

from botocore.config import Config
from botocore.session import Session, get_session

if TYPE_CHECKING:
    from types_boto3_bedrock_runtime import BedrockRuntimeClient
    from types_boto3_dynamodb import DynamoDBClient
    from types_boto3_lambda import LambdaClient
    from types_boto3_logs import CloudWatchLogsClient
    from types_boto3_s3 import S3Client
    from types_boto3_secretsmanager import SecretsManagerClient
    from types_boto3_sqs import SQSClient

CONFIG: Final = Config(
    # These services answer in milliseconds: who waits longer waits for a connection that is gone. Three attempts
    # end well within the 8 s of the authorizer unless each runs into its whole read timeout.
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 3},
)

S3_CONFIG: Final = Config(
    # A file of 100 MB takes its time.
    connect_timeout=2,
    read_timeout=30,
    retries={"mode": "standard", "total_max_attempts": 3},
    signature_version="s3v4",
    # Otherwise botocore signs addresses for the global host. It redirects for hours after a bucket is made, to a host
    # for which the signature is wrong; for a bucket in a Region of 2019 or later it answers 400.
    s3={"addressing_style": "virtual"},
)

_PATH_STYLE: Final = S3_CONFIG.merge(Config(s3={"addressing_style": "path"}))
_AWS_DOMAINS: Final = (".amazonaws.com", ".amazonaws.com.cn")


def dynamodb() -> "DynamoDBClient":
    """Of the tables."""
    return cast("DynamoDBClient", _client("dynamodb"))


def logs() -> "CloudWatchLogsClient":
    """Of the audit log."""
    return cast("CloudWatchLogsClient", _client("logs"))


def secrets_manager() -> "SecretsManagerClient":
    """Of the deployment's secret."""
    return cast("SecretsManagerClient", _client("secretsmanager"))


def s3() -> "S3Client":
    """Make the client of the bucket, whose presigned addresses name the bucket's Region.

    Where another endpoint is configured, such as an emulator's, the bucket stays in the path: `<bucket>.localhost` and
    its like resolve nowhere.
    """
    client = cast("S3Client", _client("s3", S3_CONFIG))
    host = urlsplit(client.meta.endpoint_url).hostname or ""
    return client if host.endswith(_AWS_DOMAINS) else cast("S3Client", _client("s3", _PATH_STYLE))


def sqs() -> "SQSClient":
    """Of the queues."""
    return cast("SQSClient", _client("sqs"))


def lambda_functions(read_timeout_s: float) -> "LambdaClient":
    """Of other functions, each of which takes as long as its work; who calls one decides about a second attempt."""
    return cast("LambdaClient", _client("lambda", _without_retries(read_timeout_s)))


def bedrock(read_timeout_s: float) -> "BedrockRuntimeClient":
    """Of models that AWS runs; as `functions`."""
    return cast("BedrockRuntimeClient", _client("bedrock-runtime", _without_retries(read_timeout_s)))


def _without_retries(read_timeout_s: float) -> Config:
    return Config(connect_timeout=1, read_timeout=read_timeout_s, retries={"mode": "standard", "total_max_attempts": 1})


def _client(service: str, config: Config = CONFIG) -> object:
    return _session().create_client(service, config=config)  # pyright: ignore[reportUnknownMemberType] - its clients have no types


@cache
def _session() -> Session:
    """One, as each reads the same descriptions of services from disk."""
    return get_session()
