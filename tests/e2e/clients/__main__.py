"""`make clients`: every client and every agent of the matrix against running servers, and tables of what came of each.

    python -m tests.e2e.clients [--json FILE] [NAME...]

Names choose the clients and agents that contain one of them. One that cannot be had here is a row that says so. Ends
with 1 when one got something wrong, and where engines are required also when one cannot be had.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from tests.e2e.clients.azure.catalogue import AZURE_CLIENTS
from tests.e2e.clients.azure.runs import AzureRun, table_of_clients
from tests.e2e.clients.azure.runs import run_clients as run_azure_clients
from tests.e2e.clients.catalogue import CLIENTS, FOUNDRY_CLIENTS, Client
from tests.e2e.clients.client_runs import ClientRun, client_run
from tests.e2e.clients.company import open_company
from tests.e2e.clients.environments import version_of
from tests.e2e.clients.judge import PARTS, has_part
from tests.e2e.clients.loops.catalogue import LOOPS
from tests.e2e.clients.loops.foundry import FOUNDRY_LOOPS, foundry_table, run_foundry_loops
from tests.e2e.clients.loops.judge import Judgement
from tests.e2e.clients.loops.report import run_loops, table_of
from tests.e2e.clients.opensearch.catalogue import OPENSEARCH_CLIENTS
from tests.e2e.clients.opensearch.runs import OpenSearchRun, table_of_opensearch
from tests.e2e.clients.opensearch.runs import run_clients as run_opensearch_clients
from tests.e2e.clients.vertex.catalogue import VERTEX_CLIENTS
from tests.e2e.clients.vertex.runs import VertexRun, run_clients, table_of_runs
from tests.support.engines.missing import Absent, are_required

_COLUMNS: Final = ("client", "version", *PARTS, "seconds")
_WIDTH: Final = 170


def main() -> None:
    """Run the clients, print the tables, and list the failures below each table."""
    requested = _arguments()

    def chosen(name: str) -> bool:
        return not requested.names or any(part in name for part in requested.names)

    clients = [client for client in (*CLIENTS, *FOUNDRY_CLIENTS) if chosen(client.name)]
    loops = [loop for loop in LOOPS if chosen(loop.name)]
    vertex = [client for client in VERTEX_CLIENTS if chosen(client.name)]
    azure = [client for client in AZURE_CLIENTS if chosen(client.name)]
    with tempfile.TemporaryDirectory() as folder:
        visits = dict(zip(clients, _visits(clients, Path(folder)), strict=True))
    with tempfile.TemporaryDirectory() as folder:
        judgements = dict(zip(loops, run_loops(loops, Path(folder)), strict=True))
    with tempfile.TemporaryDirectory() as folder:
        runs = dict(zip(vertex, run_clients(vertex, Path(folder)), strict=True))
    with tempfile.TemporaryDirectory() as folder:
        azure_runs = dict(zip(azure, run_azure_clients(azure, Path(folder)), strict=True))
    opensearch = [client for client in OPENSEARCH_CLIENTS if chosen(client.name)]
    with tempfile.TemporaryDirectory() as folder:
        opensearch_runs = dict(zip(opensearch, run_opensearch_clients(opensearch, Path(folder)), strict=True))
    foundry = [loop for loop in FOUNDRY_LOOPS if chosen(f"Foundry Local: {loop.name}")]
    with tempfile.TemporaryDirectory() as folder:
        tools = dict(zip(foundry, run_foundry_loops(foundry, Path(folder)), strict=True))
    # Where the output goes to a file, no row is folded for want of a terminal's width.
    console = Console() if sys.stdout.isatty() else Console(width=_WIDTH)
    for table, came in (
        (_table(visits), visits),
        (table_of(judgements), judgements),
        (table_of_runs(runs), runs),
        (table_of_clients(azure_runs), azure_runs),
        (table_of_opensearch(opensearch_runs), opensearch_runs),
        (foundry_table(tools), tools),
    ):
        if came:
            console.print(table)
        for each, result in came.items():
            for line in _lines(result):
                console.print(f"{each.name}: {line}", style="red", markup=False)
    if requested.json:
        Path(requested.json).write_text(
            json.dumps([asdict(each) for each in visits.values() if isinstance(each, ClientRun)], default=sorted)
        )
    results = chain(*(came.values() for came in (visits, judgements, runs, azure_runs, opensearch_runs, tools)))
    sys.exit(1 if any(_is_a_failure(result) for result in results) else 0)


_Result = ClientRun | Judgement | VertexRun | AzureRun | OpenSearchRun | Mapping[str, list[str]] | str


def _lines(result: _Result) -> list[str]:
    if isinstance(result, str):
        return [result]
    if isinstance(result, VertexRun):
        return [*result.findings]
    if isinstance(result, AzureRun | OpenSearchRun):
        return [f"{error.part}: {error.text}" for error in result.errors]
    if isinstance(result, Mapping):
        return [f"{tool}: {finding}" for tool, findings in result.items() for finding in findings]
    return [finding.text for finding in (result.errors if isinstance(result, ClientRun) else result.findings)]


def _is_a_failure(result: _Result) -> bool:
    return are_required(os.environ) if isinstance(result, str) else bool(_lines(result))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.clients", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--json", metavar="FILE", help="also write what every client got")
    return parser.parse_args()


def _visits(clients: Sequence[Client], folder: Path) -> Iterator[ClientRun | str]:
    """Yield the result of each, or why it is not available; one at a time, so that seconds mean something."""
    if not clients:
        return
    notes = Console(stderr=True)
    with open_company(folder) as company:
        for client in clients:
            notes.print(f"{client.name} …", style="dim", markup=False)
            home = folder / client.name.replace(" ", "-").replace(",", "")
            home.mkdir()
            try:
                yield client_run(client, company, home)
            except Absent as absent:
                yield str(absent)


def _table(came: dict[Client, ClientRun | str]) -> Table:
    table = Table(*_COLUMNS, title="What each client did, and how long for two callers")
    for client, result in came.items():
        version = version_of(client.environment, client.package)
        if isinstance(result, str):
            table.add_row(client.name, version, "not available", style="yellow")
        else:
            marks = [result.mark(part) if has_part(client, part) else "-" for part in PARTS[1:]]
            wire = "FAILS" if result.mark("wire") == "FAILS" else result.wire
            table.add_row(client.name, version, wire, *marks, f"{result.seconds:.1f}")
    return table


if __name__ == "__main__":
    main()
