"""`groundwire audit`: the hash chain of records of every call."""

from collections.abc import Mapping
from typing import Annotated

import typer

from groundwire import wiring
from groundwire.entry.cli.console import print_json, print_line, print_rows
from groundwire.entry.cli.options import JsonOption
from groundwire.entry.serialization.stored_members import format_utc

app = typer.Typer(no_args_is_help=True)

COLUMNS = ["time", "tenant", "user", "call", "status", "outcome"]


@app.command("list")
def list_records(
    last: Annotated[int, typer.Option(min=1, help="How many of the latest lines.")] = 50, *, as_json: JsonOption = False
) -> None:
    """Show the latest calls; --json shows all that is known of each."""
    records = list(wiring.local_services().audit.read(last))
    rows = records if as_json else [_row(record) for record in records]
    print_rows(rows, COLUMNS, as_json=as_json, empty_message="No call yet.", shortened_column="tenant")


@app.command()
def verify(*, as_json: JsonOption = False) -> int:
    """Check the chain: a changed, removed or reordered line is found and named."""
    verification = wiring.local_services().audit.verify()
    fields = {"intact": verification.is_intact, "lines": verification.intact_lines, "problem": verification.problem}
    if as_json:
        print_json(fields)
    elif verification.is_intact:
        print_line(f"All {verification.intact_lines} lines are as they were written.")
    else:
        print_line(f"The audit log is broken: {verification.problem}")
    return 0 if verification.is_intact else 1


def _row(record: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of a record for a table: the reason of a denied call, the outcome of others."""
    time = record.get("time")
    call = next((record[name] for name in ("tool", "method", "route", "action", "event") if record.get(name)), None)
    is_denied = record.get("decision") not in {None, "admitted", "operator"}
    return {
        "time": format_utc(time) if isinstance(time, int | float) else None,
        "tenant": record.get("tenant"),
        "user": record.get("user"),
        "call": call,
        "status": record.get("status"),
        "outcome": record.get("reason" if is_denied else "outcome"),
    }
