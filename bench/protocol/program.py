"""Server programs: each in an environment of its own, called once after a cold start or often while warm."""

import json
import os
import resource
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, cast

from bench.environments import EXACTLY, interpreter
from bench.server import ROOT, plain_environment
from groundwire.domain.keys.tenant import Tenant
from groundwire.settings import environment as settings
from groundwire.wiring.local.services import open_home
from tests.support.aws.template import tables
from tests.support.engines import dynamodb

FOLDER: Final = ROOT / "bench" / "protocol"
_SERVERS: Final = FOLDER / "servers"
TENANT: Final = "t_0123456789abcdef"
_PROOF: Final = '"result"'
_NO_SITE: Final = "-S"
"""Option for a start without start files of packages: a checkout has one that imports for 12 ms, and no layer has."""
_LAYERS: Final = ("groundwire", "mcp", "egress", "readers")


@dataclass(frozen=True, slots=True)
class Program:
    """A server as a program of its own.

    Attributes:
        operations: those of initialize, discover, list and call that it can answer.
    """

    name: str
    command: tuple[str, ...]
    operations: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=plain_environment)

    def cold_ms(self, operation: str) -> float:
        """User and system time of one fresh process that answers once; Raises RuntimeError when it does not."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.output("cold", operation)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return 1e3 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)

    def warm_us(self, calls: int) -> dict[str, float]:
        """Median microseconds of each operation in one process."""
        return cast("dict[str, float]", json.loads(self.output("warm", str(calls)).splitlines()[-1]))

    def output(self, how: str, what: str, *python: str) -> str:
        """Standard output, or with options for the interpreter its errors; Raises RuntimeError without an answer."""
        command = (self.command[0], *python, *self.command[1:], how, what)
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode != 0 or (how == "cold" and _PROOF not in done.stdout):
            raise RuntimeError(f"{self.name} did not answer {what}: {done.stdout}{done.stderr}")
        return done.stderr if python else done.stdout


def prepare(home: Path) -> None:
    """A registry in which the caller of `servers/ours.py` has its tenant."""
    services = open_home(settings.read_settings({"GROUNDWIRE_HOME": str(home)}))
    services.stores.tenants.add(Tenant(TENANT, "bench", 60_000, 10_000, 0.0))
    services.close()


_OURS: Final = {
    "ours": ("groundwire", ("initialize", "discover", "list", "call")),
    "dispatch": ("groundwire, protocol alone", ("discover", "list")),
    "with_sessions": ("groundwire, sessions in DynamoDB", ("initialize",)),
}


def ours(home: Path, script: str = "ours", more: Mapping[str, str] | None = None) -> Program:
    """The mcp function, or what `script` makes of it, in this interpreter."""
    function = {"GROUNDWIRE_HOME": str(home), "FUNCTION_FOLDER": str(ROOT / "functions" / "mcp")}
    function["AWS_LAMBDA_FUNCTION_NAME"] = "mcp"
    name, operations = _OURS[script]
    command = (sys.executable, _NO_SITE, str(_SERVERS / f"{script}.py"))
    packages = [*(str(ROOT / "layers" / each) for each in _LAYERS), sysconfig.get_path("purelib")]
    return Program(name, command, operations, {**_environment(packages), **function, **(more or {})})


def _environment(packages: Sequence[str]) -> dict[str, str]:
    """Return this environment with these folders of packages, as the Lambda service names those of layers."""
    return {**plain_environment(), "PYTHONPATH": os.pathsep.join(packages)}


def peer(package: str, name: str, *, discovers: bool, more: Mapping[str, str] | None = None) -> Program:
    """A function on `package`, in its own environment."""
    python = interpreter(package, FOLDER / f"{package}.txt", *EXACTLY)
    operations = ("initialize", *(("discover",) if discovers else ()), "list", "call")
    [packages] = map(str, python.parents[1].glob("lib/python*/site-packages"))
    environment = {**_environment([packages]), "AWS_DEFAULT_REGION": "eu-central-1", **(more or {})}
    return Program(name, (str(python), _NO_SITE, str(_SERVERS / f"on_{package}.py")), operations, environment)


def peers() -> list[Program]:
    """Return the peers that the report compares with ours."""
    return [
        peer("awslabs", "awslabs.mcp-lambda-handler", discovers=False),
        peer("fastapi", "FastAPI and Mangum", discovers=False),
        peer("mcp", "mcp and Mangum", discovers=True),
        peer("fastmcp", "fastmcp and Mangum", discovers=True),
    ]


def with_sessions(home: Path, url: str) -> tuple[Program, Program]:
    """Ours and the first peer, each with sessions in a table of its own behind this address of DynamoDB."""
    client = dynamodb.client(url)
    mine = tables.create(client, ["SessionsTable"])["SessionsTable"]
    theirs = f"{mine}-awslabs"
    client.create_table(
        TableName=theirs,
        AttributeDefinitions=[{"AttributeName": "session_id", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "session_id", "KeyType": "HASH"}],
        BillingMode="PAY_PER_REQUEST",
    )
    access = {"AWS_ENDPOINT_URL_DYNAMODB": url, "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}
    region = {"AWS_DEFAULT_REGION": "eu-central-1", "AWS_REGION": "eu-central-1"}
    peer_name = "awslabs.mcp-lambda-handler, its sessions"
    return (
        ours(home, "with_sessions", {**access, **region, "SESSIONS": mine}),
        replace(
            peer("awslabs", peer_name, discovers=False, more={**access, **region, "SESSIONS": theirs}),
            operations=("initialize",),
        ),
    )


def pinned() -> str:
    """Names and versions of the peers, as their locks have them."""
    wanted = ("awslabs-mcp-lambda-handler", "fastapi", "mcp", "fastmcp")
    locks = sorted(FOLDER.glob("*.txt"))
    lines = [
        line.split()[0] for lock in locks for line in lock.read_text(encoding="utf-8").splitlines() if "==" in line
    ]
    return ", ".join(sorted({line for line in lines if line.partition("==")[0] in wanted}))


def bare(program: Program) -> float:
    """CPU milliseconds of the program's interpreter alone."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program.command[0], _NO_SITE, "-c", ""], env=program.environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
