"""DynamoDB Local: AWS's own DynamoDB for one machine, in memory, for races and conditions."""

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Final

import boto3

from groundwire.adapters.aws.clients import CONFIG
from tests.support.engines.installers.maven import libraries
from tests.support.engines.missing import Absent

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

_START_S: Final = 60
_STOP_S: Final = 10
_LAUNCHER: Final = Path(__file__).with_name("Loopback.java")


@contextmanager
def running() -> Generator[str]:
    """The address of a server that runs for as long as the block: that of DYNAMODB_URL, else one of its own.

    Raises:
        Absent: DynamoDB Local cannot be had here.
    """
    given = os.environ.get("DYNAMODB_URL")
    if given:
        yield given
        return
    with _started() as process:
        try:
            yield f"http://127.0.0.1:{_port(process)}"
        finally:
            process.communicate(timeout=_STOP_S)


@cache
def client(url: str | None) -> "DynamoDBClient":
    """A client such as the product's, but for address and credentials; without an address it is moto's to answer.

    Each takes a second to make and serves any number of threads, so one is made per address.
    """
    return boto3.Session().client(
        "dynamodb",
        endpoint_url=url,
        region_name="eu-central-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
        config=CONFIG,
    )


def _started() -> subprocess.Popen[str]:
    java = shutil.which("java")
    if java is None:
        raise Absent("DynamoDB Local needs Java 17 or newer: install it (Debian: apt install default-jdk-headless).")
    folder = libraries("com.amazonaws", "DynamoDBLocal", "2.6.1")
    # The port is the launcher's choice, yet the command insists on one.
    command = [
        *(java, "-Xmx512m", "-XX:TieredStopAtLevel=1", f"-Djava.library.path={folder}", "-cp", f"{folder}/*"),
        *(str(_LAUNCHER), "-inMemory", "-disableTelemetry", "-port", "1024"),
    ]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def _port(process: subprocess.Popen[str]) -> int:
    """What the launcher prints once it listens."""
    assert process.stdout is not None
    impatience = Timer(_START_S, process.kill)
    impatience.start()
    try:
        for line in process.stdout:
            word, _, number = line.partition(" ")
            if word == "port":
                return int(number)
    finally:
        impatience.cancel()
    raise Absent(f"DynamoDB Local ended before it listened (exit code {process.wait()}): try `java -version`.")
