"""`groundwire audit`: the hash chain of records of every call."""

import sys
from collections import deque
from collections.abc import Mapping
from typing import Annotated, cast

import typer

from groundwire import wiring
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
        "groundwire audit list --doc $DOC",
    ),
)
def list_records(
    last: Annotated[int, typer.Option(min=1, help="Number of lines.")] = 50,
    kid: Annotated[str | None, typer.Option(help="Public part of a key: only lines of this key.")] = None,
    doc: Annotated[str | None, typer.Option(help="Id of a document: only lines that name this document.")] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Show the latest calls; --json shows all fields.

    With --kid or --doc the command reads the whole log.
    """
    audit = wiring.local_services().stores.audit
    if kid is None and doc is None:
        records = list(audit.read(last))
    else:
        chosen = (each for each in audit.read(sys.maxsize) if _is_of(each, kid, doc))
        # The log may be long: only the last matches stay in memory.
        records = list(deque(chosen, maxlen=last))
    rows = [{**record, "time_utc": _utc(record)} if as_json else _row(record) for record in records]
    print_rows(
        rows, COLUMNS, as_json=as_json, empty_message="The audit log has no calls yet.", shortened_column="tenant"
    )


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


def _is_of(record: Mapping[str, object], kid: str | None, doc: str | None) -> bool:
    """Return whether a record names this key and this document; None matches every record."""
    if kid is not None and record.get("kid") != kid:
        return False
    documents = record.get("documents")
    return doc is None or (
        isinstance(documents, list)
        # Records name a document with the version of its policy after `@`.
        and any(str(each).rpartition("@")[0] == doc for each in cast("list[object]", documents))
    )


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
    call = next((record[name] for name in ("tool", "method", "route", "action", "event") if record.get(name)), None)
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
