"""`groundwire group`: tags that groups of the identity provider give."""

from typing import Annotated

import typer

from groundwire.domain.access.policy_input import parse_tags
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import print_line, print_rows
from groundwire.entry.cli.keys.tag_questions import confirm_tags
from groundwire.entry.cli.options import JsonOption, NewTagsOption, TenantOption, examples, warn_of_spaces
from groundwire.entry.cli.target import current_target

app = typer.Typer(no_args_is_help=True)

GroupArgument = Annotated[str, typer.Argument(help="Name, path or id of the group, as tokens have it.")]


@app.command("set", epilog=examples("groundwire group set /department/sales --tenant acme --tag department:sales"))
def set_group(
    group: GroupArgument,
    tenant: TenantOption,
    tag: Annotated[
        list[str], typer.Option("--tag", help="Tag that the group gives; repeat for more.", callback=warn_of_spaces)
    ] = [],
    *,
    no_tags: Annotated[bool, typer.Option("--no-tags", help="The group gives no tag.")] = False,
    yes: NewTagsOption = False,
) -> None:
    """Replace the tags that a group of the identity provider gives."""
    # No default: a forgotten option must not take the tags of a group.
    if bool(tag) == no_tags:
        raise InvalidInput("Give the tags of the group (--tag) or --no-tags.")
    target, tags = current_target().tenant(tenant), parse_tags(tag)
    allows_new = confirm_tags(target, tags, is_confirmed=yes)
    row = target.groups.set(group, tags, allows_new=allows_new)
    print_line(f"Group {row['group']} gives: {', '.join(sorted(tags)) or 'no tag'}.")


@app.command("list", epilog=examples("groundwire group list --tenant acme"))
def list_groups(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the groups that are mapped to tags; the file of GROUNDWIRE_OAUTH_GROUPS is not in this list."""
    rows = current_target().tenant(tenant).groups.all()
    print_rows(
        rows,
        ["group", "tags"],
        as_json=as_json,
        empty_message="No group is mapped: each group of a token is a tag if the sign-in key covers it.",
    )


@app.command(epilog=examples("groundwire group delete /department/sales --tenant acme"))
def delete(group: GroupArgument, tenant: TenantOption) -> None:
    """Delete the mapping of a group; its own text is its tag again."""
    print_line(f"Deleted the mapping of group {current_target().tenant(tenant).groups.delete(group)['group']}.")
