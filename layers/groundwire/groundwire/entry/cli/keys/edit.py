"""`groundwire key edit`: other rights, limits or another name for a key in force."""

from typing import Annotated, Final

import typer

from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.entry.cli.console import print_json, print_line
from groundwire.entry.cli.keys.tag_questions import confirm_tags
from groundwire.entry.cli.options import JsonOption, NewTagsOption, TenantOption, examples, warn_of_spaces
from groundwire.entry.cli.target import current_target
from groundwire.services.keys.key_spec import NEVER, KeyChange

EXAMPLES: Final = examples(
    "groundwire key edit $KID --tenant acme --name 'support desk' --rate 120",
    "groundwire key edit $KID --tenant acme --scope search --scope verify --days 30",
)


EveryTagOption = Annotated[
    list[str], typer.Option("--tag", help="Every tag of a personal key; repeat for more.", callback=warn_of_spaces)
]
EveryMaxTagOption = Annotated[
    list[str],
    typer.Option(
        "--max-tag", help="Every tag or prefix that calls may send; repeat for more.", callback=warn_of_spaces
    ),
]
EveryCollectionOption = Annotated[
    list[str], typer.Option("--collection", help="Every collection of the key; repeat for more.")
]


def edit(
    kid: Annotated[str, typer.Argument(help="Public part of the key, as `key list` prints it.")],
    tenant: TenantOption,
    name: Annotated[str | None, typer.Option(help="Label of the key in lists.")] = None,
    scope: Annotated[list[Scope], typer.Option("--scope", help="Every right of the key; repeat for more.")] = [],
    tag: EveryTagOption = [],
    max_tag: EveryMaxTagOption = [],
    collection: EveryCollectionOption = [],
    rate: Annotated[int | None, typer.Option(help="Calls per minute.")] = None,
    burst: Annotated[int | None, typer.Option(help="Calls at once, after a pause.")] = None,
    days: Annotated[int | None, typer.Option(help="Days from now until the key expires.")] = None,
    *,
    no_tags: Annotated[bool, typer.Option("--no-tags", help="Take every tag from the key.")] = False,
    every_collection: Annotated[bool, typer.Option("--every-collection", help="Cover every collection.")] = False,
    never_expires: Annotated[bool, typer.Option("--never-expires", help="The key never expires.")] = False,
    yes: NewTagsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Change a key that is in force; its secret and its other options stay."""
    target = current_target().tenant(tenant)
    if no_tags and (tag or max_tag):
        raise InvalidInput("Use --no-tags, or --tag and --max-tag, not both.")
    if never_expires and days is not None:
        raise InvalidInput("Use --days or --never-expires, not both.")
    change = KeyChange(
        name=name,
        tags=frozenset(tag) if tag or no_tags else None,
        max_tags=tuple(max_tag) if max_tag or no_tags else None,
        scopes=frozenset(scope) or None,
        collections=_collections(collection, every=every_collection),
        rate_per_minute=rate,
        burst=burst,
        expires_in_days=NEVER if never_expires else days,
    )
    if change == KeyChange():
        raise InvalidInput("Name what changes, such as --name or --scope.")
    allows_new = confirm_tags(target, [*tag, *max_tag], is_confirmed=yes)
    key = target.keys.change(kid, change, allows_new=allows_new)
    if as_json:
        print_json(key)
    else:
        print_line(f"Changed key {key['kid']} ({key['name']}). The change holds from its next call on.")


def _collections(given: list[str], *, every: bool) -> CollectionGrant | None:
    if given and every:
        raise InvalidInput("Use --collection or --every-collection, not both.")
    return ALL_COLLECTIONS if every else frozenset(given) or None
