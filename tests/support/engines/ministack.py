"""MiniStack: an AWS account on this machine that accepts the unchanged template and runs its functions."""

import os
import subprocess
import sys
from collections.abc import Collection, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import TYPE_CHECKING, Any, Final

import boto3
from botocore.config import Config

from tests.support.aws.kernel.lambda_kernel import under_lambda_kernel
from tests.support.engines.installers.python_environments import environment
from tests.support.engines.missing import Absent

if TYPE_CHECKING:
    from types_boto3_cloudformation import CloudFormationClient
    from types_boto3_lambda import LambdaClient
    from types_boto3_logs import CloudWatchLogsClient
    from types_boto3_s3 import S3Client
    from types_boto3_secretsmanager import SecretsManagerClient
    from types_boto3_sqs import SQSClient

REGION: Final = "eu-central-1"
ACCOUNT: Final = "123456789012"
_PROGRAM: Final = Path(__file__).with_name("ministack_server.py")
_SERVICES: Final = (
    *(
        "apigateway",
        "cloudformation",
        "dynamodb",
        "events",
        "iam",
        "kms",
        "lambda",
        "lambda-core",
        "logs",
        "monitoring",
    ),
    *("s3", "scheduler", "secretsmanager", "sns", "sqs", "ssm", "sts", "tagging"),
)
_SETTINGS: Final = {
    "SERVICES": ",".join(_SERVICES),
    "MINISTACK_REGION": REGION,
    "MINISTACK_ACCOUNT_ID": ACCOUNT,
    # Listeners beside the one that is asked for.
    "IOT_MTLS_ENABLED": "0",
    "SFTP_ENABLED": "0",
    "LAMBDA_EXECUTOR": "local",
    # Functions may do what their roles allow and nothing else.
    "AUTH": "true",
}
_START_S: Final = 60
_STOP_S: Final = 20
_TIMEOUTS: Final = Config(connect_timeout=5, read_timeout=120, retries={"total_max_attempts": 1})


@dataclass(frozen=True, slots=True)
class Account:
    """Where its services are.

    Attributes:
        url: of every service.
        log: what the emulator writes.
    """

    url: str
    log: Path

    @property
    def port(self) -> int:
        """Of 127.0.0.1."""
        return int(self.url.rpartition(":")[2])

    @property
    def credentials(self) -> dict[str, str]:
        """The environment in which a process finds the account, as its owner."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": ACCOUNT,
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
        }

    @property
    def cloudformation(self) -> "CloudFormationClient":
        """Of its stacks, as its owner."""
        return _session().client("cloudformation", endpoint_url=self.url, config=_TIMEOUTS)

    @property
    def functions(self) -> "LambdaClient":
        """Of its functions, as its owner."""
        return _session().client("lambda", endpoint_url=self.url, config=_TIMEOUTS)

    @property
    def iam(self) -> Any:
        """Of its roles, as its owner; no types of it are installed."""
        return _session().client("iam", endpoint_url=self.url, config=_TIMEOUTS)  # pyright: ignore[reportUnknownMemberType]

    @property
    def s3(self) -> "S3Client":
        """Of its buckets, as its owner."""
        return _session().client("s3", endpoint_url=self.url, config=_TIMEOUTS)

    @property
    def secrets(self) -> "SecretsManagerClient":
        """Of its secrets, as its owner."""
        return _session().client("secretsmanager", endpoint_url=self.url, config=_TIMEOUTS)

    @property
    def logs(self) -> "CloudWatchLogsClient":
        """Client of its log groups, as its owner."""
        return _session().client("logs", endpoint_url=self.url, config=_TIMEOUTS)

    @property
    def sqs(self) -> "SQSClient":
        """Of its queues, as its owner."""
        return _session().client("sqs", endpoint_url=self.url, config=_TIMEOUTS)


@contextmanager
def running(
    variables: Mapping[str, str] | None = None, *, on_lambda_kernel: bool = True, excused: Collection[str] = ()
) -> Generator[Account]:
    """An empty account for as long as the block; `variables` come to the emulator's own and so to every function.

    Args:
        variables: more of the emulator's environment.
        on_lambda_kernel: functions may confine themselves no further, as in Lambda.
        excused: rules of AWS's refusals that a stack may break here.

    Raises:
        Absent: MiniStack cannot be had here.
    """
    with TemporaryDirectory(prefix="groundwire-ministack-") as made:
        log = Path(made) / "log.txt"
        settings = {**_SETTINGS, **(variables or {}), "TMPDIR": made, "PATH": os.environ["PATH"]}
        process = _started(settings, log, under_lambda_kernel() if on_lambda_kernel else (), excused)
        try:
            yield Account(f"http://127.0.0.1:{_port(process, log)}", log)
        finally:
            process.communicate(timeout=_STOP_S)


@cache
def _session() -> boto3.Session:
    """Who may do everything: the emulator takes the id of a key for the account."""
    return boto3.Session(aws_access_key_id=ACCOUNT, aws_secret_access_key="local", region_name=REGION)


def _started(
    variables: Mapping[str, str], log: Path, launcher: Iterable[str], excused: Iterable[str]
) -> subprocess.Popen[str]:
    # Without the program's folder on its path: this very module has the name of the package. The functions that it
    # starts inherit the kernel of Lambda.
    command = [*launcher, environment("ministack") / "python", "-P", _PROGRAM, sys.executable, " ".join(excused)]
    with log.open("w", encoding="utf-8") as output:
        return subprocess.Popen(
            command, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=output, text=True
        )


def _port(process: subprocess.Popen[str], log: Path) -> int:
    assert process.stdout is not None
    impatience = Timer(_START_S, process.kill)
    impatience.start()
    try:
        word, _, number = process.stdout.readline().partition(" ")
    finally:
        impatience.cancel()
    if word != "port":
        raise Absent(f"MiniStack ended before it listened: {log.read_text(encoding='utf-8')[-500:]}")
    return int(number)
