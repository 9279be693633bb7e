"""`groundwire connect`: lines for a client, and files of a project that have no key and keep what they had."""

import json
from pathlib import Path

import pytest

from groundwire.entry.cli.server.client_lines import Client, project_file
from tests.support.entry.command import Command

WRITTEN = [client for client in Client if project_file(client, "http://127.0.0.1:8080") is not None]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("client", list(Client))
def test_each_client_gets_the_address_of_the_server_and_no_key_of_this_machine(
    groundwire: Command, client: Client
) -> None:
    printed = groundwire("connect", client, "--server", "https://rag.acme.example/mcp").done()
    assert "https://rag.acme.example" in printed.out
    assert "/mcp/mcp" not in printed.out
    assert "127.0.0.1" not in printed.out + printed.err
    assert "gw_local_" not in printed.out


@pytest.mark.parametrize("client", [Client.VSCODE, Client.CURSOR, Client.CLAUDE_DESKTOP])
def test_a_configuration_is_all_of_standard_output(groundwire: Command, client: Client) -> None:
    assert "groundwire" in next(iter(groundwire("connect", client).done().json[_servers(client)]))


def _servers(client: Client) -> str:
    return "servers" if client is Client.VSCODE else "mcpServers"


@pytest.mark.parametrize("client", [Client.CHATGPT, Client.MINDSET])
def test_a_service_on_the_internet_needs_a_public_address(groundwire: Command, client: Client) -> None:
    assert "public https address" in groundwire("connect", client).done().err
    assert "public https" not in groundwire("connect", client, "--server", "https://rag.acme.example").done().err


@pytest.mark.parametrize("client", WRITTEN)
def test_write_adds_the_server_to_the_file_of_a_project_and_keeps_what_it_had(
    groundwire: Command, project: Path, client: Client
) -> None:
    file = project_file(client, "https://rag.acme.example")
    assert file is not None
    path = project / file.path
    path.parent.mkdir(exist_ok=True)
    name = _servers(client)
    before = {"other": {"ü": 1}, name: {"theirs": {"url": "https://x.example"}, "groundwire": {"url": "old"}}}
    path.write_text(json.dumps(before | {"inputs": [{"id": "groundwire-key"}, {"id": "theirs"}]}))
    for _ in range(2):
        groundwire("connect", client, "--server", "https://rag.acme.example", "--write").done()
    after = json.loads(path.read_text())
    assert after["other"] == before["other"]
    assert after[name] == {"theirs": {"url": "https://x.example"}, **file.members[name]}
    assert [each["id"] for each in after["inputs"]] == (
        ["theirs", "groundwire-key"] if client is Client.VSCODE else ["groundwire-key", "theirs"]
    )


@pytest.mark.parametrize("client", WRITTEN)
def test_a_new_file_has_no_key_and_is_the_only_one(groundwire: Command, project: Path, client: Client) -> None:
    groundwire("connect", client, "--write").done()
    [path] = [path for path in project.rglob("*") if path.is_file()]
    assert "gw_" not in path.read_text()


@pytest.mark.parametrize("content", ["// a comment\n{}", "[]", '{"servers": []}', '{"inputs": {}}', "{"])
def test_a_file_that_cannot_be_changed_without_loss_stays_as_it_is(
    groundwire: Command, project: Path, content: str
) -> None:
    path = project / ".vscode" / "mcp.json"
    path.parent.mkdir()
    path.write_text(content)
    refused = groundwire("connect", "vscode", "--write")
    assert (refused.code, "by hand, without --write" in refused.line) == (2, True)
    assert path.read_text() == content


@pytest.mark.parametrize("link", [".vscode", ".vscode/mcp.json"])
def test_no_link_of_a_project_leads_the_command_to_another_file(
    groundwire: Command, project: Path, tmp_path: Path, link: str
) -> None:
    private = tmp_path / "private"
    private.mkdir()
    (private / "mcp.json").write_text('{"servers": {"theirs": {"headers": {"Authorization": "Bearer secret"}}}}')
    target = private if link == ".vscode" else private / "mcp.json"
    (project / link).parent.mkdir(exist_ok=True)
    (project / link).symlink_to(target)
    before = (private / "mcp.json").read_bytes()
    refused = groundwire("connect", "vscode", "--write")
    assert (refused.code, "by hand, without --write" in refused.line) == (2, True)
    assert (private / "mcp.json").read_bytes() == before
    assert (project / link).is_symlink()


def test_what_a_project_prepares_beside_the_file_is_not_written_through(
    groundwire: Command, project: Path, tmp_path: Path
) -> None:
    profile = tmp_path / "profile"
    profile.write_text("own\n")
    (project / "..mcp.json.part").symlink_to(profile)
    groundwire("connect", "claude-code", "--write").done()
    assert profile.read_text() == "own\n"
    assert "groundwire" in json.loads((project / ".mcp.json").read_text())["mcpServers"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644])
def test_a_file_that_others_may_not_read_stays_so(groundwire: Command, project: Path, mode: int) -> None:
    path = project / ".mcp.json"
    path.write_text('{"mcpServers": {"theirs": {"headers": {"Authorization": "Bearer secret"}}}}')
    path.chmod(mode)
    groundwire("connect", "claude-code", "--write").done()
    assert (path.stat().st_mode & 0o777, "secret" in path.read_text()) == (mode, True)
    assert [each.name for each in project.iterdir()] == [".mcp.json"]


def test_a_client_without_a_file_of_a_project_cannot_be_written(groundwire: Command, project: Path) -> None:
    refused = groundwire("connect", "curl", "--write")
    assert (refused.code, "claude-code, vscode, cursor" in refused.line) == (2, True)
    assert not any(project.iterdir())


@pytest.mark.parametrize(
    "server", ["rag.acme.example", "ftp://x", "https://", "https://a:b@x", "https://:b@x", "https://x?y=1", ""]
)
def test_an_impossible_address_is_refused(groundwire: Command, server: str) -> None:
    refused = groundwire("connect", "curl", "--server", server)
    assert (refused.code, "--server must be an address" in refused.line) == (2, True)


def test_without_a_client_and_a_demo_the_command_names_both_ways_on(groundwire: Command) -> None:
    refused = groundwire("connect")
    assert (refused.code, "groundwire demo" in refused.line, "connect claude-code" in refused.line) == (1, True, True)
