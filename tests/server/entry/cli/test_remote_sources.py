"""The same commands for the MCP sources of a service."""

from collections.abc import Generator

import pytest

from tests.server.entry.cli.wiki_owner import SECRET, UNREACHABLE, Owner, Wiki, running_wiki, statuses
from tests.support.documentation.shell import Terminal
from tests.support.entry.command import Command
from tests.support.entry.mcp_servers.recording_server import recording_server
from tests.support.entry.mcp_servers.scripted_server import json_answer


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Wiki, Command]]:
    """A wiki, and the command of somebody with an administrator's key for a service that may call it."""
    folder = tmp_path_factory.mktemp("service")
    with running_wiki() as wiki:
        there = Command(folder / "home", {})
        key = there.personal_key(there.tenant("acme"), "ann", "--scope", "admin", "--rate", "6000", "--burst", "1000")
        terminal = Terminal(folder, folder / "home", {})
        with terminal.serving(f"env GROUNDWIRE_SOURCE_HOSTS={wiki.host} groundwire serve") as address:
            yield wiki, Command(folder / "nowhere", {"GROUNDWIRE_URL": address, "GROUNDWIRE_KEY": key})


def test_sources_of_a_service_are_administered_as_on_its_own_machine(service: tuple[Wiki, Command]) -> None:
    wiki, command = service
    remote = Owner(command, ())
    assert remote.json("list") == []
    added = remote.json("add", "wiki", wiki.url, "--public", "--api-key-header", "x-wiki-key", typed=SECRET)
    assert remote.json("list") == [added]
    assert statuses(remote.json("accept", "wiki", "--tool", "search", "--yes")) == {"search": "enabled"}
    taken = remote("add", "wiki", wiki.url)
    assert (taken.code, "Another source has this name" in taken.line) == (1, True)
    wrong = remote("add", "other", wiki.url, "--api-key-header", "host", typed=SECRET)
    assert (wrong.code, "api_key_parameters.header: cannot be the header" in wrong.line) == (2, True)
    refused = remote("add", "other", "https://10.0.0.1/mcp")
    assert (refused.code, UNREACHABLE in refused.line) == (2, True)
    missing = remote("show", "other")
    assert (missing.code, "`groundwire source list` names them. The service is http://" in missing.line) == (1, True)
    assert "Removed source wiki" in remote("remove", "wiki", "--yes").done().out
    assert remote.json("list") == []


def test_a_tool_that_changes_after_it_was_shown_is_refused_and_then_shown_as_it_is(
    service: tuple[Wiki, Command],
) -> None:
    wiki, command = service
    remote = Owner(command, ())
    added = remote.json("add", "changing", wiki.url, "--public", "--tool", "search")
    wiki.redescribe("search", "Searches much.")
    assert statuses(remote.json("accept", "changing", "--tool", "edit", "--yes"))["search"] == "changed"
    wiki.redescribe("search", "Searches everything.")
    refused = remote("accept", "changing", "--yes")
    assert (refused.code, "was changed again" in refused.err, "Searches much." in refused.err) == (1, True, True)
    accepted = remote("accept", "changing", "--yes").done()
    assert "Searches everything." in accepted.err
    assert statuses(remote.json("show", added["id"])) == {"search": "enabled", "edit": "enabled"}
    remote("remove", "changing", "--yes").done()


def test_a_service_without_the_routes_is_reported_as_such(groundwire: Command) -> None:
    with recording_server(None, lambda _: json_answer({"message": "Not Found"}, 404)) as service:
        place = {"GROUNDWIRE_URL": f"http://127.0.0.1:{service.port}", "GROUNDWIRE_KEY": "gw_local_key"}
        for words in (["list"], ["add", "wiki", "https://wiki.example.com/mcp"]):
            refused = groundwire("source", *words, **place)
            assert (refused.code, "its dialect `foundry` is switched off" in refused.line) == (1, True)


def test_a_stacks_operator_is_referred_to_a_key_of_the_tenant(owner: Owner) -> None:
    refused = owner.command("--stack", "dev", "source", "list")
    assert (refused.code, "is not available with --stack" in refused.line) == (2, True)
