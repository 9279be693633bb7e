"""Root of the command line: its groups, and the conversion of errors into one line and an exit code.

Exit codes: 0 success, 1 failed or declined, 2 wrong usage, 130 and 143 ended by SIGINT and SIGTERM.
"""

import sys
from typing import Annotated

import typer
import typer.main

from groundwire import __version__, wiring
from groundwire.domain.error_codes import COMMAND_HINTS, message_with_hint
from groundwire.domain.errors import DomainError, InvalidInput, NotFound
from groundwire.entry.cli.commands import audit, collections, documents, indexes, models, storage, tenants, users
from groundwire.entry.cli.commands.doctor import doctor
from groundwire.entry.cli.commands.events import events
from groundwire.entry.cli.commands.reindex import reindex
from groundwire.entry.cli.commands.sources import command as sources
from groundwire.entry.cli.console import print_line, warn
from groundwire.entry.cli.evaluate.command import evaluate
from groundwire.entry.cli.ingest import command as ingest
from groundwire.entry.cli.keys import command as keys
from groundwire.entry.cli.options import hide_flag_types
from groundwire.entry.cli.search import command as search
from groundwire.entry.cli.search.replay import replay
from groundwire.entry.cli.server import commands
from groundwire.entry.cli.target import LocalTarget, current_target, select_target

app = typer.Typer(
    name="groundwire",
    help="Answer agents from your own documents, and only from those that each end user may read.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.add_typer(tenants.app, name="tenant", help="Tenants: create, list, delete.")
app.add_typer(users.app, name="user", help="Tags that a tenant keeps for its users.")
app.add_typer(keys.app, name="key", help="API keys: create, list, rotate, revoke.")
app.add_typer(collections.app, name="collection", help="Collections and their fusion weight.")
app.add_typer(documents.app, name="documents", help="What is in: list, show, re-policy, delete.")
app.add_typer(sources.app, name="source", help="MCP servers of other systems, whose tools agents may call.")
app.add_typer(audit.app, name="audit", help="Who asked what, and whether the record is whole.")
app.add_typer(indexes.app, name="index", help="Copies of indexes, from one engine to another.")
app.add_typer(models.app, name="model", help="Embedding models and rerankers.")
app.command("ingest")(ingest.ingest)
app.command("search")(search.search)
app.command("replay")(replay)
app.command("eval")(evaluate)
app.command("reindex")(reindex)
app.command("serve")(commands.serve)
app.command("demo")(commands.demo)
app.command("doctor")(doctor)
app.command("compact")(storage.compact)
app.command("backup")(storage.backup)
app.command("events")(events)


def _version(is_requested: bool) -> None:  # noqa: FBT001 - the signature of a click callback
    if is_requested:
        print_line(f"groundwire {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    stack: Annotated[
        str | None,
        typer.Option(envvar="GROUNDWIRE_STACK", help="Work in this CloudFormation stack, as its operator through AWS."),
    ] = None,
    region: Annotated[str | None, typer.Option(help="The stack's region; default: as AWS tools find it.")] = None,
    url: Annotated[
        str | None, typer.Option(envvar="GROUNDWIRE_URL", help="Work in the service at this address, with a key.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(envvar="GROUNDWIRE_KEY", show_envvar=True, help="The key for --url; better in the environment."),
    ] = None,
    _version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    """Options of every command."""
    if context.resilient_parsing or context.invoked_subcommand is None:
        return
    target = select_target(stack=stack, region=region, url=url, key=key)
    if isinstance(target, LocalTarget):
        wiring.require_home()
    if target.supported_commands is not None and context.invoked_subcommand not in target.supported_commands:
        option, variable = ("--stack", "GROUNDWIRE_STACK") if stack else ("--url", "GROUNDWIRE_URL")
        raise InvalidInput(
            f"`{context.invoked_subcommand}` does not work from afar: leave {option} out, and {variable} unset. "
            f"With {option} there are: {', '.join(sorted(target.supported_commands))}."
        )


def main() -> None:
    """Run the command; every failure becomes one line on standard error with its remedy."""
    try:
        command = typer.main.get_command(app)
        hide_flag_types(command)
        code = command(standalone_mode=False)
    except typer.Abort:
        _fail("Nothing was done.", 1)
    except typer.TyperException as usage_error:
        # A group without a command has printed its help already; its message is empty.
        _fail(usage_error.format_message().replace("Value error, ", ""), usage_error.exit_code)
    except DomainError as domain_error:
        _fail(_message_of(domain_error), 2 if isinstance(domain_error, InvalidInput) else 1)
    except Exception as error:  # noqa: BLE001 - the last handler before the user
        _fail(f"Unexpected {type(error).__name__}: {error}. `groundwire doctor` checks this installation.", 1)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _message_of(error: DomainError) -> str:
    """Return the message; for an unknown name, with the hint at existing ones and the target's description."""
    text = message_with_hint(error, COMMAND_HINTS)
    if not isinstance(error, NotFound) or error.resource_kind is None:
        return text
    description = current_target().description
    return f"{text} {description}" if description else text


def _fail(text: str, code: int) -> None:
    if text.strip():
        warn(text, style="red")
    sys.exit(code)
