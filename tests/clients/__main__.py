"""`make clients`: every client of the matrix against one running server, and a table of what each did.

    python -m tests.clients [--json FILE] [NAME...]

Names choose the clients that contain one of them. A client that cannot be had here is a row that says so. Ends with 1
when a client got something wrong, and where engines are required also when one cannot be had.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from tests.clients.catalogue import CLIENTS, Client
from tests.clients.client_runs import Visit, visit
from tests.clients.company import open_company
from tests.clients.environments import version_of
from tests.clients.judge import PARTS
from tests.support.engines.missing import Absent, are_required

_COLUMNS: Final = ("client", "version", *PARTS, "seconds")
_WIDTH: Final = 120


def main() -> None:
    """Visits, prints the table, and says what went wrong beneath it."""
    asked = _arguments()
    chosen = [client for client in CLIENTS if not asked.names or any(name in client.name for name in asked.names)]
    with tempfile.TemporaryDirectory() as folder:
        came = dict(zip(chosen, _visits(chosen, Path(folder)), strict=True))
    # Where the output goes to a file, no row is folded for want of a terminal's width.
    console = Console() if sys.stdout.isatty() else Console(width=_WIDTH)
    console.print(_table(came))
    for client, result in came.items():
        for line in [result] if isinstance(result, str) else [fault.text for fault in result.faults]:
            console.print(f"{client.name}: {line}", style="red", markup=False)
    if asked.json:
        Path(asked.json).write_text(
            json.dumps([asdict(each) for each in came.values() if isinstance(each, Visit)], default=sorted)
        )
    sys.exit(1 if any(_is_a_failure(result) for result in came.values()) else 0)


def _is_a_failure(result: Visit | str) -> bool:
    return are_required(os.environ) if isinstance(result, str) else bool(result.faults)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.clients", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--json", metavar="FILE", help="also write what every client got")
    return parser.parse_args()


def _visits(clients: Sequence[Client], folder: Path) -> Iterator[Visit | str]:
    """What came of each, or why it cannot be had; one at a time, so that seconds mean something."""
    notes = Console(stderr=True)
    with open_company(folder) as company:
        for client in clients:
            notes.print(f"{client.name} …", style="dim", markup=False)
            home = folder / client.name.replace(" ", "-").replace(",", "")
            home.mkdir()
            try:
                yield visit(client, company, home)
            except Absent as absent:
                yield str(absent)


def _table(came: dict[Client, Visit | str]) -> Table:
    table = Table(*_COLUMNS, title="What each client did, and how long for two callers")
    for client, result in came.items():
        version = version_of(client.environment, client.package)
        if isinstance(result, str):
            table.add_row(client.name, version, "not available", style="yellow")
        else:
            marks = [result.mark(part) for part in PARTS[1:]]
            wire = "FAILS" if result.mark("wire") == "FAILS" else result.wire
            table.add_row(client.name, version, wire, *marks, f"{result.seconds:.1f}")
    return table


if __name__ == "__main__":
    main()
