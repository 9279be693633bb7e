"""The commands of the command line, with their help, parameters and examples."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, Literal, get_args, get_origin

import typer.main
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from groundwire.entry.cli.main import app
from groundwire.entry.cli.options import EXAMPLES_HEADING, prepare_help

PROGRAM: Final = "groundwire"
_CALL: Final = re.compile(rf"(?:^| ){PROGRAM} ")
_VALUE_NAMES: Final[Mapping[object, str]] = {str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "PATH"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument or an option.

    Attributes:
        names: all its names; of an argument the one name of its value.
        value: name of its value; empty for a flag.
        choices: the values that it accepts, if it is bounded to some.
        variable: environment variable that may hold the value; empty if none may.
    """

    names: Sequence[str]
    value: str
    choices: Sequence[str]
    help: str
    default: str
    variable: str
    is_argument: bool
    is_required: bool
    is_repeatable: bool


@dataclass(frozen=True, slots=True)
class CommandHelp:
    """A command, or a group of commands, as its `--help` describes it."""

    words: Sequence[str]
    help: str
    examples: Sequence[str]
    parameters: Sequence[Parameter]
    is_group: bool

    @property
    def name(self) -> str:
        """The words that call it, the program included."""
        return " ".join((PROGRAM, *self.words))

    @property
    def purpose(self) -> str:
        """The first paragraph of its help."""
        return " ".join(self.help.partition("\n\n")[0].split())

    @property
    def texts(self) -> list[str]:
        """All its texts for people, examples left out."""
        return [self.help, *(parameter.help for parameter in self.parameters)]


def tree() -> TyperGroup:
    """Return the command line as `main` prepares it."""
    command = typer.main.get_command(app)
    assert isinstance(command, TyperGroup)
    prepare_help(command)
    return command


def command_helps() -> list[CommandHelp]:
    """Return the root, then every group and command in the order of the help."""
    return list(_walk(tree(), ()))


def _walk(command: object, words: tuple[str, ...]) -> Iterator[CommandHelp]:
    assert isinstance(command, (TyperCommand, TyperGroup))
    yield CommandHelp(
        words=words,
        help=(command.help or "").strip(),
        examples=_examples(command.epilog or ""),
        parameters=[_parameter(each) for each in command.params if not getattr(each, "hidden", False)],
        is_group=isinstance(command, TyperGroup),
    )
    if isinstance(command, TyperGroup):
        for name, inner in command.commands.items():
            yield from _walk(inner, (*words, name))


def _examples(epilog: str) -> list[str]:
    heading, *lines = epilog.split("\n\n")
    assert heading == EXAMPLES_HEADING if lines else not epilog
    return lines


def called_arguments(example: str) -> tuple[Mapping[str, str], list[str]]:
    """Return the variables that an example sets, and the arguments of its call of the program."""
    [before, call] = _CALL.split(example)
    variables = dict(word.split("=", 1) for word in before.split() if "=" in word)
    return variables, shlex.split(call)


def _parameter(parameter: object) -> Parameter:
    assert isinstance(parameter, (TyperArgument, TyperOption))
    is_argument = isinstance(parameter, TyperArgument)
    is_flag = isinstance(parameter, TyperOption) and parameter.is_flag
    name = (parameter.name or "").upper()
    annotation: object = parameter.type_descriptor.annotation
    kind = get_args(annotation)[0] if get_origin(annotation) is list else annotation
    choices = _choices(kind)
    names = [name] if is_argument else [*parameter.opts, *parameter.secondary_opts]
    if is_argument:
        value = name
    elif is_flag:
        value = ""
    else:
        value = parameter.metavar or ("VALUE" if choices else _VALUE_NAMES[kind])
    return Parameter(
        names=names,
        value=value,
        choices=choices,
        help=parameter.help or "",
        default=_default(parameter),
        variable=str(parameter.envvar or ""),
        is_argument=is_argument,
        # The tenant has a default that refuses its absence, where the target needs one.
        is_required=parameter.required or ("--tenant" in names and callable(parameter.default)),
        is_repeatable=parameter.multiple or parameter.nargs == -1 or get_origin(annotation) is list,
    )


def _choices(kind: object) -> list[str]:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(each.value) for each in kind]
    return [str(each) for each in get_args(kind)] if get_origin(kind) is Literal else []


def _default(parameter: TyperArgument | TyperOption) -> str:
    """Return the default as the help shows it, or nothing where there is none."""
    shown = getattr(parameter, "show_default", None)
    if isinstance(shown, str):
        return shown
    value = None if callable(parameter.default) else parameter.default
    return "" if value in (None, "", False, [], ()) else str(getattr(value, "value", value))
