"""Root of the command line: its groups, and the conversion of errors into one line and an exit code.

Exit codes: 0 success, 1 failed or declined, 2 wrong usage, 130 and 143 ended by SIGINT and SIGTERM.
"""

import sys
from typing import Annotated

import typer
import typer.main

from groundwire import __version__, wiring
from groundwire.domain.error_codes import message_with_hint
from groundwire.domain.errors import DomainError, InvalidInput, NotFound
from groundwire.entry.cli.commands import (
    audit,
    collections,
    events,
    indexes,
    models,
    reindex,
    tenants,
    users,
)
from groundwire.entry.cli.commands.doctor import command as doctor
from groundwire.entry.cli.commands.documents import command as documents
from groundwire.entry.cli.commands.sources import command as sources
from groundwire.entry.cli.commands.storage import command as storage
from groundwire.entry.cli.commands.storage import replay as replayed_deletions
from groundwire.entry.cli.commands.storage import restore
from groundwire.entry.cli.console import print_line, warn
from groundwire.entry.cli.evaluate import command as evaluate
from groundwire.entry.cli.evaluate import stored as evaluations
from groundwire.entry.cli.ingest import command as ingest
from groundwire.entry.cli.ingest import required_tags
from groundwire.entry.cli.ingest import runs as ingestions
from groundwire.entry.cli.keys import access, apply, groups, tags
from groundwire.entry.cli.keys import command as keys
from groundwire.entry.cli.options import prepare_help
from groundwire.entry.cli.sample_events import invoke, stack_variables
from groundwire.entry.cli.search import command as search
from groundwire.entry.cli.search import replay
from groundwire.entry.cli.server import commands, connect, page_address
from groundwire.entry.cli.target import LocalTarget, current_target, select_target
from groundwire.settings.remedies import OPERATOR_HINTS

