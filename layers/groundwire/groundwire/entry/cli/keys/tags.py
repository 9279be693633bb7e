"""`groundwire tags`: the tags of a tenant."""

from typing import TYPE_CHECKING, Final, cast

import typer

from groundwire.entry.cli.console import Row, print_json, print_rows, warn
from groundwire.entry.cli.options import JsonOption, TenantOption, examples
from groundwire.entry.cli.target import current_target

if TYPE_CHECKING:
    from collections.abc import Sequence

app = typer.Typer(no_args_is_help=True)

_COLUMNS: Final = ("tag", "documents", "users", "keys", "max_tags", "groups", "sources", "collections", "last_used")


@app.command("list", epilog=examples("groundwire tags list --tenant acme"))
def list_tags(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the tags that documents, users, keys, groups and MCP sources use, with the number of uses.

    `max_tags` counts keys whose calls may send the tag by name; `last_used` is the last call with a key that has it.
    """
    found = current_target().tenant(tenant).tags.all()
    if as_json:
        print_json(found)
        return
    rows = cast("Sequence[Row]", found["tags"])
    print_rows(rows, _COLUMNS, as_json=False, empty_message="No tag is in use yet.")
    if not found["complete"]:
        warn("There are more tags, or more documents than were counted.")
