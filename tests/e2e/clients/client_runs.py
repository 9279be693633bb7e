"""Run of one client: its script, in its environment, against the server."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final

from tests.e2e.clients.catalogue import Client
from tests.e2e.clients.company import Company
from tests.e2e.clients.environments import ROOT, environment, interpreter
from tests.e2e.clients.interfaces import QUESTION
from tests.e2e.clients.judge import PARTS, PROMPT, ErrorForm, Part, errors_of, errors_on_the_wire
from tests.e2e.clients.relay import Relay, relayed
from tests.support.engines.installers.node import NODE

_SCRIPTS: Final = Path(__file__).parent / "scripts"
_CLIENT_RUN_S: Final = 120
_WORDS_OF_A_CRASH: Final = 3_000
_KEPT_FROM_SCRIPTS: Final = ("GROUNDWIRE_", "COV_", "COVERAGE", "PYTEST", "PYTHON", "VIRTUAL_ENV", "NODE_", "npm_")


@dataclass(frozen=True, slots=True)
class ClientRun:
    """Result of a client's run.

    Attributes:
        told: what it got, caller by caller.
        faults: what is wrong; none: everything is right.
        wire: the protocol version of its calls, as the server was told it.
    """

    client: Client
    reported: tuple[dict[str, Any], ...]
    errors: tuple[ErrorForm, ...]
    wire: str | None
    seconds: float

    def mark(self, part: Part) -> str:
        """Return the table's mark of a part."""
        return "FAILS" if any(error.part == part for error in self.errors) else "ok"


class _CrashedError(Exception):
    """End of a script that hung or crashed; the text describes how it ended."""


def client_run(client: Client, company: Company, home: Path) -> ClientRun:
    """Return the result of the client's run against the server, with `home` as the folder of its user.

    Raises:
        Absent: the client cannot be had here.
    """
    command = _command(client, environment(client.environment))
    with relayed(company.url) as relay:
        began = monotonic()
        try:
            reported = _run(command, _task(client, company, relay.address), home)
        except _CrashedError as crash:
            reported, errors = [], [ErrorForm(part, str(crash)) for part in PARTS[1:]]
        else:
            errors = list(_errors(client, company, reported, relay))
        return ClientRun(client, tuple(reported), tuple(errors), relay.wire_version, monotonic() - began)


def _command(client: Client, folder: Path) -> list[str]:
    script = _SCRIPTS / client.script
    if script.suffix == ".mjs":
        # Node looks for packages from where a module lies.
        for module in _SCRIPTS.glob("*.mjs"):
            shutil.copyfile(module, folder / module.name)
        return [str(NODE), str(folder / script.name)]
    python = interpreter(folder)
    return [str(python) if python.exists() else sys.executable, "-m", f"tests.e2e.clients.scripts.{script.stem}"]


def _task(client: Client, company: Company, address: str) -> dict[str, Any]:
    interface = client.interface
    return {
        "url": f"{address}{interface.path}",
        "callers": [{"headers": caller.headers, "document": caller.document} for caller in company.callers],
        "mode": client.mode,
        "tool": interface.tool,
        "arguments": interface.arguments,
        "prompt": [PROMPT, {"question": QUESTION}],
        "impossible": interface.impossible,
        "has_library": interface.has_library,
        "pictures": interface.pictures,
    }


def _run(command: list[str], task: dict[str, Any], home: Path) -> list[dict[str, Any]]:
    """Return the reports of the script, one for each caller."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_KEPT_FROM_SCRIPTS)}
    # Some clients keep notes about servers in their user's home, and some send their makers word.
    own = {"HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "DO_NOT_TRACK": "1"}
    options: dict[str, Any] = {"env": kept | own, "cwd": home, "text": True, "capture_output": True}
    try:
        done = subprocess.run(command, input=json.dumps(task), timeout=_CLIENT_RUN_S, check=False, **options)
    except subprocess.TimeoutExpired:
        raise _CrashedError(f"hangs: has told nothing after {_CLIENT_RUN_S} s") from None
    if done.returncode:
        raise _CrashedError(f"crashed with {done.returncode}: {done.stderr[-_WORDS_OF_A_CRASH:]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def _errors(client: Client, company: Company, reported: list[dict[str, Any]], relay: Relay) -> Iterator[ErrorForm]:
    if len(reported) != len(company.callers):
        yield ErrorForm("call", f"told of {len(reported)} callers, not of {len(company.callers)}")
    for caller, each in zip(company.callers, reported, strict=False):
        yield from errors_of(each, caller, client.interface)
        if each.get("version") not in {None, client.wire}:
            yield ErrorForm("wire", f"{caller.name}: the client negotiated {each['version']}, not {client.wire}")
    if relay.wire_version != client.wire:
        yield ErrorForm("wire", f"called in version {relay.wire_version}, not in {client.wire}")
    yield from errors_on_the_wire(relay.exchanges, company.callers)
