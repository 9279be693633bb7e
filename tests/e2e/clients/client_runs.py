"""One client's visit: its script, in its environment, against the server."""

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
from tests.e2e.clients.judge import PARTS, PROMPT, Fault, Part, faults_of, faults_on_the_wire
from tests.e2e.clients.relay import Relay, relayed
from tests.support.engines.installers.node import NODE

_SCRIPTS: Final = Path(__file__).parent / "scripts"
_VISIT_S: Final = 120
_WORDS_OF_A_CRASH: Final = 3_000
_KEPT_FROM_SCRIPTS: Final = ("GROUNDWIRE_", "COV_", "COVERAGE", "PYTEST", "PYTHON", "VIRTUAL_ENV", "NODE_", "npm_")


@dataclass(frozen=True, slots=True)
class Visit:
    """Result of a visit.

    Attributes:
        told: what it got, caller by caller.
        faults: what is wrong; none: everything is right.
        wire: the protocol version of its calls, as the server was told it.
    """

    client: Client
    told: tuple[dict[str, Any], ...]
    faults: tuple[Fault, ...]
    wire: str | None
    seconds: float

    def mark(self, part: Part) -> str:
        """Return the table's mark of a part."""
        return "FAILS" if any(fault.part == part for fault in self.faults) else "ok"


class _CrashedError(Exception):
    """The script ended otherwise than by having told everything; says how."""


def visit(client: Client, company: Company, home: Path) -> Visit:
    """The client's visit to the server, with `home` as the folder of its user.

    Raises:
        Absent: the client cannot be had here.
    """
    command = _command(client, environment(client.environment))
    with relayed(company.url) as relay:
        began = monotonic()
        try:
            told = _run(command, _task(client, company, relay.address), home)
        except _CrashedError as crash:
            told, faults = [], [Fault(part, str(crash)) for part in PARTS[1:]]
        else:
            faults = list(_faults(client, company, told, relay))
        return Visit(client, tuple(told), tuple(faults), relay.wire_version, monotonic() - began)


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
    """Return what the script told, a line for each caller."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_KEPT_FROM_SCRIPTS)}
    # Some clients keep notes about servers in their user's home, and some send their makers word.
    own = {"HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "DO_NOT_TRACK": "1"}
    options: dict[str, Any] = {"env": kept | own, "cwd": home, "text": True, "capture_output": True}
    try:
        done = subprocess.run(command, input=json.dumps(task), timeout=_VISIT_S, check=False, **options)
    except subprocess.TimeoutExpired:
        raise _CrashedError(f"hangs: has told nothing after {_VISIT_S} s") from None
    if done.returncode:
        raise _CrashedError(f"crashed with {done.returncode}: {done.stderr[-_WORDS_OF_A_CRASH:]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def _faults(client: Client, company: Company, told: list[dict[str, Any]], relay: Relay) -> Iterator[Fault]:
    if len(told) != len(company.callers):
        yield Fault("call", f"told of {len(told)} callers, not of {len(company.callers)}")
    for caller, each in zip(company.callers, told, strict=False):
        yield from faults_of(each, caller, client.interface)
        if each.get("version") not in {None, client.wire}:
            yield Fault("wire", f"{caller.name}: the client negotiated {each['version']}, not {client.wire}")
    if relay.wire_version != client.wire:
        yield Fault("wire", f"called in version {relay.wire_version}, not in {client.wire}")
    yield from faults_on_the_wire(relay.exchanges, company.callers)
