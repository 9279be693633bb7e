"""`groundwire user`: tags for agents that send only a user."""

from typing import Annotated

import typer

from groundwire import wiring
from groundwire.domain.policy_form import tag_set
from groundwire.domain.tags import parse_user
from groundwire.entry.cli.console import JsonOption, TenantOption, print_line, print_rows
from groundwire.entry.rows import user_row

app = typer.Typer(no_args_is_help=True)

UserArgument = Annotated[str, typer.Argument(help="The user id, exactly as the agent sends it.")]


@app.command("set")
def set_user(
    user: UserArgument,
    tenant: TenantOption,
    tag: Annotated[list[str], typer.Option("--tag", help="A tag that the user holds; repeat for more.")],
) -> None:
    """The user's entry is exactly these tags."""
    services = wiring.current()
    found = services.tenant_care.find(tenant)
    tags = tag_set(tag)
    services.users.set(found.tenant, parse_user(user), tags)
    services.operator_audit("user.set", tenant=found.tenant, user=user)
    print_line(f"User {user} of {found.name} holds: {', '.join(sorted(tags))}.")


@app.command("list")
def list_users(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the users that have an entry."""
    services = wiring.current()
    entries = services.users.all(services.tenant_care.find(tenant).tenant)
    rows = [user_row(user, tags) for user, tags in entries]
    print_rows(rows, ["user", "tags"], as_json=as_json, empty="No user has an entry.")


@app.command()
def delete(user: UserArgument, tenant: TenantOption) -> None:
    """Forget the user's tags: a call that names the user and no tags has none from now on."""
    services = wiring.current()
    found = services.tenant_care.find(tenant)
    services.users.delete(found.tenant, user)
    services.operator_audit("user.delete", tenant=found.tenant, user=user)
    print_line(f"User {user} of {found.name} has no entry any more.")
