"""One client's run: its script, in its environment, against the server, and what is wrong with what it got."""

import json
import os
import subprocess
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final
from urllib.request import Request, urlopen

from rich.console import Console
from rich.table import Table

from tests.e2e.clients.company import FINANCE_USER, SALES_USER, Company, open_company
from tests.e2e.clients.environments import ROOT, environment, interpreter, version_of
from tests.e2e.clients.opensearch import judge
from tests.e2e.clients.opensearch.case import Case
from tests.e2e.clients.opensearch.catalogue import PARTS, OpenSearchClient
from tests.e2e.clients.opensearch.engine_cases import ENGINE_TOOLS, engine_cases
from tests.e2e.clients.opensearch.judge import OpenSearchError
from tests.e2e.clients.opensearch.plugin_cases import DEFAULT_TOOLS, REGISTERED_TOOLS, default_cases, registered_cases
from tests.e2e.clients.opensearch.specification import served_specification
from tests.e2e.clients.relay import Exchange, relayed
from tests.support.engines.missing import Absent

_RUN_S: Final = 120
_WORDS_OF_A_CRASH: Final = 2_000
_KEPT: Final = ("PATH", "LANG", "TMPDIR")
_OTHERS: Final = (FINANCE_USER, SALES_USER)
_TOOLS: Final = "/_plugins/_ml/mcp/tools"


@dataclass(frozen=True, slots=True)
class Stage:
    """Calls of all callers, while the server has certain tools.

    Attributes:
        cases: of each caller.
        told: what each got.
    """

    tools: tuple[str, ...]
    cases: tuple[tuple[Case, ...], ...]
    reported: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class OpenSearchRun:
    """Result of a run; without errors, everything is right."""

    stages: tuple[Stage, ...]
    errors: tuple[OpenSearchError, ...]
    seconds: float

    def mark(self, client: OpenSearchClient, part: str) -> str:
        """Return the table's mark of a part."""
        if part not in client.parts:
            return "-"
        return "FAILS" if any(error.part == part for error in self.errors) else "ok"


class _CrashedError(Exception):
    """End of a script that hung or crashed; the text describes how it ended."""


def run_clients(clients: Sequence[OpenSearchClient], folder: Path) -> Iterator[OpenSearchRun | str]:
    """Yield the result of each, or why it is not available; one at a time, so that seconds mean something."""
    if not clients:
        return
    notes = Console(stderr=True)
    with open_company(folder) as company:
        for number, client in enumerate(clients):
            notes.print(f"{client.name} …", style="dim", markup=False)
            home = folder / f"opensearch-{number}"
            home.mkdir()
            try:
                yield run_client(client, company, home)
            except Absent as absent:
                yield str(absent)


def run_client(client: OpenSearchClient, company: Company, home: Path) -> OpenSearchRun:
    """The client's run for each caller, with `home` as the folder of its user.

    Raises:
        Absent: the client cannot be had here.
    """
    command = [str(interpreter(environment(client.environment))), "-m", _module(client)]
    began = monotonic()
    with relayed(company.url) as relay, served_specification() as specification:
        task = {"url": relay.address, "specification": specification, "mode": client.mode}

        def run(stage: Stage) -> Stage:
            return Stage(stage.tools, stage.cases, _run(command, {**task, "callers": _callers(company, stage)}, home))

        try:
            stages = tuple(_stages(client, company, run))
        except _CrashedError as crash:
            errors = tuple(OpenSearchError(part, str(crash)) for part in client.parts)
            return OpenSearchRun((), errors, monotonic() - began)
        found = (*errors_of(stages, company), *_errors_of_wire(client, relay.exchanges))
    return OpenSearchRun(stages, found, monotonic() - began)


def errors_of(stages: Sequence[Stage], company: Company) -> Iterator[OpenSearchError]:
    """Yield the errors in what the callers got."""
    for stage in stages:
        if len(stage.reported) != len(company.callers):
            yield OpenSearchError("tools", f"told of {len(stage.reported)} callers, not of {len(company.callers)}")
            continue
        for caller, cases, reported in zip(company.callers, stage.cases, stage.reported, strict=True):
            for error in (
                *judge.errors_of_calls(reported, cases, stage.tools),
                *judge.errors_of_rights(reported, caller),
                *judge.errors_of_page(reported, stage.tools),
            ):
                yield error._replace(text=f"{caller.name}: {error.text}")


