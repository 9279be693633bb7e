"""`groundwire audit`: the hash chain of records of every call."""

import sys
from collections import deque
from collections.abc import Mapping
from typing import Annotated

import typer

from groundwire import wiring
from groundwire.domain.audit.selection import CALL_MEMBERS, AuditSelection, parse_moment
from groundwire.domain.audit.unfinished import UnfinishedRun, unfinished_runs
from groundwire.entry.cli.console import print_json, print_line, print_rows
from groundwire.entry.cli.options import JsonOption, examples
from groundwire.entry.serialization.stored_members import format_utc

app = typer.Typer(no_args_is_help=True)

COLUMNS = ["time", "tenant", "user", "call", "status", "outcome"]


@app.command(
    "list",
    epilog=examples(
        "groundwire audit list --last 20",
        "groundwire audit list --kid $KID --json",
        "groundwire audit list --doc $DOC --since 7d",
        "groundwire audit list --user elif@acme.example --since 2026-10-01 --until 2026-11-01",
    ),
)
def list_records(
    last: Annotated[int, typer.Option(min=1, help="Number of lines.")] = 50,
    kid: Annotated[str | None, typer.Option(help="Public part of a key: only lines of this key.")] = None,
    doc: Annotated[str | None, typer.Option(help="Id of a document: only lines that name this document.")] = None,
    user: Annotated[
        str | None, typer.Option(help="Only lines of calls for this user and of changes about it, in any letter case.")
    ] = None,
    call: Annotated[str | None, typer.Option(help="Only lines of this tool, method, route or action.")] = None,
    outcome: Annotated[str | None, typer.Option(help="Only lines with this outcome or reason.")] = None,
    since: Annotated[
        str | None, typer.Option(help="Only lines from this time on: 2026-10-01, or 7d, 24h, 90m.")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Only lines before this time, in the same form.")] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Show the latest calls; --json shows all fields.

    With any condition the command reads the whole log.
    """
    services = wiring.local_services()
    audit, now = services.stores.audit, services.clock()
    first, end = (None if each is None else parse_moment(each, now) for each in (since, until))
    selection = AuditSelection(kid, doc, user, call, outcome, first, end)
    if selection.is_empty:
        records = list(audit.read(last))
    else:
        # The log may be long: only the last matches stay in memory.
        records = list(deque(filter(selection.matches, audit.read(sys.maxsize)), maxlen=last))
    rows = [{**record, "time_utc": _utc(record)} if as_json else _row(record) for record in records]
    none = "The audit log has no calls yet." if selection.is_empty else "No line of the audit log matches."
    print_rows(rows, COLUMNS, as_json=as_json, empty_message=none, shortened_column="tenant")


@app.command(epilog=examples("groundwire audit verify"))
def verify(*, as_json: JsonOption = False) -> int:
    """Check the hash chain; the command names a changed, removed or reordered line.

    It also names ingestions without an end, which do not break the chain.
    """
    services = wiring.local_services()
    verification = services.stores.audit.verify()
    runs = unfinished_runs(services.stores.audit.read_ingestions())
    # A run that is still going has no end yet, which is no defect.
    unfinished = [each for each in runs if not services.installation.run_marks.is_running(each.run)]
    if as_json:
        print_json(
            {
                "intact": verification.is_intact,
                "lines": verification.intact_lines,
                "problem": verification.problem,
                "unfinished": [_unfinished_row(each) for each in unfinished],
            }
        )
        return 0 if verification.is_intact else 1
    if verification.is_intact:
        print_line(f"Audit log verified ({verification.intact_lines} lines).")
    else:
        print_line(f"The audit log is damaged: {verification.problem}")
    for each in unfinished:
        print_line(
            f"Ingestion {each.run} (tenant {each.tenant}, collection {each.collection}) started "
            f"{format_utc(each.started_at)} and was not finished. Documents recorded until then: "
            f"{each.documents}."
        )
    return 0 if verification.is_intact else 1


def _unfinished_row(run: UnfinishedRun) -> dict[str, object]:
    return {
        "run": run.run,
        "tenant": run.tenant,
        "collection": run.collection,
        "time": run.started_at,
        "time_utc": format_utc(run.started_at),
        "files": run.files,
        "documents": run.documents,
        "os_user": run.os_user,
    }


def _row(record: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of a record for a table: the reason of a denied call, the outcome of others."""
    call = next((record[name] for name in CALL_MEMBERS if record.get(name)), None)
    is_denied = record.get("decision") not in {None, "admitted", "operator"}
    return {
        "time": _utc(record),
        "tenant": record.get("tenant"),
        "user": record.get("user") or record.get("os_user"),
        "call": f"{call} ({phase})" if (phase := record.get("phase")) else call,
        "status": record.get("status"),
        "outcome": record.get("reason" if is_denied else "outcome"),
    }


def _utc(record: Mapping[str, object]) -> str | None:
    time = record.get("time")
    return format_utc(time) if isinstance(time, int | float) else None
