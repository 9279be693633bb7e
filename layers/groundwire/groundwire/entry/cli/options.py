"""Options that several commands share: readers, metadata, tenant, JSON output."""

import re
from collections import defaultdict
from typing import Annotated, Final

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_input import parse_policy
from groundwire.domain.documents.metadata import Metadata, metadata_from_mapping
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.own.literals import parse_literals
from groundwire.entry.cli.console import warn
from groundwire.entry.cli.target import current_target

_LEADING_OPTIONS: Final = frozenset({"--scope", "--act-as", "--oauth", "--for", "--public"})
"""Options that decide what the others mean, so help has them first."""
_USUAL_OPTIONS: Final = frozenset({"--yes", "--json"})
"""Options that many commands have."""
EXAMPLES_HEADING: Final = "Examples:"


def examples(*lines: str) -> str:
    """Return the epilog of a command's help: lines to type, each on a line of its own."""
    return "\n\n".join([EXAMPLES_HEADING, *lines])


def prepare_help(command: object) -> None:
    """Prepare the help of this command and of all commands below it: flags have no type, rare options are last."""
    if not isinstance(command, (TyperCommand, TyperGroup)):
        return
    for option in (*command.params, command.get_help_option(typer.Context(command))):
        if isinstance(option, TyperOption) and option.is_flag:
            option.metavar = ""
    # Sorting is stable: arguments keep their order, which is that of the command line.
    command.params.sort(key=_rank)
    if isinstance(command, TyperGroup):
        for inner in command.commands.values():
            prepare_help(inner)


def _rank(parameter: object) -> int:
    """Return the place of a parameter in the help; what must be given precedes the rest."""
    if not isinstance(parameter, TyperOption):
        return 0
    if parameter.required or "--tenant" in parameter.opts:
        return 1
    if _LEADING_OPTIONS & set(parameter.opts):
        return 2
    return 4 if _USUAL_OPTIONS & set(parameter.opts) else 3


MetaOption = Annotated[
    list[str],
    typer.Option("--meta", metavar="FIELD=VALUE", help="Metadata of each document, for filters; repeat for a list."),
]


def metadata_from_options(options: list[str]) -> Metadata:
    """Return the metadata of the options.

    A value is a number, a date like 2024-05-31, true, false, text with or without quotes, or a list in brackets.

    Raises:
        InvalidInput: an option names no field, or has a value that cannot be stored.
    """
    fields: dict[str, list[object]] = defaultdict(list)
    lists: set[str] = set()
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise InvalidInput(f"--meta {option}: write FIELD=VALUE, such as --meta year=2024.")
        name = name.strip()
        if name in fields or value.strip().startswith("["):
            lists.add(name)
        fields[name] += parse_literals(value)
    return metadata_from_mapping({name: values if name in lists else values[0] for name, values in fields.items()})


def warn_of_spaces(tags: list[str]) -> list[str]:
    """Return the tags; warn of each that has a space where a colon is usual.

    Any text is a tag, and tags are compared exactly, so a misspelt one would match nobody without an error.
    """
    for tag in tags:
        likely = re.sub(r"\s*:\s*" if ":" in tag else r"\s+", ":", tag.strip(), count=1)
        if likely != tag:
            warn(f"Warning: the tag {tag!r} has a space. Tags are compared exactly. Did you mean {likely!r}?")
    return tags


PublicOption = Annotated[bool, typer.Option("--public", help="All users of the tenant may read.")]
UsersOption = Annotated[list[str], typer.Option("--user", help="This user may read; repeat for more.")]
AnyTagsOption = Annotated[
    list[str],
    typer.Option("--any-tag", help="Users with one of these tags may read; repeat for more.", callback=warn_of_spaces),
]
AllTagsOption = Annotated[
    list[str],
    typer.Option(
        "--all-tag", help="Users must also have each of these tags; repeat for more.", callback=warn_of_spaces
    ),
]


def policy_from_options(*, public: bool, users: list[str], any_tags: list[str], all_tags: list[str]) -> Policy | None:
    """Return the policy of the options, or None when none was given."""
    if not (public or users or any_tags or all_tags):
        return None
    return parse_policy(public=public, users=users, any_tags=any_tags, all_tags=all_tags)


ReasonOption = Annotated[
    str, typer.Option("--reason", help="Why, for the record of the document and the audit log.", show_default=False)
]
NewTagsOption = Annotated[bool, typer.Option("--yes", "-y", help="Skip the question about a tag that nobody has yet.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def _require_tenant(context: typer.Context, tenant: str) -> str:
    if not tenant and current_target().requires_tenant and not context.resilient_parsing:
        names = [str(row["name"]) for row in current_target().tenants.all()]
        only = f"{names[0]} is the only one" if len(names) == 1 else "`groundwire tenant list` lists them"
        raise InvalidInput(f"Name the tenant with --tenant (-t): {only}.")
    return tenant


TenantOption = Annotated[
    str,
    typer.Option(
        "--tenant",
        "-t",
        default_factory=str,
        show_default=False,
        callback=_require_tenant,
        help="Name or id of the tenant. Required, except with `groundwire --url`.",
    ),
]
