"""`groundwire source`: MCP servers of other systems, whose tools agents may call."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated

import typer

from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.access.policy_input import policy_to_mapping
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.commands.sources.report import (
    ENABLED,
    print_source,
    print_sources,
    print_tools,
    readers_of,
    show_change,
    tools_of,
)
from groundwire.entry.cli.commands.sources.request_bodies import (
    acceptable_tools,
    acceptance_body,
    credential_members,
    mapping_members,
)
from groundwire.entry.cli.console import print_json, print_line, warn
from groundwire.entry.cli.keys.tag_questions import confirm_tags
from groundwire.entry.cli.long_runs.progress import stage_progress
from groundwire.entry.cli.options import (
    AllTagsOption,
    JsonOption,
    NewTagsOption,
    TenantOption,
    examples,
    policy_from_options,
    warn_of_spaces,
)
from groundwire.entry.cli.target import current_target
from groundwire.entry.cli.target.tag_operations import new_tags_member

app = typer.Typer(no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="Name or id of the source.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")]
PublicOption = Annotated[bool, typer.Option("--public", help="Every user of the tenant may call its tools.")]
UsersOption = Annotated[list[str], typer.Option("--user", help="This user may call its tools; repeat for more.")]
AnyTagsOption = Annotated[
    list[str],
    typer.Option(
        "--any-tag",
        help="Users with one of these tags may call its tools; repeat for more.",
        callback=warn_of_spaces,
    ),
]
LabelOption = Annotated[
    str | None, typer.Option(help="Prefix of the tools' names for agents.", show_default="the name")
]
OfferedToolsOption = Annotated[
    list[str],
    typer.Option("--tool", help="Tool that agents get; repeat for more. Without it, the command lists the tools."),
]
KeyHeaderOption = Annotated[
    str | None,
    typer.Option(metavar="HEADER", help="Header for an API key, which the command reads from standard input."),
]
ClientOption = Annotated[
    str | None, typer.Option(help="OAuth client; the command reads its secret from standard input.")
]
JoinedCollectionOption = Annotated[
    str | None,
    typer.Option("--collection", "-c", help="Collection whose answers get passages of --search-tool, too."),
]
SearchToolOption = Annotated[
    str | None, typer.Option(help="Tool for the search, which must also be a --tool; with --collection.")
]
QueryArgumentOption = Annotated[
    str | None, typer.Option(help="Argument of --search-tool for the search phrase.", show_default="query")
]


@app.command(
    epilog=examples(
        "groundwire source add wiki http://127.0.0.1:9000/mcp --tenant acme --tool search --any-tag department:sales",
        'printf %s "$WIKI_KEY" | groundwire source add tickets http://127.0.0.1:9000/mcp --tenant acme '
        "--api-key-header x-api-key",
    )
)
def add(
    name: Annotated[str, typer.Argument(help="Name of the source, unique within the tenant.")],
    url: Annotated[str, typer.Argument(help="URL of the MCP server, such as https://wiki.example.com/mcp.")],
    tenant: TenantOption,
    label: LabelOption = None,
    description: Annotated[str | None, typer.Option(help="Description of the source, for administrators.")] = None,
    user: UsersOption = [],
    any_tag: AnyTagsOption = [],
    all_tag: AllTagsOption = [],
    tool: OfferedToolsOption = [],
    api_key_header: KeyHeaderOption = None,
    client_id: ClientOption = None,
    token_url: Annotated[str | None, typer.Option(help="Token endpoint of the OAuth client, as a URL.")] = None,
    scope: Annotated[str | None, typer.Option(help="Scope of the OAuth client's tokens.")] = None,
    collection: JoinedCollectionOption = None,
    search_tool: SearchToolOption = None,
    query_argument: QueryArgumentOption = None,
    *,
    public: PublicOption = False,
    yes: NewTagsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Add an MCP server as a source; the server must answer."""
    policy = policy_from_options(public=public, users=user, any_tags=any_tag, all_tags=all_tag)
    mapping = mapping_members(collection, search_tool, query_argument, tool)
    target = current_target().tenant(tenant)
    body: dict[str, object] = {
        "name": name,
        "kind": "remote_mcp",
        "remote_mcp_parameters": {"server_url": url, "server_label": label},
        **credential_members(api_key_header, client_id, token_url, scope),
        "policy": policy_to_mapping(policy or NO_READERS),
        "tools": tool,
        **({} if description is None else {"description": description}),
        **({} if mapping is None else {"collection_mapping": mapping}),
        **new_tags_member(allows_new=confirm_tags(target, [*any_tag, *all_tag], is_confirmed=yes)),
    }
    with _waiting():
        row = target.sources.create(body)
    if as_json:
        print_json(row)
    else:
        print_line(f"Added source {name} of {target.title}. Its tools may be called by: {readers_of(row)}.")
        print_tools(row)
        _warn_of_next_steps(has_readers=policy is not None, has_tools=bool(tool))


