"""Agents over Chat Completions with the tools of Foundry Local's route: each tool once, and the table of them."""

import shutil
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from tests.e2e.clients.environments import ROOT, version_of
from tests.e2e.clients.interfaces import FOUNDRY
from tests.e2e.clients.loops.cases import QUESTION, Case, Company
from tests.e2e.clients.loops.catalogue import LOOPS, Loop
from tests.e2e.clients.loops.fed import tools_of
from tests.e2e.clients.loops.judge import error_findings
from tests.e2e.clients.loops.replies import TAIL, ToolCall
from tests.e2e.clients.loops.runs import Run, Runs, run_loop
from tests.support.engines.missing import Absent
from tests.support.entry.command import Command
from tests.support.entry.demo_server import started

FOUNDRY_LOOPS: Final = tuple(loop for loop in LOOPS if loop.mode == "chat" or loop.name == "pydantic-ai")
"""The agents whose models have OpenAI's API Chat Completions."""
_SEARCH: Final[Mapping[str, object]] = {"query": QUESTION, "strictness": 0}
TOOL_CALLS: Final = (
    ToolCall("search_hybrid", {**_SEARCH, "collection_names": ["company", "never"]}),
    ToolCall("search_vector", {**_SEARCH, "top_n": 3}),
    ToolCall("search_text", {**_SEARCH, "filters": 'file_path like "%handbook%"'}),
    ToolCall("search_image", _SEARCH),
    ToolCall("search_multimodal", {"query": QUESTION, "text_strictness": 0, "image_strictness": 0}),
    ToolCall("get_available_collections", {}),
)


@contextmanager
def open_foundry(folder: Path) -> Generator[Company]:
    """Serve sample documents until the end of the block, with a case for each tool."""
    home = folder / "home"
    command = Command(home, {})
    tenant = command.tenant("weirhaven")
    copy = shutil.copy(ROOT / "samples" / "documents" / "company" / "employee-handbook.pdf", folder)
    command.ingest(tenant, copy, "--public", "--collection", "company")
    key = command.personal_key(tenant, "elif@weirhaven.example", "--rate", "100000", "--burst", "10000")
    headers = {"authorization": f"Bearer {key}"}
    cases = tuple(Case(call.tool, headers, call, is_error=False) for call in TOOL_CALLS)
    with started(home, "serve") as server:
        yield Company(server.url, cases, FOUNDRY.path)


def findings_of(runs: Runs) -> dict[str, list[str]]:
    """Return what is wrong with the run of each tool; an empty list where nothing is."""
    return {name: list(_findings(run)) for name, run in runs.runs.items()}


def _findings(run: Run) -> Iterator[str]:
    if run.raised or run.stated.strip() != TAIL:
        yield f"the run ended with {run.raised or run.stated!r}"
        return
    if missing := {call.tool for call in TOOL_CALLS} - set(tools_of(run.requests[0])):
        yield f"the model was not given the tools {sorted(missing)}"
    if run.reply is None or run.reply.get("result", {}).get("isError") is not False:
        yield f"the server answered {run.reply}"
    yield from (finding.text for finding in error_findings(run))


def run_foundry_loops(loops: Sequence[Loop], folder: Path) -> Iterator[dict[str, list[str]] | str]:
    """Run one agent at a time; yield the findings by tool, or why its library cannot be had."""
    if not loops:
        return
    notes = Console(stderr=True)
    with open_foundry(folder) as company:
        for loop in loops:
            notes.print(f"{loop.name}, Foundry Local …", style="dim", markup=False)
            home = folder / loop.folder
            home.mkdir()
            try:
                yield findings_of(run_loop(loop, company, home))
            except Absent as absent:
                yield str(absent)


def foundry_table(came: Mapping[Loop, dict[str, list[str]] | str]) -> Table:
    """Return a row for each agent with a mark for each tool."""
    names = [call.tool for call in TOOL_CALLS]
    table = Table("agent", "version", *names, title="The tools of Foundry Local's route, called by agents")
    for loop, result in came.items():
        version = version_of(loop.environment, loop.package)
        if isinstance(result, str):
            table.add_row(loop.name, version, "not available", style="yellow")
        else:
            table.add_row(loop.name, version, *("FAILS" if result[name] else "ok" for name in names))
    return table
