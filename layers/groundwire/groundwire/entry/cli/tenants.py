"""`groundwire tenant`: what only somebody who can read the home folder does."""

import shlex
from typing import Annotated

import typer

from groundwire import wiring
from groundwire.entry.cli.console import JsonOption, print_json, print_line, print_rows
from groundwire.entry.rows import tenant_row

app = typer.Typer(no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="A label; the id is made.")]


@app.command()
def create(name: NameArgument, *, as_json: JsonOption = False) -> None:
    """Make a tenant."""
    tenant = wiring.current().tenant_care.create(name)
    wiring.current().operator_audit("tenant.create", tenant=tenant.tenant)
    if as_json:
        print_json(tenant_row(tenant))
    else:
        print_line(f"Tenant {tenant.name} ({tenant.tenant}) is there.")
        print_line(f"Next: groundwire key create --tenant {shlex.quote(name)} --scope search --user NAME")


@app.command("list")
def list_tenants(*, as_json: JsonOption = False) -> None:
    """List the tenants."""
    rows = [tenant_row(tenant) for tenant in wiring.current().tenants.all()]
    print_rows(rows, ["name", "tenant", "created_at"], as_json=as_json, empty="No tenant yet.")


@app.command()
def delete(
    tenant: Annotated[str, typer.Argument(help="Name or id.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Delete a tenant with its keys, users, sessions, documents, index and files, and say how many there were."""
    services = wiring.current()
    found = services.tenant_care.find(tenant)
    if not yes:
        typer.confirm(f"Delete tenant {found.name} ({found.tenant}) and everything that is its own?", abort=True)
    counts = dict(services.tenant_care.delete(found.tenant))
    services.operator_audit("tenant.delete", tenant=found.tenant, counts=counts)
    if as_json:
        print_json({"tenant": found.tenant, "deleted": counts})
    else:
        print_line(f"Tenant {found.name} is gone: " + ", ".join(f"{n} {kind}" for kind, n in counts.items()) + ".")
