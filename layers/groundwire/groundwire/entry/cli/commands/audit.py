"""`groundwire audit`: the hash chain of records of every call."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.audit.selection import CALL_MEMBERS, AuditSelection, parse_moment
from groundwire.domain.audit.unfinished import UnfinishedRun, unfinished_runs
from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.domain.limits import MAX_AUDIT_PAGE
from groundwire.entry.cli.console import Row, print_json, print_line, print_rows
from groundwire.entry.cli.long_runs.lock_wait import RepeatedLine
from groundwire.entry.cli.options import JsonOption, examples
from groundwire.entry.cli.target import LocalTarget, RestTarget, StackTarget, current_target
from groundwire.entry.cli.target.action_client import rows_of
from groundwire.entry.cli.target.rest_api import RestApi
from groundwire.entry.serialization.stored_members import format_utc

if TYPE_CHECKING:
    from groundwire.wiring.local.services import LocalServices

app = typer.Typer(no_args_is_help=True)

COLUMNS = ["time", "tenant", "user", "call", "status", "outcome"]
_SERVICE_COLUMNS: Final = ["time", "user", "call", "content", "status", "outcome"]
_NO_LINES: Final = "The audit log has no calls yet."
_NO_MATCH: Final = "No line of the audit log matches."


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
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="In a stack: name or id of the tenant.")] = "",
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

    On the machine, an index of the log finds the lines that match; the first use builds it, and later ones extend it.
    With --url and in a stack, the service shows the lines of one tenant.
    """
    target = current_target()
    if not isinstance(target, LocalTarget):
        conditions = {"kid": kid, "document": doc, "user": user, "call": call, "outcome": outcome}
        conditions |= {"since": since, "until": until}
        read = _service_pages(target, tenant, conditions)
        _print_rows_of_service(_read_rows(read, last), conditions, as_json=as_json)
        return
    if tenant:
        raise InvalidInput("On this machine, the command shows the lines of every tenant: leave --tenant out.")
    services = wiring.local_services()
    now = services.clock()
    first, end = (None if each is None else parse_moment(each, now) for each in (since, until))
    selection = AuditSelection(kid, doc, user, call, outcome, first, end)
    records = _find(services, selection, last)
    rows = [{**record, "time_utc": _utc(record)} if as_json else _row(record) for record in records]
    none = _NO_LINES if selection.is_empty else _NO_MATCH
    print_rows(rows, COLUMNS, as_json=as_json, empty_message=none, shortened_column="tenant")


def _find(services: "LocalServices", selection: AuditSelection, last: int) -> Sequence[Mapping[str, object]]:
    audit = services.stores.audit
    if selection.is_empty:
        return list(audit.read(last))
    show = RepeatedLine()

    def on_indexed(done: int, size: int) -> None:
        show(f"The index of the audit log has {done / 1e6:,.0f} of {size / 1e6:,.0f} MB; this is done once.")

    try:
        return services.installation.machine_trail.latest(selection, last, on_indexed)
    except Unavailable:
        # A full disk has no room for the index, and reading must go on. Only the last matches stay in memory.
        return list(deque(filter(selection.matches, audit.read_all()), maxlen=last))


@app.command(epilog=examples("groundwire audit verify"))
def verify(*, as_json: JsonOption = False) -> int:
    """Check the hash chain; the command names a changed, removed or reordered line.

    It also names ingestions without an end, which do not break the chain. With --url the service verifies its log, and
    names no ingestions.
    """
    target = current_target()
    if isinstance(target, RestTarget):
        return _verify_service(target.api, as_json=as_json)
    if not isinstance(target, LocalTarget):
        raise InvalidInput("Only the machine with the log can verify it: run the command there.")
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


def _verify_service(api: RestApi, *, as_json: bool) -> int:
    """Verify the log of the service in parts; print the result, and return the command's exit code."""
    part = api.get("/v1/audit/verify")
    lines = int(str(part["lines"]))
    while part["intact"] and part["next"] is not None:
        part = api.get("/v1/audit/verify", after=str(part["next"]))
        lines += int(str(part["lines"]))
    problem = part["problem"]
    if as_json:
        print_json({"intact": problem is None, "lines": lines, "problem": problem})
    elif problem is None:
        print_line(f"Audit log verified, with {lines} lines of this tenant.")
    else:
        print_line(f"The audit log is damaged: {problem}")
    return 0 if problem is None else 1


_Pages = Callable[[int, str | None], Row]
"""Function that returns a page, by its number of lines and the position before it."""


def _service_pages(target: RestTarget | StackTarget, tenant: str, conditions: Mapping[str, str | None]) -> _Pages:
    """Return the function that reads pages of the service.

    Raises:
        InvalidInput: the tenant of a stack is missing, or one is named although the key names it.
    """
    if isinstance(target, RestTarget):
        target.tenant(tenant)
        api = target.api
        return lambda limit, after: api.get("/v1/audit", **conditions, limit=str(limit), after=after)
    if not tenant:
        raise InvalidInput("A stack has the lines of many tenants: name one with --tenant.")
    audit = target.tenant(tenant).audit
    return lambda limit, after: audit.page(conditions, limit, after)


def _read_rows(read: _Pages, last: int) -> list[Row]:
    """Return the latest rows of the service that match, oldest first."""
    rows, after = list[Row](), None
    # A page can be empty and still have a next one, while the service builds its index or looks through its log.
    while len(rows) < last:
        page = read(min(last - len(rows), MAX_AUDIT_PAGE), after)
        rows += rows_of(page, "rows")
        after = str(page["next"]) if page["next"] is not None else None
        if after is None:
            break
    return rows[::-1]


def _print_rows_of_service(rows: list[Row], conditions: Mapping[str, str | None], *, as_json: bool) -> None:
    # A table has one column for whoever acted, as that of the machine's own log.
    shown = [
        {**row, "user": row["user"] or row["operator"], "outcome": row["reason" if _is_denied(row) else "outcome"]}
        for row in rows
    ]
    none = _NO_MATCH if any(conditions.values()) else _NO_LINES
    print_rows(rows if as_json else shown, _SERVICE_COLUMNS, as_json=as_json, empty_message=none)


def _is_denied(record: Mapping[str, object]) -> bool:
    return record.get("decision") not in {None, "admitted", "operator"}


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
    return {
        "time": _utc(record),
        "tenant": record.get("tenant"),
        "user": record.get("user") or record.get("os_user"),
        "call": f"{call} ({phase})" if (phase := record.get("phase")) else call,
        "status": record.get("status"),
        "outcome": record.get("reason" if _is_denied(record) else "outcome"),
    }


def _utc(record: Mapping[str, object]) -> str | None:
    time = record.get("time")
    return format_utc(time) if isinstance(time, int | float) else None
