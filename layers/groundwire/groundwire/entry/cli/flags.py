"""Flags in help texts: shown without the type of a value, because they take none."""

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption


def hide_flag_types(command: object) -> None:
    """Show no type behind the flags of this command and of all commands below it."""
    if not isinstance(command, (TyperCommand, TyperGroup)):
        return
    for option in (*command.params, command.get_help_option(typer.Context(command))):
        if isinstance(option, TyperOption) and option.is_flag:
            option.metavar = ""
    if isinstance(command, TyperGroup):
        for inner in command.commands.values():
            hide_flag_types(inner)
