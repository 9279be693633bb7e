"""`groundwire ingestion`: runs of `groundwire ingest`, their progress and their end."""

from collections.abc import Mapping
from typing import Annotated, Final, cast

import typer

from groundwire.entry.cli.console import Row, print_json, print_line, print_rows
from groundwire.entry.cli.options import JsonOption, TenantOption, examples
from groundwire.entry.cli.target import current_target
from groundwire.entry.cli.target.action_client import row_of, rows_of

app = typer.Typer(no_args_is_help=True)

_COLUMNS: Final = ["id", "started_at", "collection", "operator", "state", "files", "outcomes"]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="Id of a run, of `groundwire ingestion list`.")]


@app.command("list", epilog=examples("groundwire ingestion list --tenant acme"))
def list_runs(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the last runs, the latest first, and the documents that are not read yet."""
    found = current_target().tenant(tenant).ingestions.all()
    if as_json:
        print_json(found)
        return
    rows = [_shown(row) for row in rows_of(found, "ingestions")]
    print_rows(rows, _COLUMNS, as_json=False, empty_message="There are no runs of `groundwire ingest` yet.")
    pending = {state: number for state, number in row_of(found, "pending").items() if number}
    if pending:
        print_line(f"Documents that are not read yet: {_counts_text(pending)}.")


@app.command(epilog=examples("groundwire ingestion show $RUN --tenant acme"))
def show(run: IdArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Show a run with its progress."""
    _print_run(current_target().tenant(tenant).ingestions.show(run), as_json=as_json)


@app.command(epilog=examples("groundwire ingestion cancel $RUN --tenant acme"))
def cancel(run: IdArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """End a run after its present file; finished files stay, and the same command continues it."""
    _print_run(current_target().tenant(tenant).ingestions.cancel(run), as_json=as_json)


def _print_run(row: Row, *, as_json: bool) -> None:
    if as_json:
        print_json(row)
        return
    for name, value in _shown(row).items():
        print_line(f"{name.replace('_', ' '):<16} {'-' if value is None or value == '' else value}")


def _shown(row: Row) -> Row:
    """Return a run for a person: files as a fraction, and its outcomes as text."""
    counts = cast("Mapping[str, object]", row["counts"])
    left_out = {"files_done", "counts"}
    members = {name: value for name, value in row.items() if name not in left_out}
    return {**members, "files": f"{row['files_done']}/{row['files']}", "outcomes": _counts_text(counts)}


def _counts_text(counts: Mapping[str, object]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.items())
