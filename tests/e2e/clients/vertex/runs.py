"""One client's run: its script, in its environment, against the server, and what is wrong with what it got."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from tests.e2e.clients.company import Caller, Company, open_company
from tests.e2e.clients.environments import ROOT, environment, interpreter, version_of
from tests.e2e.clients.interfaces import QUESTION
from tests.e2e.clients.vertex.catalogue import SYSTEM, VertexClient
from tests.support.engines.installers.node import NODE
from tests.support.engines.missing import Absent

_SCRIPTS: Final = Path(__file__).parent / "scripts"
_PARENT: Final = "projects/p1/locations/us-central1"
_RUN_S: Final = 120
_WORDS_OF_A_CRASH: Final = 2_000
_KEPT: Final = ("PATH", "LANG", "TMPDIR")
_FARTHEST: Final = 2


@dataclass(frozen=True, slots=True)
class VertexRun:
    """Result of a run; no findings: everything is right."""

    reported: tuple[dict[str, Any], ...]
    findings: tuple[str, ...]
    seconds: float


def run_clients(clients: Sequence[VertexClient], folder: Path) -> Iterator[VertexRun | str]:
    """Yield the result of each, or why it is not available; one at a time, so that seconds mean something."""
    if not clients:
        return
    notes = Console(stderr=True)
    with open_company(folder) as company:
        for client in clients:
            notes.print(f"{client.name} …", style="dim", markup=False)
            home = folder / client.script.replace(".", "-")
            home.mkdir()
            try:
                yield run_client(client, company, home)
            except Absent as absent:
                yield str(absent)


def run_client(client: VertexClient, company: Company, home: Path) -> VertexRun:
    """The client's run for each caller, with `home` as the folder of its user.

    Raises:
        Absent: the client cannot be had here.
    """
    command = _command(client)
    began = monotonic()
    # None of the settings of this process: a library of Google's may find a project or a proxy there.
    own = {"HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "NO_PROXY": "*"}
    options: dict[str, Any] = {
        "env": {name: value for name, value in os.environ.items() if name in _KEPT} | own,
        "cwd": home,
        "text": True,
        "capture_output": True,
    }
    task = json.dumps(_task(company))
    try:
        done = subprocess.run(command, input=task, timeout=_RUN_S, check=False, **options)
    except subprocess.TimeoutExpired:
        return VertexRun((), (f"hangs: has told nothing after {_RUN_S} s",), monotonic() - began)
    if done.returncode:
        return VertexRun((), (f"crashed: {done.stderr[-_WORDS_OF_A_CRASH:]}",), monotonic() - began)
    reported = tuple(json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
    return VertexRun(reported, tuple(findings_of(reported, company.callers)), monotonic() - began)


def findings_of(reported: Sequence[dict[str, Any]], callers: Sequence[Caller]) -> Iterator[str]:
    """Yield the errors in what the callers got."""
    if len(reported) != len(callers):
        yield f"told of {len(reported)} callers, not of {len(callers)}"
    for caller, each in zip(callers, reported, strict=False):
        yield from (f"{caller.name}: {finding}" for finding in _findings(each, caller))


def _findings(each: dict[str, Any], caller: Caller) -> Iterator[str]:
    seen = json.dumps(each)
    if not any(caller.expected in text for text in each["texts"]):
        yield "the expected passage is not among the contexts"
    yield from (f"sees {word!r}" for word in caller.forbidden if word in seen)
    if each["nothing"]:
        yield "contexts are nearer than 0"
    if not any(sign in each["error"] for sign in ("NOT_FOUND", "NotFound", "404")):
        yield f"a corpus that is not there is no NOT_FOUND: {each['error']!r}"
    if not all(isinstance(score, float) and 0 <= score <= _FARTHEST for score in each.get("scores", ())):
        yield "a score is no distance"
    named = [part for part in ("sources", "files") if part in each]
    yield from (f"{caller.document} is not among the {part}" for part in named if caller.document not in each[part])


def table_of_runs(came: dict[VertexClient, VertexRun | str]) -> Table:
    """Return a table of each client's result and its seconds for two callers."""
    table = Table("client", "package", "version", "result", "seconds", title="Clients of Vertex AI RAG Engine")
    for client, result in came.items():
        version = "" if client.environment == SYSTEM else version_of(client.environment, client.package)
        if isinstance(result, str):
            table.add_row(client.name, client.package, version, "not available", "", style="yellow")
        else:
            mark = "FAILS" if result.findings else "ok"
            table.add_row(client.name, client.package, version, mark, f"{result.seconds:.1f}")
    return table


def _command(client: VertexClient) -> list[str]:
    if client.environment == SYSTEM:
        if shutil.which("curl") is None:
            raise Absent("curl is not installed")
        folder = None
    else:
        folder = environment(client.environment)
    script = _SCRIPTS / client.script
    if folder is not None and script.suffix == ".mjs":
        # Node looks for packages from where a module lies.
        return [str(NODE), str(shutil.copy(script, folder / f"vertex-{script.name}"))]
    python = sys.executable if folder is None else str(interpreter(folder))
    return [python, "-m", f"tests.e2e.clients.vertex.scripts.{script.stem}"]


def _task(company: Company) -> dict[str, Any]:
    def caller(each: Caller) -> dict[str, Any]:
        identity = {name: value for name, value in each.headers.items() if name != "Authorization"}
        return {"key": each.headers["Authorization"].removeprefix("Bearer "), "identity": identity}

    return {
        "url": company.url,
        "callers": [caller(each) for each in company.callers],
        "question": QUESTION,
        "parent": _PARENT,
        "corpus": f"{_PARENT}/ragCorpora/default",
        "missing": f"{_PARENT}/ragCorpora/not-there",
    }
