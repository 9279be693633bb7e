"""Clients of AWS services; boto3 finds region, endpoint and credentials.

botocore makes the same clients as boto3. What boto3 loads on top of it, for S3 and its resource API, would cost each
cold start about 40 ms. Every client may be shared between threads.
"""

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlsplit

from botocore.config import Config
from botocore.loaders import Loader
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
    # These services answer in milliseconds: a longer wait means a dead connection. Three attempts end well within the 8
    # s of the authorizer unless each runs into its whole read timeout.
    connect_timeout=1,
    read_timeout=3,
    retries={"mode": "standard", "total_max_attempts": 3},
)

S3_CONFIG: Final = Config(
    # A transfer of 100 MB takes longer.
    connect_timeout=2,
    read_timeout=30,
    retries={"mode": "standard", "total_max_attempts": 3},
    signature_version="s3v4",
    # Without these options botocore signs addresses for the global host, in us-east-1 even with the first. That host
    # redirects for hours after a bucket is created, to a host for which the signature is wrong; for a bucket in a
    # Region of 2019 or later it answers 400. The closed network of the parser looks up the regional host alone.
    s3={"addressing_style": "virtual", "us_east_1_regional_endpoint": "regional"},
)

_PATH_STYLE: Final = S3_CONFIG.merge(Config(s3={"addressing_style": "path"}))
_AWS_DOMAINS: Final = (".amazonaws.com", ".amazonaws.com.cn")


def dynamodb() -> "DynamoDBClient":
    """Make the client of the tables."""
    return cast("DynamoDBClient", _client("dynamodb"))


def logs() -> "CloudWatchLogsClient":
    """Make the client of the audit log."""
    return cast("CloudWatchLogsClient", _client("logs"))


def secrets_manager() -> "SecretsManagerClient":
    """Make the client of the deployment's secret."""
    return cast("SecretsManagerClient", _client("secretsmanager"))


def s3() -> "S3Client":
    """Make the client of the bucket, whose presigned addresses name the bucket's Region.

    With another endpoint, such as an emulator's, the bucket stays in the path: `<bucket>.localhost` and similar hosts
    do not resolve.
    """
    client = cast("S3Client", _client("s3", S3_CONFIG))
    host = urlsplit(client.meta.endpoint_url).hostname or ""
    return client if host.endswith(_AWS_DOMAINS) else cast("S3Client", _client("s3", _PATH_STYLE))


def sqs() -> "SQSClient":
    """Make the client of the queues."""
    return cast("SQSClient", _client("sqs"))


def lambda_functions(read_timeout_s: float) -> "LambdaClient":
    """Make the client of other functions; it never retries, because the caller decides about a second attempt."""
    return cast("LambdaClient", _client("lambda", _without_retries(read_timeout_s)))


def bedrock(read_timeout_s: float) -> "BedrockRuntimeClient":
    """Make the client of Bedrock models; it never retries, as in `lambda_functions`."""
    return cast("BedrockRuntimeClient", _client("bedrock-runtime", _without_retries(read_timeout_s)))


def _without_retries(read_timeout_s: float) -> Config:
    return Config(connect_timeout=1, read_timeout=read_timeout_s, retries={"mode": "standard", "total_max_attempts": 1})


def _client(service: str, config: Config = CONFIG) -> object:
    return _session().create_client(service, config=config)  # pyright: ignore[reportUnknownMemberType] - its clients have no types


class ServiceDescriptions(Loader):
    """Loader of botocore's files about services; a client loads those of its service.

    To find out whether a service exists, botocore's loader looks into each of its 440 folders, twice per cold start:
    27 of the 68 ms that the client of DynamoDB takes. The names of the folders say the same.
    """

    def list_available_services(self, type_name: str) -> list[str]:  # noqa: ARG002 - a folder has all types
        """Return the names of the services, sorted."""
        folders = filter(Path.is_dir, map(Path, self.search_paths))
        return sorted({service.name for folder in folders for service in folder.iterdir()})


@cache
def _session() -> Session:
    """Return the one botocore session, because each session reads the same service descriptions from disk."""
    session = get_session()
    paths: str | None = session.get_config_variable("data_path")
    others = [str(Path(path).expanduser()) for path in paths.split(os.pathsep)] if paths else None
    session.register_component("data_loader", ServiceDescriptions(extra_search_paths=others))
    return session
