import sys
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from groundwire.settings import environment
from groundwire_model_builder.install.builder import build_model
from tests.server.entry.cli.wiki_owner import Owner, Wiki, running_wiki
from tests.support.entry.command import Command


@pytest.fixture(scope="session", autouse=True)
def _model() -> None:
    """The commands find the model where `make run` leaves it; on a fresh checkout it is built there first."""
    build_model(environment.read_settings({}).model, lambda _stage, _fraction: None)


@pytest.fixture
def groundwire(tmp_path: Path) -> Command:
    """The command in an empty home."""
    return Command(tmp_path / "home", {})


@pytest.fixture
def tenant(groundwire: Command) -> str:
    """The id of a tenant named acme."""
    return groundwire.tenant("acme")


@pytest.fixture
def note(tmp_path: Path) -> Path:
    """A small document with two headings."""
    path = tmp_path / "files" / "note.md"
    path.parent.mkdir()
    path.write_text("# Pumps\n\nThe blue pump takes 40 litres an hour.\n\n# Valves\n\nValves close by hand.\n")
    return path


@pytest.fixture
def wiki() -> Generator[Wiki]:
    """A server of two tools."""
    with running_wiki() as running:
        yield running


@pytest.fixture
def owner(wiki: Wiki, tmp_path: Path) -> Owner:
    """The owner of the tenant acme, whose installation may call the server."""
    command = Command(tmp_path / "home", {"GROUNDWIRE_SOURCE_HOSTS": wiki.host})
    command.tenant("acme")
    return Owner(command)


_ENRICHER: Final = """
import json, os, sys, time
from pathlib import Path

parent = os.getppid()
document = json.load(sys.stdin)
gate = Path(sys.argv[1]) / "go"
while "held" in document["title"] and not gate.exists() and os.getppid() == parent:
    time.sleep(0.02)
for segment in document["segments"]:
    print("{}")
"""
"""Holds up documents with `held` in their names until a file is there."""


@pytest.fixture
def enricher(tmp_path: Path) -> str:
    """The command of the enricher; its gate is in the folder of the test."""
    program = tmp_path / "enricher.py"
    program.write_text(_ENRICHER)
    return f"{sys.executable} {program} {tmp_path}"
