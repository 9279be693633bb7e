"""`groundwire --stack NAME env`: the variables of a stack's functions, for a function that runs on this machine."""

import json
import os
from pathlib import Path
from typing import Annotated, Final

import typer

from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import print_line
from groundwire.entry.cli.options import examples
from groundwire.entry.cli.target import StackTarget, current_target

EXAMPLES: Final = examples("GROUNDWIRE_STACK=groundwire-dev groundwire env stack.json")


def env(
    file: Annotated[Path | None, typer.Argument(help="File to write; default: print to standard output.")] = None,
) -> None:
    """Write the variables of a stack's functions as JSON, for `sam local invoke --env-vars` and `groundwire invoke`.

    They are names and ARNs, no secrets. Only this user can read the file.
    """
    target = current_target()
    if not isinstance(target, StackTarget):
        raise InvalidInput("`env` reads a stack: `groundwire --stack NAME env stack.json`.")
    text = json.dumps(target.function_variables(), indent=2, sort_keys=True)
    if file is None:
        print_line(text)
        return
    _write_private(file, f"{text}\n")
    print_line(str(file))


def _write_private(file: Path, text: str) -> None:
    """Write the text as a new file, since an old one would keep its mode.

    Raises:
        InvalidInput: the file cannot be written.
    """
    try:
        file.unlink(missing_ok=True)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as written:
            written.write(text)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be written: {error.strerror}.") from error
