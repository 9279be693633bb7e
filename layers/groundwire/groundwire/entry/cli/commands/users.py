"""`groundwire user`: tags for agents that send only a user."""

from typing import Annotated

import typer

from groundwire.domain.access.policy_input import parse_tags
from groundwire.entry.cli.console import print_line, print_rows
from groundwire.entry.cli.keys.tag_questions import confirm_tags
from groundwire.entry.cli.options import JsonOption, NewTagsOption, TenantOption, examples, warn_of_spaces
from groundwire.entry.cli.target import current_target

app = typer.Typer(no_args_is_help=True)

UserArgument = Annotated[str, typer.Argument(help="User id, exactly as the agent sends it.")]


@app.command("set", epilog=examples("groundwire user set ana@acme.example --tenant acme --tag department:sales"))
def set_user(
    user: UserArgument,
    tenant: TenantOption,
    tag: Annotated[list[str], typer.Option("--tag", help="Tag of the user; repeat for more.", callback=warn_of_spaces)],
    *,
    yes: NewTagsOption = False,
) -> None:
    """Replace the tags that are stored for a user."""
    target = current_target().tenant(tenant)
    tags = parse_tags(tag)
    allows_new = confirm_tags(target, tags, is_confirmed=yes)
    target.users.set(user, tags, allows_new=allows_new)
    print_line(f"Tags of user {user} of {target.title}: {', '.join(sorted(tags))}.")


@app.command("list", epilog=examples("groundwire user list --tenant acme"))
def list_users(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the users for whom tags are stored."""
    rows = current_target().tenant(tenant).users.all()
    print_rows(rows, ["user", "tags"], as_json=as_json, empty_message="No user has stored tags.")


@app.command(epilog=examples("groundwire user delete ana@acme.example --tenant acme"))
def delete(user: UserArgument, tenant: TenantOption) -> None:
    """Delete the tags that are stored for a user; the next call has none."""
    target = current_target().tenant(tenant)
    target.users.delete(user)
    print_line(f"Removed the stored tags of user {user} of {target.title}.")
