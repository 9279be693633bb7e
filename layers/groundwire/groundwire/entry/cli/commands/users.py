"""`groundwire user`: tags for agents that send only a user."""

from typing import Annotated

import typer

from groundwire.domain.access.policy_input import parse_tags
from groundwire.entry.cli.console import print_line, print_rows
from groundwire.entry.cli.options import JsonOption, TenantOption
from groundwire.entry.cli.target import current_target

app = typer.Typer(no_args_is_help=True)

UserArgument = Annotated[str, typer.Argument(help="The user id, exactly as the agent sends it.")]


@app.command("set")
def set_user(
    user: UserArgument,
    tenant: TenantOption,
    tag: Annotated[list[str], typer.Option("--tag", help="A tag that the user holds; repeat for more.")],
) -> None:
    """The user's entry is exactly these tags."""
    target = current_target().tenant(tenant)
    tags = parse_tags(tag)
    target.users.set(user, tags)
    print_line(f"User {user} of {target.title} holds: {', '.join(sorted(tags))}.")


@app.command("list")
def list_users(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the users that have an entry."""
    rows = current_target().tenant(tenant).users.all()
    print_rows(rows, ["user", "tags"], as_json=as_json, empty_message="No user has an entry.")


@app.command()
def delete(user: UserArgument, tenant: TenantOption) -> None:
    """Forget the user's tags: a call that names the user and no tags has none from now on."""
    target = current_target().tenant(tenant)
    target.users.delete(user)
    print_line(f"User {user} of {target.title} has no entry any more.")
