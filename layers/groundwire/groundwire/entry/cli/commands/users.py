"""`groundwire user`: tags for agents that send only a user, blocks of users, and the offboarding of a person."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from groundwire.domain.access.policy_input import parse_tags
from groundwire.domain.access.tags import parse_user
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_USERS_AT_ONCE
from groundwire.domain.text.json_values import is_list, is_text_list, mapping_or_empty
from groundwire.entry.cli.console import Row, print_json, print_line, print_rows
from groundwire.entry.cli.keys.tag_questions import confirm_tags
from groundwire.entry.cli.options import JsonOption, NewTagsOption, TenantOption, examples, warn_of_spaces
from groundwire.entry.cli.target import current_target
from groundwire.entry.cli.target.action_client import rows_of
from groundwire.entry.cli.target.operations import TenantTarget

app = typer.Typer(no_args_is_help=True)

UserArgument = Annotated[str, typer.Argument(help="User id, exactly as the agent sends it.")]
UsersArgument: Final = typer.Argument(
    metavar="USER...", help="User ids, in any letter case; several for one person.", show_default=False
)
ReasonOption = Annotated[
    str, typer.Option("--reason", help="Why, for the record of the block and the audit log.", show_default=False)
]
TagsOption = Annotated[
    list[str], typer.Option("--tag", help="Tag of the user, of all; repeat for more.", callback=warn_of_spaces)
]
AddOption = Annotated[
    list[str], typer.Option("--add-tag", help="Tag that the user gets, too; repeat for more.", callback=warn_of_spaces)
]
RemoveOption = Annotated[
    list[str], typer.Option("--remove-tag", help="Tag that the user no longer has; repeat for more.")
]
_TAG_ONLY: Final = (
    "Calls that send tags and no user cannot be recognised. Keys that admit them (--require-user refuses them):"
)
_CREATED: Final = "Keys that the person created or rotated (--revoke-created revokes them):"


@app.command(
    "set",
    epilog=examples(
        "groundwire user set ana@acme.example --tenant acme --tag department:sales",
        "groundwire user set ana@acme.example --tenant acme --add-tag level:manager --remove-tag level:staff",
    ),
)
def set_user(
    user: UserArgument,
    tenant: TenantOption,
    tag: TagsOption = [],
    add_tag: AddOption = [],
    remove_tag: RemoveOption = [],
    *,
    yes: NewTagsOption = False,
) -> None:
    """Set the tags that are stored for a user: all of them with --tag, or some with --add-tag and --remove-tag."""
    if bool(tag) == bool(add_tag or remove_tag):
        raise InvalidInput("Give all tags of the user with --tag, or change some with --add-tag and --remove-tag.")
    user, target = parse_user(user), current_target().tenant(tenant)
    tags, added, removed = parse_tags(tag), parse_tags(add_tag), parse_tags(remove_tag)
    # Stored tags were confirmed when they were set.
    allows_new = confirm_tags(target, tags | added, is_confirmed=yes)
    if tag:
        target.users.set(user, tags, allows_new=allows_new)
    else:
        tags = target.users.change(user, added, removed, allows_new=allows_new)
    print_line(f"Tags of user {user} of {target.title}: {', '.join(sorted(tags))}.")


@app.command("import", epilog=examples("groundwire user import users.json --tenant acme"))
def import_users(
    file: Annotated[Path, typer.Argument(help="JSON file of `user list --json`: objects with `user` and `tags`.")],
    tenant: TenantOption,
    *,
    yes: NewTagsOption = False,
) -> None:
    """Set the stored tags of the users of a file; other users stay as they are."""
    # The whole file is checked before the first user changes.
    entries, target = _entries_of(file), current_target().tenant(tenant)
    stored = _stored_tags(target)
    changed = {user: tags for user, tags in entries.items() if stored.get(user) != tags}
    allows_new = confirm_tags(target, frozenset[str]().union(*changed.values()), is_confirmed=yes)
    for user, tags in changed.items():
        target.users.set(user, tags, allows_new=allows_new)
    new = len(changed.keys() - stored.keys())
    print_line(f"{new} new, {len(changed) - new} changed, {len(entries) - len(changed)} unchanged users.")


@app.command(
    "list",
    epilog=examples(
        "groundwire user list --tenant acme",
        "groundwire user list --tenant acme --blocked",
        "groundwire user list --tenant acme --seen --since 7d",
    ),
)
def list_users(
    tenant: TenantOption,
    *,
    blocked: Annotated[bool, typer.Option("--blocked", help="List the blocked users instead.")] = False,
    seen: Annotated[
        bool, typer.Option("--seen", help="List who called instead, with key and tags, as the audit log has it.")
    ] = False,
    since: Annotated[
        str, typer.Option(help="For --seen: calls from this time on: 2026-10-01, or 7d, 24h, 90m.")
    ] = "30d",
    as_json: JsonOption = False,
) -> None:
    """List the users for whom tags are stored, the blocked users, or who called lately.

    --seen has a row for each user, key and set of tags. A user of "-" is an agent that sent tags alone.
    """
    if seen and blocked:
        raise InvalidInput("Give --blocked or --seen, not both.")
    users = current_target().tenant(tenant).users
    if blocked:
        columns = ["user", "decided_by", "decided_at", "decision_reason"]
        print_rows(users.blocked(), columns, as_json=as_json, empty_message="No user is blocked.")
    elif seen:
        rows = users.seen(since)
        shown = [{**row, "tags": "not recognised"} if row["tags"] is None else row for row in rows]
        columns = ["user", "kid", "tags", "calls", "last_call"]
        print_rows(rows if as_json else shown, columns, as_json=as_json, empty_message=f"Nobody called since {since}.")
    else:
        print_rows(users.all(), ["user", "tags"], as_json=as_json, empty_message="No user has stored tags.")


@app.command(epilog=examples("groundwire user delete ana@acme.example --tenant acme"))
def delete(user: UserArgument, tenant: TenantOption) -> None:
    """Delete the tags that are stored for a user; the next call has none. To end all access, use offboard."""
    target = current_target().tenant(tenant)
    target.users.delete(user)
    print_line(f"Removed the stored tags of user {user} of {target.title}.")
    print_line(f"Keys and calls of {user} still work: to end them, use groundwire user offboard.")


@app.command(
    epilog=examples(
        "groundwire user block elif@acme.example --tenant acme --reason 'lost laptop'",
        "groundwire user block --from blocked.json --tenant acme",
    )
)
def block(
    tenant: TenantOption,
    users: Annotated[list[str], UsersArgument] = [],
    reason: ReasonOption = "",
    source: Annotated[
        Path | None, typer.Option("--from", help="JSON file of `user list --blocked --json`: block its users, too.")
    ] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Block users: the next call, link or upload in their name is refused, whatever key or token names them."""
    target = current_target().tenant(tenant)
    named = [*users, *([] if source is None else _users_of(source))]
    if not named:
        raise InvalidInput("Name a user, or a file with --from.")
    blocks = [row for batch in _batches(named) for row in target.users.block(batch, reason)]
    if as_json:
        print_json(blocks)
        return
    for row in blocks:
        print_line(f"Blocked user {row['user']} of {target.title}.")


