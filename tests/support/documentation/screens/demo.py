"""A demo with a history of people, runs and evaluations, as the pictures of the page show it."""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.entry.command import Command
from tests.support.entry.demo_server import started

ROOT: Final = Path(__file__).parents[4]
ELIF: Final = "elif@weirhaven.example"
NOOR: Final = "noor@weirhaven.example"
SALES: Final = "department:sales"
_PAGE: Final = re.compile(r"^page\s+(\S+)$", re.MULTILINE)
_HISTORY: Final = (
    ("user", "set", ELIF, "--tag", SALES, "--yes"),
    ("user", "set", NOOR, "--tag", "department:finance", "--yes"),
    ("group", "set", "Sales EMEA", "--tag", SALES, "--yes"),
    ("user", "block", "lost-laptop@weirhaven.example"),
    ("user", "set", "leaver@weirhaven.example", "--tag", SALES, "--yes"),
    ("user", "offboard", "leaver@weirhaven.example"),
    ("eval", str(ROOT / "samples" / "questions")),
    ("eval", str(ROOT / "samples" / "questions")),
)
"""What happened in the tenant before the pictures: the arguments of commands."""


@dataclass(frozen=True, slots=True)
class Demo:
    """A running demo: the one-time address of its page, and the ids of its documents by file name."""

    page: str
    documents: Mapping[str, str]


@contextmanager
def running_demo(home: Path, files: Path) -> Generator[Demo]:
    """Yield a new demo with a history, whose files are made in an empty folder; it ends with the block."""
    with started(home) as server:
        found = _PAGE.search(server.printed)
        assert found, server.printed
        _make_history(server.command, files)
        yield Demo(found[1], _documents(server.command))


def _documents(command: Command) -> dict[str, str]:
    return {each["file"]: each["doc_id"] for each in command.json("documents", "list", "--tenant", "demo")}


def _make_history(command: Command, files: Path) -> None:
    """Run what happened before: people, a run with a refused file, a deleted document, evaluations."""
    (files / "old-price-list.md").write_text("# Old prices\n\nThe Sandpiper cost 1,900 euros.\n", encoding="utf-8")
    (files / "damaged.pdf").write_bytes(b"%PDF-1.7 nothing of a document")
    command("ingest", str(files), "--any-tag", SALES, "--yes", "--tenant", "demo")
    command("documents", "delete", _documents(command)["old-price-list.md"], "--yes", "--tenant", "demo").done()
    for arguments in _HISTORY:
        command(*arguments, "--tenant", "demo").done()
