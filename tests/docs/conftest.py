import json
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest

from tests.support.documentation.command_coverage import PROVED_BY, SERVING
from tests.support.documentation.pages import README, ROOT, commands
from tests.support.documentation.shell import Terminal
from tests.support.documentation.wiki import running_wiki
from tests.support.entry.preloaded import preloaded_command

_KEY: Final = re.compile(r"^gw_local_([0-9A-Za-z]{12})_\w+$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reader who has followed the README and continues with other pages.

    Attributes:
        terminal: in a folder that looks like the checkout.
        printed: what each of the README's commands printed.
    """

    terminal: Terminal
    printed: dict[str, str]

    def other_place(self, home: Path) -> "Reader":
        """The same reader with a copy of the home, free to change it."""
        shutil.copytree(self.terminal.home, home)
        return Reader(replace(self.terminal, home=home), self.printed)


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """After the README's own commands, with its server running."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / ".venv").symlink_to(sys.prefix)
    for name in ("bench", "functions", "layers", "pyproject.toml", "samples", "tests", "tools"):
        (folder / name).symlink_to(ROOT / name)
    with preloaded_command(tmp_path_factory.mktemp("bin")) as programs:
        yield from _reading(Terminal(folder, folder / "home", {}, programs=programs))


def _reading(terminal: Terminal) -> Iterator[Reader]:
    terminal.run("groundwire model build")
    printed = {command: terminal.run(command) for command in commands(README) if _is_ordinary(command)}
    variables = _variables(terminal, "".join(printed.values()))
    # The pages that follow begin in a terminal in which these alone are set.
    terminal.forget()
    with running_wiki() as wiki, terminal.serving(f"env GROUNDWIRE_SOURCE_HOSTS={wiki} {SERVING}") as address:
        yield Reader(replace(terminal, variables=variables, server=address, wiki=wiki), printed)


def _is_ordinary(command: str) -> bool:
    return not command.startswith(("curl ", SERVING, *PROVED_BY))


def _variables(terminal: Terminal, printed: str) -> dict[str, str]:
    """Return the variables that the pages call `$KEY`, `$KID`, `$ADMIN`, `$DOC`, `$SEGMENT` and `$WIKI_KEY`."""
    [key] = _KEY.finditer(printed)
    documents = json.loads(terminal.run("groundwire documents list --tenant acme --json"))
    [handbook] = [row["doc_id"] for row in documents if row["file"] == "employee-handbook.pdf"]
    found = json.loads(terminal.run("groundwire search leave --tenant acme --json"))
    order = "groundwire key create --tenant acme --user olga@acme.example --scope admin --may-search-as --json"
    admin = json.loads(terminal.run(order))["key"]
    return {
        "KEY": key[0],
        "ADMIN": admin,
        "KID": key[1],
        "DOC": handbook,
        "SEGMENT": found[0]["segment_uid"],
        "WIKI_KEY": "of-the-wiki",
    }
