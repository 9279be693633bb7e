"""Welcome text of the demo: its address, one question as two people, and where the rest is."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire.entry.cli.console import OUT, print_line
from groundwire.entry.cli.server.demo_keys import DemoKeys
from groundwire.entry.cli.server.demo_setup import TENANT

QUESTION: Final = "How low can we go on the price of a Sandpiper 400?"


@dataclass(frozen=True, slots=True)
class SampleUser:
    """A user of the sample company."""

    description: str
    user: str
    tags: tuple[str, ...]


SALES: Final = SampleUser("sales", "elif@weirhaven.example", ("department:sales",))
FINANCE: Final = SampleUser("finance", "noor@weirhaven.example", ("department:finance",))


def print_welcome(url: str, keys: DemoKeys, page: str) -> None:
    """Print few lines: the addresses, a search as each of two people, the key of an agent, and the next commands.

    Args:
        url: address of the server.
        keys: those of the demo.
        page: one-time address of its page.
    """
    program, port = program_name(), url.rpartition(":")[2]
    OUT.print(f"Groundwire answers on {url}/mcp. In another terminal:", style="bold green")
    _print_command("page", page)
    for user in (SALES, FINANCE):
        searched = f'{program} search "{QUESTION}" --tenant {TENANT} --tag {user.tags[0]}'
        _print_command(f"as {user.description}", searched)
    _print_command("key", f"export KEY={keys.act_as}")
    _print_command("clients", f"{program} connect --port {port}")
    _print_command("your files", f"{program} ingest FOLDER --tenant {TENANT} --any-tag department:sales")
    print_line("Ctrl-C stops.")


def _print_command(purpose: str, command: str) -> None:
    print_line(f"{purpose:<12}{command}")


def program_name() -> str:
    """Return what somebody in the current folder types for this program: its name if the shell finds it, else a path.

    `uvx` and `make` start a program that is not on the path.
    """
    started = Path(sys.argv[0]).absolute()
    found = shutil.which(started.name)
    if found is not None and Path(found).absolute() == started:
        return started.name
    folder = Path.cwd()
    return str(started.relative_to(folder) if started.is_relative_to(folder) else started)
