"""`groundwire access`: questions about access, answered by the rules that decide."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final, cast

import typer

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_input import policy_to_mapping
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import Row, print_json, print_line, print_rows, warn
from groundwire.entry.cli.keys.access_lines import (
    REASONS,
    effect_lines,
    explanation_lines,
    readers_lines,
    search_lines,
)
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

if TYPE_CHECKING:
    from collections.abc import Sequence

app = typer.Typer(no_args_is_help=True)

DocumentArgument = Annotated[str, typer.Argument(metavar="DOC", help="Id of a document, or uid of a passage.")]
UserOption = Annotated[str | None, typer.Option("--user", help="User of the call.")]
TagOption = Annotated[
    list[str] | None,
    typer.Option("--tag", help="Tag that the call sends; repeat for more. Default: those stored for the user."),
]
KeyOption = Annotated[str | None, typer.Option("--kid", help="Key of the call; its bounds apply, too.")]


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
        for line in explanation_lines(found):
            print_line(line)
    return 0 if found["allowed"] else 1


@app.command(epilog=examples("groundwire access readers $DOC --tenant acme"))
def readers(document: DocumentArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Show who can read a document: users, holders of tags, groups and keys."""
    found = current_target().tenant(tenant).access.readers(document)
    if as_json:
        print_json(found)
        return
    for line in readers_lines(found):
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
        warn(REASONS[person["refused"]])
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
    for line in search_lines(found):
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
    for line in effect_lines(effect):
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
