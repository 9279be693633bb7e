"""docs/reference/cli.md: every command with its options, an example and the exit codes."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from groundwire.entry.cli.target.rest import RestTarget
from groundwire.entry.cli.target.stack import StackTarget
from tests.support.documentation.reference.command_tree import CommandHelp, Parameter, command_helps

EXIT_CODES: Final[Mapping[str, str]] = {
    "0": "The command succeeded.",
    "1": "The command failed, you declined its question, or a check found an error.",
    "2": "An input is wrong: an option, an argument, a value or a policy file.",
    "130": "You ended the command with Ctrl-C (SIGINT).",
    "143": "SIGTERM ended the command.",
}
_GUIDES: Final[Mapping[str, str]] = {
    "ingest": "[ingest](../ingest.md)",
    "apply": "[jobs](../operate/jobs.md#keys-users-and-groups-in-one-file)",
    "search": "[retrieval](../retrieval.md)",
    "replay": "[dialects](../dialects.md)",
    "ingestion": "[ingest](../ingest.md)",
    "eval": "[retrieval](../retrieval.md)",
    "evaluation": "[evaluation](../retrieval/evaluation.md)",
    "rebuild": "[parser](../operate/parsing-function.md)",
    "reindex": "[retrieval](../retrieval.md)",
    "serve": "[serving](../operate/serving.md)",
    "demo": "[README](../../README.md)",
    "console": "[the page](../operate/console.md)",
    "connect": "[first answer](../start.md)",
    "doctor": "[doctor](../operate/doctor.md)",
    "compact": "[backup](../operate/backup.md)",
    "backup": "[backup](../operate/backup.md)",
    "replay-deletions": "[backup](../operate/backup.md)",
    "restore": "[backup](../operate/backup.md#restore)",
    "events": "[sample events](../operate/sample-events.md)",
    "invoke": "[sample events](../operate/sample-events.md)",
    "env": "[sample events](../operate/sample-events.md)",
    "tenant": "[deletion](../operate/deletion.md)",
    "user": "[access](../access.md)",
    "key": "[keys](../operate/keys.md)",
    "group": "[sign-in](../oauth.md)",
    "tags": "[access](../access.md)",
    "access": "[who can read](../operate/who-can-read.md)",
    "collection": "[retrieval](../retrieval.md)",
    "documents": "[ingest](../ingest.md)",
    "source": "[sources](../sources.md)",
    "audit": "[monitoring](../operate/monitoring.md)",
    "index": "[backup](../operate/backup.md)",
    "model": "[retrieval](../retrieval.md)",
}
"""Guide of each command or group."""
_PREPARATIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "source": (
        "\nThe server of these examples is on this machine. Its operator allows such a server:\n",
        "```sh\nexport GROUNDWIRE_SOURCE_HOSTS=127.0.0.1:9000\n```",
    )
}
"""What the examples of a group need first."""
_CODE: Final = re.compile(
    r"`[^`]+`|(?<!\w)'[^']+'(?!\w)|(?<![\w`])--[a-z][a-z-]+(?: [A-Z]+)?|\b[A-Z]+(?:_[A-Z]+)+\b|\.policy\.yaml"
)
_INTRO: Final = """# Command line

`groundwire` works on the [home folder](../operate/home.md) of this machine. With `--url` it works on a service, by a
key, and with `--stack` on an AWS stack ([remote](../operate/remote.md)). The last column of the table shows which
commands can do that. `groundwire COMMAND --help` prints the texts of this page.

