"""`groundwire tags`: the tags of a tenant."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Final, cast

import typer

from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import Row, print_json, print_line, print_rows, warn
from groundwire.entry.cli.options import JsonOption, TenantOption, examples
from groundwire.entry.cli.target import current_target

app = typer.Typer(no_args_is_help=True)

_CHANGES: Final = {
    "documents": "readers of documents",
    "deleted_documents": "deleted documents",
    "users": "stored tags of users",
    "keys": "tags of keys",
    "max_tags": "bounds of keys",
    "groups": "mapped groups",
    "sources": "policies of MCP sources",
}
_COLUMNS: Final = (
    "tag",
    "documents",
    "users",
    "keys",
    "max_tags",
    "groups",
    "sources",
    "collections",
    "last_used",
    "last_call",
)


@app.command("list", epilog=examples("groundwire tags list --tenant acme"))
def list_tags(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the tags that documents, users, keys, groups and MCP sources use, with the number of uses.

    `max_tags` counts keys whose calls may send the tag by name; `last_used` is the last call with a key that has it.
    `last_call` is the last call that had the tag, by the end of the audit log; a key with bounds does not see it.
    """
    found = current_target().tenant(tenant).tags.all()
    if as_json:
        print_json(found)
        return
    # A service reads its log for a key without bounds alone.
    rows: list[Row] = [{"last_call": None, **row} for row in cast("Sequence[Row]", found["tags"])]
    print_rows(rows, _COLUMNS, as_json=False, empty_message="No tag is in use yet.")
    if not found["complete"]:
        warn("There are more tags, or more documents than were counted.")
    if calls := found.get("unrecognised_calls"):
        warn(f"{calls} calls had tags that could not be recognised: last_call may be later than shown.")


@app.command(epilog=examples("groundwire tags rename department:sales department:revenue --tenant acme --yes"))
def rename(
    tag: Annotated[str, typer.Argument(help="Tag in use.")],
    new_tag: Annotated[str, typer.Argument(help="Its new name.")],
    tenant: TenantOption,
    *,
    merge: Annotated[bool, typer.Option("--merge", help="The new tag is in use: make the two tags one.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Rename a tag in policies, stored tags of users, keys, groups and MCP sources; prints the plan first.

    Everybody keeps the same rights. Agents and policy files that use the old tag must be changed, too.
    """
    tags = current_target().tenant(tenant).tags
    plan = tags.plan_rename(tag, new_tag)
    if plan["new_tag_in_use"] and not merge:
        raise InvalidInput(
            f"The tag {plan['new_tag']} is in use: with --merge, its holders also read what {plan['tag']} opens, and "
            "the reverse."
        )
    for line in _plan_lines(plan):
        warn(line, style="none")
    if not yes:
        typer.confirm(f"Rename {plan['tag']} to {plan['new_tag']}?", abort=True, err=True)
    changed = tags.rename(tag, new_tag, merges=merge)
    if as_json:
        print_json(changed)
    else:
        print_line(f"Renamed {changed['tag']} to {changed['new_tag']}.")


def _plan_lines(plan: Row) -> Iterator[str]:
    changes = [f"{plan[name]} {label}" for name, label in _CHANGES.items() if plan[name]]
    yield f"{plan['tag']} becomes {plan['new_tag']} in: {', '.join(changes)}."
    if plan["from_policy_files"]:
        yield (
            f"Policy files name the readers of {plan['from_policy_files']} of these documents: change the files, too, "
            "because the next ingestion applies them again."
        )
    yield "Agents that send the old tag must send the new one."