@app.command("list", epilog=examples("groundwire source list --tenant acme"))
def list_sources(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the sources, with the counts of offered and of changed tools."""
    rows = current_target().tenant(tenant).sources.all()
    if as_json:
        print_json(rows)
    else:
        print_sources(rows)


@app.command(epilog=examples("groundwire source show wiki --tenant acme"))
def show(name: NameArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Show a source with all its tools, offered or not."""
    row = current_target().tenant(tenant).sources.find(name)
    if as_json:
        print_json(row)
    else:
        print_source(row)


@app.command(epilog=examples("groundwire source accept wiki --tenant acme --tool edit --yes"))
def accept(
    name: NameArgument,
    tenant: TenantOption,
    tool: Annotated[
        list[str],
        typer.Option("--tool", help="Only this tool, which may be a new one; repeat for more."),
    ] = [],
    *,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show what changed in the tools of a source, then offer them as they are declared now."""
    target = current_target().tenant(tenant)
    with _waiting():
        # Asked anew, because the server may declare other tools than those that are stored.
        row = target.sources.inspect(name)
    entries = acceptable_tools(row, tool)
    for entry in entries:
        show_change(entry)
    if entries:
        if not yes:
            typer.confirm("Offer these tools as the server declares them now?", abort=True, err=True)
        with _waiting():
            row = target.sources.change(str(row["id"]), acceptance_body(row, entries))
    if as_json:
        print_json(row)
    else:
        print_line(f"Source {row['name']} of {target.title} offers: {', '.join(tools_of(row, ENABLED)) or 'no tool'}.")


@app.command("set-policy", epilog=examples("groundwire source set-policy wiki --tenant acme --public"))
def set_policy(
    name: NameArgument,
    tenant: TenantOption,
    user: UsersOption = [],
    any_tag: AnyTagsOption = [],
    all_tag: AllTagsOption = [],
    *,
    public: PublicOption = False,
    nobody: Annotated[bool, typer.Option("--nobody", help="Nobody may call its tools.")] = False,
    yes: NewTagsOption = False,
) -> None:
    """Change who may call the tools of a source."""
    policy = policy_from_options(public=public, users=user, any_tags=any_tag, all_tags=all_tag)
    # No default: a forgotten option must neither close the tools nor open them.
    if (policy is None) != nobody:
        raise InvalidInput(
            "Give the users who may call its tools (--public, --user, --any-tag, --all-tag) or --nobody."
        )
    target = current_target().tenant(tenant)
    source_id = str(target.sources.find(name)["id"])
    new_tags = new_tags_member(allows_new=confirm_tags(target, [*any_tag, *all_tag], is_confirmed=yes))
    row = target.sources.change(source_id, {"policy": policy_to_mapping(policy or NO_READERS), **new_tags})
    print_line(f"The tools of {row['name']} may be called by: {readers_of(row)}.")


@app.command(epilog=examples("groundwire source remove wiki --tenant acme --yes"))
def remove(name: NameArgument, tenant: TenantOption, *, yes: YesOption = False) -> None:
    """Remove a source and its credential; agents no longer get its tools."""
    target = current_target().tenant(tenant)
    row = target.sources.find(name)
    if not yes:
        typer.confirm(f"Remove source {row['name']} of {target.title}?", abort=True)
    target.sources.delete(str(row["id"]))
    print_line(f"Removed source {row['name']}.")


@contextmanager
def _waiting() -> Generator[None]:
    """Show on a terminal that the source's server is called."""
    with stage_progress() as report:
        report("connecting to the source's server", 0.0)
        yield


def _warn_of_next_steps(*, has_readers: bool, has_tools: bool) -> None:
    if not has_readers:
        warn("Nobody may call its tools yet. Change that with `groundwire source set-policy`.")
    if not has_tools:
        warn("None of its tools is offered to agents yet. Offer one with `groundwire source accept NAME --tool TOOL`.")
