"""`groundwire access`: questions about access, answered by the rules that decide."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Final, cast

import typer

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_input import policy_to_mapping
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import Row, print_json, print_line, print_rows, warn
from groundwire.entry.cli.keys.tag_questions import name_new_tags
from groundwire.entry.cli.options import (
    AllTagsOption,
    AnyTagsOption,
    JsonOption,
    PublicOption,
    TenantOption,
    examples,
    policy_from_options,
)
from groundwire.entry.cli.target import current_target
from groundwire.entry.cli.target.access_operations import PersonChoice

app = typer.Typer(no_args_is_help=True)

DocumentArgument = Annotated[str, typer.Argument(metavar="DOC", help="Id of a document, or uid of a passage.")]
UserOption = Annotated[str | None, typer.Option("--user", help="User of the call.")]
TagOption = Annotated[
    list[str] | None,
    typer.Option("--tag", help="Tag that the call sends; repeat for more. Default: those stored for the user."),
]
KeyOption = Annotated[str | None, typer.Option("--kid", help="Key of the call; its bounds apply, too.")]

_REASONS: Final[Mapping[object, str]] = {
    "public": "Every user of the tenant may read it.",
    "named_user": "The readers name the user.",
    "tags": "The tags match.",
    "empty_policy": "Nobody may read it.",
    "no_match": "The readers name neither the user nor enough of the tags.",
    "ceiling": "The declared policy admits the person, and the ceiling does not.",
    "blocked": "The user is blocked: the server refuses every call.",
    "key_revoked": "The key is revoked.",
    "key_expired": "The key has expired.",
    "no_search_scope": "The key lacks the scope `search`.",
    "user_required": "The key requires a user in each call.",
    "identity_not_allowed": "The key refuses this user or these tags.",
    "not_indexed": "The document is not indexed, so that no search finds it.",
    "collection_not_covered": "The key does not cover the collection.",
}
_OUTCOMES: Final[Mapping[object, str]] = {
    "closed": "The person may not read the document.",
    "other_collection": "The call does not search the collection of the document.",
    "filtered": "No passage of the document passes the filter.",
    "not_a_candidate": "Neither words nor meaning of a passage are near enough to the question.",
    "near_duplicate": "Another document with nearly the same passage stands for it.",
    "beyond_top_n": "Other passages are better: ask for more with --top-n.",
    "below_floor": "Its passages are below the floor, or below the least relevance of the call.",
    "shown": "The search shows the document.",
}
_SOURCES: Final[Mapping[object, str]] = {
    "call": "of the call",
    "entry": "stored for the user",
    "key": "of the key",
    "token": "of the access token",
    None: "as given",
}


@app.command(epilog=examples("groundwire access check $DOC --user mara@acme.example --tenant acme"))
def check(
    document: DocumentArgument,
    tenant: TenantOption,
    user: UserOption = None,
    tag: TagOption = None,
    kid: KeyOption = None,
    *,
    as_json: JsonOption = False,
) -> int:
    """Show whether a person may read a document, why, and what would change it; exit code 1 if not."""
    target = current_target().tenant(tenant)
    # A slip in a tag would else look like a person without the right.
    name_new_tags(target, tag or ())
    found = target.access.check(PersonChoice(user, tag, kid), document)
    if as_json:
        print_json(found)
    else:
        for line in _explanation_lines(found):
            print_line(line)
    return 0 if found["allowed"] else 1


@app.command(epilog=examples("groundwire access readers $DOC --tenant acme"))
def readers(document: DocumentArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Show who can read a document: users, holders of tags, groups and keys."""
    found = current_target().tenant(tenant).access.readers(document)
    if as_json:
        print_json(found)
        return
    for line in _readers_lines(found):
        print_line(line)