In the examples, `$KEY` is a key and `$KID` its public part. `$DOC` is the id of a document, and `$WIKI_KEY` a key of
another system. `$EVALUATION` and `$EARLIER` are ids of stored evaluations, and `$RUN`
is that of a run of `groundwire ingest`.
"""


def cli_page() -> str:
    """Return the page."""
    root, *commands = command_helps()
    parts = [_INTRO, "\n".join(_overview(commands)), "\n".join(_exit_codes()), "\n".join(_options_of_all(root))]
    return "\n\n".join([*(part.strip() for part in parts), *("\n".join(_section(each)) for each in commands)]) + "\n"


def _overview(commands: list[CommandHelp]) -> Iterator[str]:
    yield "| command | purpose | also with |"
    yield "|---|---|---|"
    for command in commands:
        if not command.is_group:
            link = f"[`{' '.join(command.words)}`](#{command.name.replace(' ', '-')})"
            yield f"| {link} | {markdown(command.purpose)} | {_targets(command)} |"


def _exit_codes() -> Iterator[str]:
    yield "## Exit codes\n"
    yield "| code | meaning |"
    yield "|---|---|"
    yield from (f"| {code} | {meaning} |" for code, meaning in EXIT_CODES.items())
    yield "\nAn error is one line on standard error. [Errors](errors.md) lists the kinds of errors."


def _options_of_all(root: CommandHelp) -> Iterator[str]:
    yield "## Options of every command\n"
    yield "These options precede the command: `groundwire --url URL documents list`.\n"
    yield from map(_item, root.parameters)
    yield "\n`--help` after a command prints its help. A flag takes no value."


def _section(command: CommandHelp) -> Iterator[str]:
    guide = _GUIDES[command.words[0]]
    if command.is_group:
        yield f"## groundwire {command.words[0]}\n"
        yield f"{markdown(command.help)} Guide: {guide}."
        yield from _PREPARATIONS.get(command.words[0], ())
        return
    yield f"{'##' if len(command.words) == 1 else '###'} {command.name}\n"
    yield "\n\n".join(markdown(" ".join(paragraph.split())) for paragraph in command.help.split("\n\n"))
    if len(command.words) == 1:
        yield f"\nGuide: {guide}."
    yield f"\nUsage: `{_usage(command)}`\n"
    if command.parameters:
        yield from map(_item, command.parameters)
        yield ""
    yield "```sh"
    yield from command.examples
    yield "```"


def _usage(command: CommandHelp) -> str:
    words = [command.name]
    for parameter in command.parameters:
        shown = parameter.value + ("..." if parameter.is_repeatable and parameter.is_argument else "")
        if parameter.is_argument:
            words.append(shown if parameter.is_required else f"[{shown}]")
        elif parameter.is_required:
            words.append(f"{parameter.names[0]} {shown}")
    return " ".join(words) + (" [OPTIONS]" if any(not each.is_required for each in command.parameters) else "")


def _item(parameter: Parameter) -> str:
    names = ", ".join(map(_code, parameter.names))
    value = "" if parameter.is_argument or not parameter.value else f" {parameter.value}"
    facts = [
        *(["required"] if parameter.is_required else []),
        *(["repeatable"] if parameter.is_repeatable else []),
        *([f"default `{parameter.default}`"] if parameter.default else []),
        *([f"or the variable `{parameter.variable}`"] if parameter.variable else []),
    ]
    known = f" ({', '.join(facts)})" if facts else ""
    choices = f" One of {', '.join(map(_code, parameter.choices))}." if parameter.choices else ""
    return f"* {names}{value}{known}: {markdown(parameter.help.replace('; repeat for more', ''))}{choices}"


def _code(text: str) -> str:
    return f"`{text}`"


def markdown(text: str) -> str:
    """Return a text of the help with options, settings and quoted values as code, and with a full stop."""
    coded = _CODE.sub(lambda found: _code(found[0].strip("`'")), " ".join(text.split()))
    return coded if coded.endswith((".", ":", "`.")) else f"{coded}."


def _targets(command: CommandHelp) -> str:
    word = command.words[0]
    remote = word in (RestTarget.supported_commands or ()) and "Not available with --url" not in command.help
    stack = word in (StackTarget.supported_commands or ())
    return ", ".join([*(["`--url`"] if remote else []), *(["`--stack`"] if stack else [])])
