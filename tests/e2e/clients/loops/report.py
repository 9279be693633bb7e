"""Results of the agents: a table, and the lines below it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from tests.e2e.clients.environments import version_of
from tests.e2e.clients.loops.cases import open_company
from tests.e2e.clients.loops.catalogue import Loop
from tests.e2e.clients.loops.judge import Judgement, judged
from tests.e2e.clients.loops.runs import run_loop
from tests.support.engines.missing import Absent

_COLUMNS: Final = ("agent", "version", "connected", "feeds", "tokens over", "frame", "empty", "faults")
_ERRORS: Final = ("arguments", "failure", "retryable", "rate", "unknown tool")


def run_loops(loops: Sequence[Loop], folder: Path) -> Iterator[Judgement | str]:
    """Run one agent at a time; yield its judgement, or the reason why its library cannot be installed."""
    if not loops:
        return
    notes = Console(stderr=True)
    with open_company(folder) as company:
        for loop in loops:
            notes.print(f"{loop.name} …", style="dim", markup=False)
            home = folder / loop.folder
            home.mkdir()
            try:
                yield judged(run_loop(loop, company, home))
            except Absent as absent:
                yield str(absent)


def table_of(came: Mapping[Loop, Judgement | str]) -> Table:
    """Return a table with a row for each agent; where text alone is fed, tokens are shown with their limit."""
    table = Table(*_COLUMNS, title="What the model of each agent was fed, and which faults it understood")
    for loop, result in came.items():
        version = version_of(loop.environment, loop.package)
        if isinstance(result, str):
            table.add_row(loop.name, version, "not available", style="yellow")
            continue
        failed = [part for part in _ERRORS if result.mark(part) == "FAILS"]
        errors = f"FAILS: {', '.join(failed)}" if failed else "understood"
        if loop.ends_on_unknown_tools and not failed:
            errors = "understood; an unknown tool ends the run"
        marks = [result.mark("frame"), result.mark("empty")]
        table.add_row(
            loop.name, version, result.mark("connected"), _feeds(result), _tokens(loop, result), *marks, errors
        )
    return table


def _feeds(result: Judgement) -> str:
    return "FAILS" if result.mark("passages") == "FAILS" else result.feeds or "nothing"


def _tokens(loop: Loop, result: Judgement) -> str:
    if result.over is None:
        return "-"
    limit = f" of {result.limit}" if loop.feeds == "text" else ""
    return f"{result.over}{limit}{' FAILS' if result.mark('tokens') == 'FAILS' else ''}"
