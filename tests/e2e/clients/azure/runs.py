"""One client's run: its script, in its environment, against the server, and what is wrong with what it got."""

import json
import os
import shutil
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from tests.e2e.clients.azure.catalogue import PARTS, AzureClient
from tests.e2e.clients.azure.certificate import write_certificate
from tests.e2e.clients.azure.judge import (
    MISSING,
    SECOND,
    AzureError,
    errors_of_administrator,
    errors_of_caller,
    errors_of_wire,
)
from tests.e2e.clients.company import CLOSED, Caller, Company, open_company
from tests.e2e.clients.environments import ROOT, environment, interpreter, version_of
from tests.e2e.clients.interfaces import QUESTION
from tests.e2e.clients.relay import relayed
from tests.support.engines.installers.node import NODE
from tests.support.engines.missing import Absent

_SCRIPTS: Final = Path(__file__).parent / "scripts"
_CONVERSATION: Final = (
    ("user", "What does a Sandpiper cost?"),
    ("assistant", "It has a list price, which is in the hall."),
    ("user", "How low can we go on the price of it?"),
)
_RUN_S: Final = 120
_WORDS_OF_A_CRASH: Final = 2_000
_KEPT: Final = ("PATH", "LANG", "TMPDIR")


@dataclass(frozen=True, slots=True)
class AzureRun:
    """Result of a run; without errors, everything is right."""

    reported: tuple[dict[str, Any], ...]
    errors: tuple[AzureError, ...]
    seconds: float

    def mark(self, client: AzureClient, part: str) -> str:
        """Return the table's mark of a part."""
        if part not in client.parts:
            return "-"
        return "FAILS" if any(error.part == part for error in self.errors) else "ok"


def run_clients(clients: Sequence[AzureClient], folder: Path) -> Iterator[AzureRun | str]:
    """Yield the result of each, or why it is not available; one at a time, so that seconds mean something."""
    if not clients:
        return
    notes = Console(stderr=True)
    with open_company(folder) as company:
        for client in clients:
            notes.print(f"{client.name} …", style="dim", markup=False)
            home = folder / client.environment
            home.mkdir()
            try:
                yield run_client(client, company, home)
            except Absent as absent:
                yield str(absent)


def run_client(client: AzureClient, company: Company, home: Path) -> AzureRun:
    """The client's run for each caller and the administrator, with `home` as the folder of its user.

    Raises:
        Absent: the client cannot be had here.
    """
    command = _command(client)
    certificate = write_certificate(home)
    secure = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    secure.load_cert_chain(certificate)
    began = monotonic()
    with ExitStack() as stack:
        relay = stack.enter_context(relayed(company.url))
        over_tls = stack.enter_context(relayed(company.url, secure=secure))
        task = _task(client, company) | {
            "url": relay.address,
            "secure_url": over_tls.address,
            "certificate": str(certificate),
        }
        reported, crash = _run(command, task, home)
        exchanges = [*relay.exchanges, *over_tls.exchanges]
    if crash is not None:
        return AzureRun(reported, tuple(AzureError(part, crash) for part in client.parts), monotonic() - began)
    errors = (*errors_of(client, reported, company.callers), *errors_of_wire(client, exchanges))
    return AzureRun(reported, errors, monotonic() - began)


def errors_of(
    client: AzureClient, reported: Sequence[dict[str, Any]], callers: Sequence[Caller]
) -> Iterator[AzureError]:
    """Yield the errors in what the callers and the administrator got."""
    if len(reported) != len(callers) + 1:
        yield AzureError("question", f"told of {len(reported)} callers, not of {len(callers) + 1}")
        return
    for caller, each in zip(callers, reported, strict=False):
        for error in errors_of_caller(client, each, caller):
            yield error._replace(text=f"{caller.name}: {error.text}")
    yield from errors_of_administrator(client, reported[-1], callers[-1])


def table_of_clients(came: dict[AzureClient, AzureRun | str]) -> Table:
    """Return a table of each client's calls and its seconds for two callers and an administrator."""
    table = Table("client", "version", "api-version", *PARTS, "s", title="Clients of Azure AI Search", padding=(0, 0))
    for client, result in came.items():
        version = version_of(client.environment, client.package)
        if isinstance(result, str):
            table.add_row(client.title, version, client.version, "not available", style="yellow")
        else:
            marks = [result.mark(client, part) for part in PARTS]
            table.add_row(client.title, version, client.version, *marks, f"{result.seconds:.1f}")
    return table


def _run(command: list[str], task: dict[str, Any], home: Path) -> tuple[tuple[dict[str, Any], ...], str | None]:
    """Return the reports of the script, and a description of its end if it hung or crashed."""
    # None of the settings of this process: a library may find a proxy or a service's address there.
    own = {"HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "NO_PROXY": "*"}
    environment_of = {name: value for name, value in os.environ.items() if name in _KEPT} | own
    options: dict[str, Any] = {"env": environment_of, "cwd": home, "text": True, "capture_output": True}
    try:
        done = subprocess.run(command, input=json.dumps(task), timeout=_RUN_S, check=False, **options)
    except subprocess.TimeoutExpired:
        return (), f"hangs: has told nothing after {_RUN_S} s"
    reported = tuple(json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
    return reported, f"crashed: {done.stderr[-_WORDS_OF_A_CRASH:]}" if done.returncode else None


def _command(client: AzureClient) -> list[str]:
    folder = environment(client.environment)
    script = _SCRIPTS / client.script
    if script.suffix == ".mjs":
        # Node looks for packages from where a module lies.
        return [str(NODE), str(shutil.copy(script, folder / f"azure-{script.name}"))]
    return [str(interpreter(folder)), "-m", f"tests.e2e.clients.azure.scripts.{script.stem}"]


def _task(client: AzureClient, company: Company) -> dict[str, Any]:
    def caller(each: Caller) -> dict[str, Any]:
        identity = {name: value for name, value in each.headers.items() if name != "Authorization"}
        document = {"document": each.document, "others": each.forbidden[0]}
        return {"key": _key(each), "identity": identity, **document}

    return {
        "callers": [caller(each) for each in company.callers],
        "question": QUESTION,
        "second": SECOND,
        "conversation": _CONVERSATION,
        "collection": "default",
        "closed": CLOSED,
        "missing": MISSING,
        "administrator": company.administrator,
        "reader": _key(company.callers[-1]),
        "names": client.environment,
    }


def _key(caller: Caller) -> str:
    return caller.headers["Authorization"].removeprefix("Bearer ")
