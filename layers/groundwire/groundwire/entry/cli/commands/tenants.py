"""`groundwire tenant`: operations of an operator, on the machine with the home folder or through an AWS stack."""

from typing import Annotated, cast

import typer

from groundwire.entry.cli.console import Row, print_json, print_line, print_rows
from groundwire.entry.cli.options import JsonOption, examples
from groundwire.entry.cli.target import current_target

app = typer.Typer(no_args_is_help=True)

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
    print_line(tenants.next_step(name))


@app.command("list", epilog=examples("groundwire tenant list"))
def list_tenants(*, as_json: JsonOption = False) -> None:
    """List the tenants."""
    rows = current_target().tenants.all()
    empty = f"There are no tenants yet. {current_target().description}"
    print_rows(rows, ["name", "tenant", "created_at"], as_json=as_json, empty_message=empty)


@app.command(epilog=examples("groundwire tenant delete globex --yes --json"))
def delete(
    tenant: Annotated[str, typer.Argument(help="Name or id of the tenant.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Delete a tenant with its keys, users, sessions, documents, index and files, and print the counts."""
    tenants = current_target().tenants
    found = tenants.find(tenant)
    if not yes:
        typer.confirm(f"Delete tenant {found['name']} ({found['tenant']}) and all its data?", abort=True)
    deleted = tenants.delete(str(found["tenant"]))
    if as_json:
        print_json(deleted)
        return
    counts = cast("Row", deleted["deleted"])
    print_line(f"Deleted tenant {found['name']}: " + ", ".join(f"{n} {kind}" for kind, n in counts.items()) + ".")
    if "again_in_s" in deleted:
        print_line(_recheck_line(deleted))


def _recheck_line(deleted: Row) -> str:
    """Return the notice that calls admitted before the deletion may still write, and when they are erased."""
    if deleted["again_in_s"] is None:
        return f"Calls that are still running may write data. In 15 minutes, delete {deleted['tenant']} again."
    return f"In {deleted['again_in_s']} s the service also deletes what running calls still write."