@app.command(epilog=examples("groundwire user unblock elif@acme.example --tenant acme"))
def unblock(users: Annotated[list[str], UsersArgument], tenant: TenantOption) -> None:
    """End the blocks of users. Keys that were revoked stay revoked."""
    target = current_target().tenant(tenant)
    target.users.unblock(users)
    for user in users:
        print_line(f"User {user} of {target.title} is no longer blocked.")


@app.command(
    epilog=examples(
        "groundwire user offboard elif@acme.example 00u1elif --tenant acme --reason 'left the company'",
        "groundwire user offboard elif@acme.example --tenant acme --revoke-created --json",
    )
)
def offboard(
    users: Annotated[list[str], UsersArgument],
    tenant: TenantOption,
    reason: ReasonOption = "",
    *,
    revoke_created: Annotated[
        bool, typer.Option("--revoke-created", help="Revoke the keys that the person created or rotated, too.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Offboard a person: block all ids, revoke the keys, remove the stored tags, and print a receipt."""
    target = current_target().tenant(tenant)
    receipt = target.users.offboard(users, reason, revoke_created=revoke_created)
    if as_json:
        print_json(receipt)
        return
    for line in _receipt_lines(receipt):
        print_line(line)


def _stored_tags(target: TenantTarget) -> dict[str, frozenset[str]]:
    return {str(row["user"]): frozenset(cast("Sequence[str]", row["tags"])) for row in target.users.all()}


def _entries_of(file: Path) -> dict[str, frozenset[str]]:
    """Return the tags of each user of a list of users.

    Raises:
        InvalidInput: the file cannot be read, has another form, or names a user twice.
    """
    entries = dict[str, frozenset[str]]()
    for row in _rows_of(file):
        named, tags = row.get("user"), row.get("tags")
        user = parse_user(named) if isinstance(named, str) else None
        if user is None or not is_text_list(tags) or not tags or user in entries:
            raise InvalidInput(f"{file} needs a list of objects with a `user` and its `tags`, each user once.")
        entries[user] = parse_tags(tags)
    return entries


def _rows_of(file: Path) -> list[Mapping[str, object]]:
    """Return the objects of a JSON list; one without members where it has something else.

    Raises:
        InvalidInput: the file cannot be read.
    """
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{file} cannot be read as JSON: {error}") from error
    return [mapping_or_empty(row) for row in rows] if is_list(rows) else [{}]


def _users_of(file: Path) -> list[str]:
    """Return the user ids of a list of blocks.

    Raises:
        InvalidInput: the file cannot be read, or has another form.
    """
    users = [row.get("user") for row in _rows_of(file)]
    if not is_text_list(users):
        raise InvalidInput(f"{file} has no list of blocked users: write it with groundwire user list --blocked --json.")
    return users


def _batches(users: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(users), MAX_USERS_AT_ONCE):
        yield users[start : start + MAX_USERS_AT_ONCE]


def _receipt_lines(receipt: Row) -> Iterator[str]:
    for row in rows_of(receipt, "users"):
        yield f"Blocked: {row['user']}. Calls, access tokens, links and uploads in this name are refused."
    yield from _listed("Revoked keys:", map(_key_text, rows_of(receipt, "revoked_keys")), "No personal key.")
    yield from _listed(
        "Removed stored tags:", (str(row["user"]) for row in rows_of(receipt, "removed_tags")), "No stored tags."
    )
    yield from _listed(
        _CREATED, map(_key_text, rows_of(receipt, "created_keys")), "No key that the person created or rotated."
    )
    if count := receipt["keys_without_creator"]:
        keys = "key" if count == 1 else "keys"
        yield f"The creator of {count} other {keys} is not recorded: see groundwire key list."
    documents = (f"{row['doc_id']} {row['file']}" for row in rows_of(receipt, "documents"))
    yield from _listed("Documents whose policy names the user:", documents, "No policy of a document names the user.")
    sources = (f"{row['id']} {row['name']}" for row in rows_of(receipt, "sources"))
    yield from _listed(
        "MCP sources whose policy names the user:", sources, "No policy of an MCP source names the user."
    )
    yield from _listed(
        _TAG_ONLY, map(_key_text, rows_of(receipt, "keys_without_user")), "Every delegated key requires a user."
    )


def _listed(title: str, texts: Iterator[str], empty_message: str) -> Iterator[str]:
    lines = [f"  {text}" for text in texts]
    yield from [title, *lines] if lines else [empty_message]


def _key_text(key: Row) -> str:
    return f"{key['kid']} ({key['name']}, {key['kind']}{', revoked' if key['revoked'] else ''})"
