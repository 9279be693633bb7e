"""The page's commands, run by curl against a server: address, key and session id are filled in, nothing else."""

import json
import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.server.dialects.foundry.edge import TOOLS
from tests.server.dialects.foundry.page import CLUSTER, KEY_HEADER, PROTOCOL, SESSION, SESSION_ID
from tests.support.entry.command import Command
from tests.support.entry.demo_server import Server, started


def run(command: str, url: str, session: str, token: str) -> str:
    filled = command.replace(CLUSTER, url).replace(SESSION_ID, session)
    environment = {**os.environ, "TOKEN": token}
    done = subprocess.run(
        ["bash", "-c", filled], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def results(server: Server, token: str, commands: Sequence[str] = SESSION) -> list[dict[str, Any]]:
    """Return what the session's search finds, once the steps before it are answered as the page shows."""
    has_started = run(commands[0], server.url, "", token)
    head, _, body = has_started.replace("\r\n", "\n").rpartition("\n\n")
    assert json.loads(body)["result"]["protocolVersion"] == PROTOCOL
    [session] = re.findall(r"^mcp-session-id: (\S+)$", head, re.MULTILINE | re.IGNORECASE)
    listed = json.loads(run(commands[1], server.url, session, token))
    assert [tool["name"] for tool in listed["result"]["tools"]] == list(TOOLS)
    found = json.loads(run(commands[2], server.url, session, token))
    assert found["id"] == 3
    [block] = found["result"]["content"]
    return json.loads(block["text"])["edgeragapp"]["results"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page") / "home"


@pytest.fixture(scope="module")
def token(home: Path) -> str:
    """A personal key in a tenant with a manual that its user may read, and one that nobody may."""
    command = Command(home, {})
    tenant = command.tenant("edge")
    for name, text, reader in (
        ("manual.md", "# Reset\n\nHold the red button to reset your device.\n", ("--public",)),
        ("secret.md", "# Reset\n\nThe code resets every device.\n", ("--user", "aldo@edge.example")),
    ):
        file = home.parent / name
        file.write_text(text, encoding="utf-8")
        command.ingest(tenant, file, *reader)
    return command.personal_key(tenant, "ben@edge.example", "--scope", "search")


def test_the_session_of_three_steps_finds_what_the_user_may_read(home: Path, token: str) -> None:
    with started(home, "serve") as server:
        found = results(server, token)
    assert [each["file_path"] for each in found] == ["manual.md"]
    assert "Hold the red button" in found[0]["content"]
    assert found[0]["page_numbers"] == []


def test_with_a_key_for_this_machine_the_session_needs_none_as_by_port_forward(home: Path, token: str) -> None:
    keyless = [command.replace(KEY_HEADER, "") for command in SESSION]
    assert all("Authorization" not in command for command in keyless)
    with started(home, "serve", options=("--open-as", token)) as server:
        assert f"{server.url}/edgeai/mcp" in server.printed
        assert token not in server.output
        assert [each["file_path"] for each in results(server, "", keyless)] == ["manual.md"]
