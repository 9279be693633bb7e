"""`groundwire tenant`: operations of an operator, on the machine with the home folder or through an AWS stack."""

import shlex
from typing import Annotated, Final, cast

import typer

from groundwire import wiring
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import Row, print_json, print_line, print_rows, warn
from groundwire.entry.cli.long_runs.lock_wait import RepeatedLine
from groundwire.entry.cli.options import JsonOption, examples
from groundwire.entry.cli.target import StackTarget, current_target
from groundwire.entry.cli.target.action_client import ActionClient
from groundwire.services.object_events.unread_files import is_unread

app = typer.Typer(no_args_is_help=True)

TenantArgument = Annotated[str, typer.Argument(help="Name or id of the tenant.")]
NameArgument = Annotated[str, typer.Argument(help="Name of the tenant; the command makes its id.")]


@app.command(epilog=examples("groundwire tenant create globex"))
def create(name: NameArgument, *, as_json: JsonOption = False) -> None:
    """Create a tenant."""
    tenants = current_target().tenants
    tenant = tenants.create(name)
    if as_json:
        print_json(tenant)
        return
    print_line(f"Created tenant {tenant['name']} ({tenant['tenant']}).")
    print_line(tenants.next_step(str(tenant["name"])))


@app.command("list", epilog=examples("groundwire tenant list"))
def list_tenants(*, as_json: JsonOption = False) -> None:
    """List the tenants."""
    rows = current_target().tenants.all()
    empty = f"There are no tenants yet. {current_target().description}"
    # A service of an earlier release has no suspensions.
    shown = rows if as_json else [{"suspended_at": None, **row} for row in rows]
    columns = ["name", "tenant", "rate_per_minute", "burst", "created_at", "suspended_at"]
    print_rows(shown, columns, as_json=as_json, empty_message=empty)


@app.command("set-rate", epilog=examples("groundwire tenant set-rate globex --rate 1200 --burst 200"))
def set_rate(
    tenant: TenantArgument,
    rate: Annotated[int, typer.Option(min=1, help="Calls per minute, of all keys together.")],
    burst: Annotated[int, typer.Option(min=1, help="Calls at once, after a pause.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Set the limit over all keys of a tenant, from the next call on."""
    row = current_target().tenants.set_rate(tenant, rate, burst)
    if as_json:
        print_json(row)
    else:
        print_line(f"Tenant {row['name']}: {row['rate_per_minute']} calls per minute, {row['burst']} at once.")


@app.command(epilog=examples("groundwire tenant suspend globex"))
def suspend(tenant: TenantArgument, *, as_json: JsonOption = False) -> None:
    """Suspend a tenant: the server refuses the next call of every key and opens no link. Nothing is deleted."""
    row = current_target().tenants.suspend(tenant)
    if as_json:
        print_json(row)
        return
    print_line(f"Suspended tenant {row['name']} since {row['suspended_at']}: each call of its keys is refused.")
    print_line(f"To end it: groundwire tenant resume {shlex.quote(str(row['name']))}")


@app.command(epilog=examples("groundwire tenant resume globex"))
def resume(tenant: TenantArgument, *, as_json: JsonOption = False) -> None:
    """End the suspension of a tenant. Keys that were revoked stay revoked."""
    row = current_target().tenants.resume(tenant)
    if as_json:
        print_json(row)
    else:
        print_line(f"Tenant {row['name']} is in force: its keys are admitted.")


@app.command(epilog=examples("groundwire tenant delete globex --yes --json"))
def delete(
    tenant: TenantArgument,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Delete a tenant with its keys, users, sessions, documents, index and files, and print the counts."""
    tenants = current_target().tenants
    found = tenants.find(tenant)
    if not yes:
        _confirm_name(str(found["name"]), str(found["tenant"]))
    # By id: the name could mean another tenant once the question is answered.
    deleted = tenants.delete(str(found["tenant"]))
    if as_json:
        print_json(deleted)
        return
    counts = cast("Row", deleted["deleted"])
    print_line(f"Deleted tenant {found['name']}: " + ", ".join(f"{n} {kind}" for kind, n in counts.items()) + ".")
    if "again_in_s" in deleted:
        print_line(_recheck_line(deleted))


def _confirm_name(name: str, tenant: str) -> None:
    """Go on only if a person types the name of the tenant: one wrong letter could name another customer.

    Raises:
        InvalidInput: another text was typed.
    """
    # On standard error, as with every question, so that --json stays exact.
    typed = str(typer.prompt(f"To delete tenant {tenant} and all its data, type its name", err=True))
    if typed.strip() != name.strip():
        raise InvalidInput(f"The tenant is called {name!r}. Nothing was deleted.")


def _recheck_line(deleted: Row) -> str:
    """Return the notice that calls admitted before the deletion may still write, and when they are erased."""
    if deleted["again_in_s"] is None:
        return f"Calls that are still running may write data. In 15 minutes, delete {deleted['tenant']} again."
    return f"In {deleted['again_in_s']} s the service also deletes what running calls still write."


REBUILD_EXAMPLES: Final = examples(
    "GROUNDWIRE_STACK=prod groundwire rebuild acme", "GROUNDWIRE_STACK=prod groundwire rebuild acme --all"
)


def rebuild(
    tenant: Annotated[str, typer.Argument(help="Name or id of the tenant.")],
    *,
    every_file: Annotated[bool, typer.Option("--all", help="Every file, not only those without a parser.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Queue the files again that wait for the parser or failed. On one machine, list them."""
    if isinstance(target := current_target(), StackTarget):
        result = _rebuild_in_stack(target.operator, tenant, every_file=every_file)
        line = f"Queued {result['queued']} files of {tenant}. `groundwire documents list` shows their states."
    else:
        result = _unread_on_machine(tenant)
        line = "The parser read every file." if not result["unread"] else ""
    if as_json:
        print_json(result)
        return
    if line:
        print_line(line)
    if result.get("without_file"):
        warn(f"{result['without_file']} documents have no file in the bucket. Ingest their files again.")
    if unread := cast("list[Row]", result.get("unread", [])):
        print_rows(unread, ["doc_id", "state", "source_path"], as_json=False, empty_message="")
        warn(f"Run `groundwire ingest PATH --tenant {tenant}` for them; a server reads uploads again when it starts.")


def _rebuild_in_stack(operator: ActionClient, tenant: str, *, every_file: bool) -> Row:
    show, after = RepeatedLine(), ""
    queued = without_file = 0
    while True:
        page = operator.execute("tenant.rebuild", tenant=tenant, all=every_file, after=after)
        queued += int(str(page["queued"]))
        without_file += int(str(page["without_file"]))
        if page["after"] is None:
            return {"tenant": page["tenant"], "queued": queued, "without_file": without_file}
        after = str(page["after"])
        show(f"Queued {queued:,} files.")


def _unread_on_machine(tenant: str) -> Row:
    services = wiring.local_services()
    owner = services.administration.tenant_admin.find(tenant).tenant
    unread = [
        {"doc_id": each.doc_id, "state": each.state.value, "source_path": each.source_path, "reason": each.reason}
        for each in services.stores.documents.all(owner, None)
        if is_unread(each)
    ]
    return {"tenant": owner, "queued": 0, "without_file": 0, "unread": unread}