app = typer.Typer(
    name="groundwire",
    help="Answer agents from your own documents, and only from those that each end user may read.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.add_typer(tenants.app, name="tenant", help="Tenants: create, list, limit, suspend, delete.")
app.add_typer(users.app, name="user", help="Tags that are stored for the users of a tenant: set, list, delete.")
app.add_typer(keys.app, name="key", help="API keys: create, list, rotate, revoke; explain access tokens.")
app.add_typer(groups.app, name="group", help="Tags that groups of the identity provider give: set, list, delete.")
app.add_typer(tags.app, name="tags", help="Tags of a tenant: list those in use, rename one.")
app.add_typer(access.app, name="access", help="Access: may a person read a document and why, who can read it, what if.")
app.add_typer(collections.app, name="collection", help="Collections: list, show, set, describe, delete.")
app.add_typer(documents.app, name="documents", help="Documents: list, show, find duplicates, change access, delete.")
app.add_typer(
    sources.app,
    name="source",
    help="MCP servers of other systems, whose tools agents may call: add, list, accept, remove.",
)
app.add_typer(ingestions.app, name="ingestion", help="Runs of `groundwire ingest`: list, show, cancel.")
app.add_typer(evaluations.app, name="evaluation", help="Stored evaluations of search: list, show, compare two, delete.")
app.add_typer(audit.app, name="audit", help="The audit log: list its records, verify its chain.")
app.add_typer(indexes.app, name="index", help="Copies of an index, from one engine to another: export, import.")
app.add_typer(models.app, name="model", help="Embedding models and rerankers: build, add, list.")
access.app.command("prove", epilog=required_tags.EXAMPLES)(required_tags.prove)
app.command("ingest", epilog=ingest.EXAMPLES)(ingest.ingest)
app.command("apply", epilog=apply.EXAMPLES)(apply.apply)
app.command("search", epilog=search.EXAMPLES)(search.search)
app.command("replay", epilog=replay.EXAMPLES)(replay.replay)
app.command("eval", epilog=evaluate.EXAMPLES)(evaluate.evaluate)
app.command("reindex", epilog=reindex.EXAMPLES)(reindex.reindex)
app.command("rebuild", epilog=tenants.REBUILD_EXAMPLES)(tenants.rebuild)
app.command("serve", epilog=commands.SERVE_EXAMPLES)(commands.serve)
app.command("demo", epilog=commands.DEMO_EXAMPLES)(commands.demo)
app.command("console", epilog=page_address.CONSOLE_EXAMPLES)(page_address.console)
app.command("connect", epilog=connect.EXAMPLES)(connect.connect)
app.command("doctor", epilog=doctor.EXAMPLES)(doctor.doctor)
app.command("compact", epilog=storage.COMPACT_EXAMPLES)(storage.compact)
app.command("backup", epilog=storage.BACKUP_EXAMPLES)(storage.backup)
app.command("restore", epilog=restore.EXAMPLES)(restore.restore)
app.command("replay-deletions", epilog=replayed_deletions.EXAMPLES)(replayed_deletions.replay_deletions)
app.command("events", epilog=events.EXAMPLES)(events.events)
app.command("invoke", epilog=invoke.EXAMPLES)(invoke.invoke_event)
app.command("env", epilog=stack_variables.EXAMPLES)(stack_variables.env)


def _version(is_requested: bool) -> None:  # noqa: FBT001 - the signature of a click callback
    if is_requested:
        print_line(f"groundwire {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    stack: Annotated[
        str | None,
        typer.Option(
            envvar="GROUNDWIRE_STACK",
            help="Work on this CloudFormation stack, as its operator, with AWS credentials.",
        ),
    ] = None,
    region: Annotated[str | None, typer.Option(help="Region of the stack; default: as AWS tools find it.")] = None,
    url: Annotated[
        str | None, typer.Option(envvar="GROUNDWIRE_URL", help="Work on the service at this address, with an API key.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            envvar="GROUNDWIRE_KEY",
            show_envvar=True,
            help="Key for --url; in the variable, other users of the machine cannot see it.",
        ),
    ] = None,
    _version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Options of every command."""
    # Help and the completion of a shell need no target.
    if context.resilient_parsing or context.invoked_subcommand is None:
        return
    target = select_target(stack=stack, region=region, url=url, key=key)
    if isinstance(target, LocalTarget):
        wiring.require_home()
    if target.supported_commands is not None and context.invoked_subcommand not in target.supported_commands:
        option, variable = ("--stack", "GROUNDWIRE_STACK") if stack else ("--url", "GROUNDWIRE_URL")
        raise InvalidInput(
            f"`{context.invoked_subcommand}` is not available with {option}. Run it on the server, "
            f"without {option} and with {variable} unset. With {option} you can use: "
            f"{', '.join(sorted(target.supported_commands))}."
        )


def main() -> None:
    """Run the command; every failure becomes one line on standard error with its remedy.

    Raises:
        ModuleNotFoundError: a package is not installed.
    """
    try:
        command = typer.main.get_command(app)
        prepare_help(command)
        # Otherwise click prints errors in its own form and ends the process.
        code = command(standalone_mode=False)
    except typer.Abort:
        _fail("Cancelled.", 1)
    except typer.TyperException as usage_error:
        # A group without a command has printed its help already; its message is empty.
        _fail(usage_error.format_message().replace("Value error, ", ""), usage_error.exit_code)
    except DomainError as domain_error:
        _fail(_message_of(domain_error), 2 if isinstance(domain_error, InvalidInput) else 1)
    except ModuleNotFoundError:
        # `start` names the extra that brings the module.
        raise
    except Exception as error:  # noqa: BLE001 - the last handler before the user
        _fail(f"Unexpected {type(error).__name__}: {error}. Check this installation with `groundwire doctor`.", 1)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _message_of(error: DomainError) -> str:
    """Return the message; for an unknown name, with the hint at existing ones and the target's description."""
    text = message_with_hint(error, OPERATOR_HINTS)
    if not isinstance(error, NotFound) or error.resource_kind is None:
        return text
    description = current_target().description
    return f"{text} {description}" if description else text


def _fail(text: str, code: int) -> None:
    if text.strip():
        warn(text, style="red")
    sys.exit(code)
