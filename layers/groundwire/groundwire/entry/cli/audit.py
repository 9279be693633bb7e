"""`groundwire audit`: the chained record of every call."""

from typing import Annotated

import typer

from groundwire import wiring
from groundwire.entry.cli.console import JsonOption, print_json, print_line, print_rows

app = typer.Typer(no_args_is_help=True)

COLUMNS = ["time", "tenant", "kid", "user", "method", "tool", "status", "decision"]


@app.command("list")
def list_records(
    last: Annotated[int, typer.Option(min=1, help="How many of the latest lines.")] = 50, *, as_json: JsonOption = False
) -> None:
    """Show the latest calls."""
    records = list(wiring.current().audit.read(last))
    rows = [{**dict.fromkeys(COLUMNS), **record} for record in records]
    print_rows(records if as_json else rows, COLUMNS, as_json=as_json, empty="No call yet.")


@app.command()
def verify(*, as_json: JsonOption = False) -> int:
    """Check the chain: a changed, removed or reordered line is found and named."""
    verification = wiring.current().audit.verify()
    fields = {"intact": verification.intact, "lines": verification.lines, "problem": verification.problem}
    if as_json:
        print_json(fields)
    elif verification.intact:
        print_line(f"All {verification.lines} lines are as they were written.")
    else:
        print_line(f"The audit log is broken: {verification.problem}")
    return 0 if verification.intact else 1