@app.command(epilog=examples("groundwire access documents --user elif@acme.example --tenant acme"))
def documents(
    tenant: TenantOption,
    user: UserOption = None,
    tag: TagOption = None,
    kid: KeyOption = None,
    collection: Annotated[
        str | None, typer.Option("--collection", "-c", help="Only documents of this collection.")
    ] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """List the documents that a person can read, each with the clause that admits the person."""
    target = current_target().tenant(tenant)
    name_new_tags(target, tag or ())
    found = target.access.documents(PersonChoice(user, tag, kid), collection)
    if as_json:
        print_json(found)
        return
    person = cast("Row", found["person"])
    if person["refused"] is not None:
        warn(_REASONS[person["refused"]])
    rows = cast("Sequence[Row]", found["documents"])
    print_rows(
        rows,
        ["doc_id", "collection", "file", "reason"],
        as_json=False,
        empty_message="This person can read no document.",
    )


@app.command("why-not", epilog=examples('groundwire access why-not $DOC "How long can I return it?" --tenant acme'))
def why_not(
    document: DocumentArgument,
    phrases: Annotated[list[str], typer.Argument(metavar="PHRASE...", help="The question, then other wordings.")],
    tenant: TenantOption,
    user: UserOption = None,
    tag: TagOption = None,
    kid: KeyOption = None,
    collection: Annotated[
        list[str] | None, typer.Option("--collection", "-c", help="Collection that the call names; repeat for more.")
    ] = None,
    where: Annotated[str | None, typer.Option(help="Filter of the call.")] = None,
    top_n: Annotated[int | None, typer.Option(min=1, help="Number of passages; default: that of the key.")] = None,
    min_relevance: Annotated[float | None, typer.Option(min=0, max=1, help="Least relevance of the call.")] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Show why a search of a person does not show a document: the search is run."""
    target = current_target().tenant(tenant)
    name_new_tags(target, tag or ())
    found = target.access.why_not(
        PersonChoice(user, tag, kid),
        document,
        phrases,
        collections=collection,
        where=where,
        top_n=top_n,
        min_relevance=min_relevance,
    )
    if as_json:
        print_json(found)
        return
    for line in _search_lines(found):
        print_line(line)


class Change(StrEnum):
    """Kind of a change."""

    POLICY = "policy"
    TAGS = "tags"
    GROUP = "group"
    MAX_TAGS = "max-tags"
    BLOCK = "block"


_WHAT_IF_EXAMPLES: Final = examples(
    "groundwire access what-if policy $DOC --any-tag department:sales --tenant acme",
    "groundwire access what-if tags elif@acme.example --tag department:sales --tenant acme",
    "groundwire access what-if block elif@acme.example --tenant acme",
)


@app.command("what-if", epilog=_WHAT_IF_EXAMPLES)
def what_if(
    change: Annotated[
        Change,
        typer.Argument(
            help="`policy` of a document, `tags` of a user, tags of a `group`, `max-tags` of a key, `block` of a user."
        ),
    ],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Document, user, group or key.")],
    tenant: TenantOption,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", help="Tag or bound after the change; repeat for more.")
    ] = None,
    user: Annotated[list[str] | None, typer.Option("--user", help="User among the readers; repeat for more.")] = None,
    public: PublicOption = False,
    any_tag: AnyTagsOption = [],
    all_tag: AllTagsOption = [],
    *,
    as_json: JsonOption = False,
) -> None:
    """Show who would gain and lose what by a change. Nothing is changed.

    A group is judged by its tags alone. Without readers, `policy` closes the document.
    """
    policy = policy_from_options(public=public, users=user or [], any_tags=any_tag, all_tags=all_tag)
    members, target = _change_members(change, name, tag or [], policy), current_target().tenant(tenant)
    name_new_tags(target, [] if change is Change.MAX_TAGS else [*(tag or ()), *any_tag, *all_tag])
    effect = target.access.what_if(change.value.replace("-", "_"), **members)
    if as_json:
        print_json(effect)
        return
    for line in _effect_lines(effect):
        print_line(line)


def _change_members(change: Change, name: str, tags: list[str], policy: Policy | None) -> Row:
    """Return the members of a change besides its kind.

    Raises:
        InvalidInput: the options are those of another change.
    """
    if change is Change.POLICY:
        if tags:
            raise InvalidInput("Readers by tags are --any-tag and --all-tag.")
        return {"document": name, "policy": policy_to_mapping(policy or NO_READERS)}
    if policy is not None:
        raise InvalidInput("--public, --user, --any-tag and --all-tag are readers of a document: use them with policy.")
    named = {Change.GROUP: "group", Change.MAX_TAGS: "kid"}.get(change, "user")
    if change is Change.BLOCK:
        # Somebody who gives tags means another change, whose effect this answer would not have.
        if tags:
            raise InvalidInput("A block takes every right of the user, so that --tag has no effect: leave it out.")
        return {named: name}
    return {named: name, "max_tags" if change is Change.MAX_TAGS else "tags": tags}


def _explanation_lines(found: Row) -> Iterator[str]:
    person, document = cast("Row", found["person"]), cast("Row", found["document"])
    who = person["user"] or "A call without a user"
    verb = "may read" if found["allowed"] else "may not read"
    yield f"{who} {verb} {document['file']} ({document['doc_id']}). {_REASONS[found['reason']]}"
    tags = ", ".join(cast("Sequence[str]", person["tags"])) or "none"
    ignored = f"; {person['tags_ignored']} more give no right" if person["tags_ignored"] else ""
    yield f"Tags {_SOURCES[person['tags_from']]}: {tags}{ignored}."
    yield f"Readers: {found['readers']}. Source of the policy: {found['policy_source']}."
    ceiling = cast("Row | None", found["ceiling"])
    if ceiling is not None:
        yield f"Ceiling set by {ceiling['decided_by'] or 'unknown'} at {ceiling['decided_at']}."
    if needed := cast("Sequence[str]", found["needed_tags"]):
        yield f"Without {' or '.join(needed)} there is no access."
    if missing := cast("Sequence[Sequence[str]]", found["missing_tags"]):
        yield f"Access would need {_alternatives(missing)} in addition."


def _search_lines(found: Row) -> Iterator[str]:
    yield _OUTCOMES[found["outcome"]]
    if found["outcome"] == "closed":
        yield from _explanation_lines(cast("Row", found["access"]))
    passage, in_place = (cast("Row | None", found[name]) for name in ("passage", "shown_in_place"))
    if passage is not None:
        rank = "" if found["rank"] is None else f", rank {found['rank']}"
        yield f"Best passage: {passage['segment_uid']}{rank}, relevance {passage['relevance']}."
    if in_place is not None:
        yield f"In its place: {in_place['segment_uid']}."


def _readers_lines(found: Row) -> Iterator[str]:
    document = cast("Row", found["document"])
    yield f"{document['file']} ({document['doc_id']}), collection {document['collection']}, {document['state']}"
    yield from list(_reader_lines(found)) or ["Nobody."]
    if found["users"] is None:
        yield "This key does not see the stored tags of users, nor the groups."
    if not found["complete"]:
        yield "There are more."


def _reader_lines(found: Row) -> Iterator[str]:
    if found["everyone"]:
        yield "Everyone: every user of the tenant."
    sets = [tags for tags in cast("Sequence[Sequence[str]]", found["tag_sets"]) if tags]
    if sets:
        yield f"Holders of {_alternatives(sets)}."
    users = cast("Sequence[Row] | None", found["users"])
    known = [{"user": user, "reason": "named_user"} for user in cast("Sequence[str]", found["named_users"])]
    for each in known if users is None else users:
        yield f"User {each['user']}: {each['reason']}{', blocked at present' if each.get('blocked') else ''}"
    for group in cast("Sequence[str] | None", found["groups"]) or ():
        yield f"Group {group}"
    for key in cast("Sequence[Row]", found["keys"]):
        how = (
            f"as {key['user'] or 'its own tags'}" if key["acts_as"] == "own_user" else "for users and tags of its calls"
        )
        yield f"Key {key['kid']} ({key['name']}): {how}"


def _effect_lines(effect: Row) -> Iterator[str]:
    for title, side in (("Gains", "gains"), ("Loses", "loses")):
        changed = cast("Row", effect[side])
        lines = list(_changed_documents(changed) if "count" in changed else _changed_readers(changed))
        yield f"{title}: {lines[0] if len(lines) == 1 else 'nothing' if not lines else ''}".rstrip()
        yield from (f"  {line}" for line in lines if len(lines) > 1)
    if "everyone_after" in effect and effect["everyone_after"] != effect["everyone_before"]:
        yield "Everyone can read it afterwards." if effect["everyone_after"] else "No longer can everyone read it."
    if not effect["complete"]:
        yield "There is more than was counted."


def _changed_readers(changed: Row) -> Iterator[str]:
    for tags in cast("Sequence[Sequence[str]]", changed["tag_sets"]):
        yield f"holders of {' and '.join(tags)}" if tags else "everyone"
    users = cast("Sequence[str] | None", changed["users"])
    for user in cast("Sequence[str]", changed["named_users"]) if users is None else users:
        yield f"user {user}"
    for group in cast("Sequence[str] | None", changed["groups"]) or ():
        yield f"group {group}"
    for kid in cast("Sequence[str]", changed["keys"]):
        yield f"key {kid}"


def _changed_documents(changed: Row) -> Iterator[str]:
    for collection, count in cast("Mapping[str, int]", changed["collections"]).items():
        yield f"{count} in {collection}"
    for document in cast("Sequence[Row]", changed["documents"]):
        yield f"{document['file']} ({document['doc_id']})"


def _alternatives(sets: Sequence[Sequence[str]]) -> str:
    return ", or ".join(" and ".join(tags) for tags in sets)