def table_of_opensearch(came: dict[OpenSearchClient, OpenSearchRun | str]) -> Table:
    """Return a table of each client's calls and its seconds for two callers."""
    table = Table("client", "version", *PARTS, "s", title="Clients of OpenSearch", padding=(0, 0))
    for client, result in came.items():
        version = version_of(client.environment, client.package)
        if isinstance(result, str):
            table.add_row(client.title, version, "not available", style="yellow")
        else:
            marks = [result.mark(client, part) for part in PARTS]
            table.add_row(client.title, version, *marks, f"{result.seconds:.1f}")
    return table


def _stages(client: OpenSearchClient, company: Company, run: Any) -> Iterator[Stage]:
    callers = tuple(zip(company.callers, _OTHERS, strict=True))
    if client.is_of_engine:
        cases = tuple(tuple(engine_cases(caller, other)) for caller, other in callers)
        yield run(Stage(tuple(ENGINE_TOOLS), cases))
        return
    yield run(Stage(DEFAULT_TOOLS, tuple(tuple(default_cases()) for _ in callers)))
    with _registered_tools(company):
        cases = tuple(tuple(registered_cases(caller)) for caller, _ in callers)
        yield run(Stage((*DEFAULT_TOOLS, *REGISTERED_TOOLS), cases))


@contextmanager
def _registered_tools(company: Company) -> Generator[None]:
    """Have the tools registered until the end of the block, after which the list is as before."""
    present = {tool["name"] for tool in _administer(company, "_list")["tools"]}
    wanted = [name for name in (*DEFAULT_TOOLS, *REGISTERED_TOOLS) if name not in present]
    _administer(company, "_register", {"tools": [{"type": name, "name": name} for name in wanted]})
    try:
        yield
    finally:
        _administer(company, "_remove", list(REGISTERED_TOOLS))


def _administer(company: Company, operation: str, body: object = None) -> Any:
    headers = {"Authorization": f"Bearer {company.administrator}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{company.url}{_TOOLS}/{operation}", data, headers)) as answer:
        return json.load(answer)


def _errors_of_wire(client: OpenSearchClient, exchanges: Sequence[Exchange]) -> Iterator[OpenSearchError]:
    if client.is_of_engine:
        return judge.errors_of_engine_wire(client, exchanges)
    return judge.errors_of_plugin_wire(exchanges)


def _callers(company: Company, stage: Stage) -> list[dict[str, Any]]:
    return [
        {"key": key, "headers": caller.headers, "calls": [(case.name, case.tool, case.arguments) for case in cases]}
        for caller, key, cases in zip(company.callers, company.personal_keys, stage.cases, strict=True)
    ]


def _run(command: list[str], task: dict[str, Any], home: Path) -> tuple[dict[str, Any], ...]:
    """Return the reports of the script, one for each caller.

    Raises:
        _CrashedError: it ended otherwise than by having told everything.
    """
    # None of the settings of this process: a library may find a proxy or a service's address there.
    own = {"HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "NO_PROXY": "*"}
    environment_of = {name: value for name, value in os.environ.items() if name in _KEPT} | own
    options: dict[str, Any] = {"env": environment_of, "cwd": home, "text": True, "capture_output": True}
    try:
        done = subprocess.run(command, input=json.dumps(task), timeout=_RUN_S, check=False, **options)
    except subprocess.TimeoutExpired:
        raise _CrashedError(f"hangs: has told nothing after {_RUN_S} s") from None
    if done.returncode:
        raise _CrashedError(f"crashed: {done.stderr[-_WORDS_OF_A_CRASH:]}")
    return tuple(json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))


def _module(client: OpenSearchClient) -> str:
    return f"tests.e2e.clients.opensearch.scripts.{client.script.removesuffix('.py')}"
