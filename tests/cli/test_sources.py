"""MCP sources by command: registered at a server on this machine, accepted anew, checked and removed."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support.documentation.shell import Terminal
from tests.support.entry.command import Command, Finished
from tests.support.entry.mcp_servers.recording_server import RecordingServer, recording_server
from tests.support.entry.mcp_servers.scripted_server import Script

SECRET = "wiki-key-7f3a91"
UNREACHABLE = "The MCP server of the source cannot be used: at its URL no MCP server answered"


@dataclass
class Wiki:
    """A server of two tools, whose declarations a test can change.

    Attributes:
        tools: what it declares.
    """

    server: RecordingServer
    tools: list[dict[str, Any]]

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/mcp"

    def redescribe(self, name: str, description: str) -> None:
        """Declare the tool with another description."""
        for tool in self.tools:
            if tool["name"] == name:
                tool["description"] = description


@dataclass(frozen=True)
class Owner:
    """The command of an owner to whose installation the operator allows the wiki.

    Attributes:
        tenant: options that name it.
    """

    command: Command
    tenant: tuple[str, ...] = field(default=("-t", "acme"))

    def __call__(self, *arguments: str, typed: str = "") -> Finished:
        return self.command("source", *arguments, *self.tenant, typed=typed)

    def json(self, *arguments: str, typed: str = "") -> Any:
        """What the command prints as JSON when all is well."""
        return self(*arguments, "--json", typed=typed).done().json

    def doctor(self) -> tuple[int, list[dict[str, Any]]]:
        """The exit code of `doctor`, and its findings about sources."""
        ended = self.command("doctor", "--json")
        return ended.code, [each for each in ended.json if each["check"] == "source"]


def declared(name: str, description: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    return {"name": name, "description": description, "inputSchema": schema}


@contextmanager
def running_wiki() -> Generator[Wiki]:
    tools = [declared("search", "Searches the wiki."), declared("edit", "Edits a page.")]
    with recording_server(None, Script(pages=(tools,))) as server:
        yield Wiki(server, tools)


@pytest.fixture
def wiki() -> Generator[Wiki]:
    with running_wiki() as running:
        yield running


@pytest.fixture
def owner(wiki: Wiki, tmp_path: Path) -> Owner:
    command = Command(tmp_path / "home", {"GROUNDWIRE_EGRESS_ALLOW": wiki.host})
    command.tenant("acme")
    return Owner(command)


def statuses(row: dict[str, Any]) -> dict[str, str]:
    return {tool["name"]: tool["status"] for tool in row["tools"]}


def test_a_source_with_a_tool_is_added_listed_shown_and_removed(owner: Owner, wiki: Wiki) -> None:
    options = ["--tool", "search", "--label", "w", "--description", "The wiki.", "--user", "ann"]
    added = owner.json("add", "wiki", wiki.url, *options)
    assert (added["kind"], added["auth_type"], added["validation_status"]) == (
        "remote_mcp",
        "unauthenticated",
        "active",
    )
    assert [tool["agents_call"] for tool in added["tools"]] == ["w__search"]
    assert added["policy"] == {"public": False, "users": ["ann"], "any_tags": [], "all_tags": []}
    assert owner.json("list") == [added]
    assert owner.json("show", "wiki") == owner.json("show", added["id"]) == added
    table = owner("list").done().out
    assert all(cell in table for cell in ("wiki", wiki.host, "active", "user ann"))
    shown = owner("show", "wiki").done().out
    assert all(text in shown for text in (wiki.url, "The wiki.", "w__search", "not offered", "Edits a page."))
    assert "Source wiki is removed." in owner("remove", added["id"], "--yes").done().out
    assert owner.json("list") == []
    assert "No source yet" in owner("list").done().out


def test_without_a_tool_the_tools_of_the_server_are_printed_and_none_is_offered(owner: Owner, wiki: Wiki) -> None:
    added = owner("add", "wiki", wiki.url, "--public").done()
    assert all(text in added.out for text in ("search", "Searches the wiki.", "edit", "not offered"))
    assert "None of its tools is offered" in added.line
    shown = owner.json("show", "wiki")
    assert (shown["tools"], [tool["name"] for tool in shown["further_tools"]]) == ([], ["edit", "search"])


def test_a_source_without_readers_is_open_to_nobody_until_its_policy_changes(owner: Owner, wiki: Wiki) -> None:
    added = owner("add", "wiki", wiki.url, "--tool", "search").done()
    assert "Nobody may call its tools yet" in added.line
    assert "everybody of the tenant" in owner("set-policy", "wiki", "--public").done().out
    assert owner.json("show", "wiki")["policy"]["public"] is True
    assert owner("set-policy", "wiki").code == 2
    assert "nobody" in owner("set-policy", "wiki", "--nobody").done().out


def test_a_tool_that_is_not_offered_is_offered_after_its_declaration_was_shown(owner: Owner, wiki: Wiki) -> None:
    owner("add", "wiki", wiki.url, "--public", "--tool", "search").done()
    offered = owner("accept", "wiki", "--tool", "edit", typed="y\n").done()
    assert "Edits a page." in offered.err
    assert "offers: search, edit" in offered.out
    assert statuses(owner.json("show", "wiki")) == {"search": "enabled", "edit": "enabled"}
    unknown = owner("accept", "wiki", "--tool", "delete", "--yes")
    assert (unknown.code, "no tool 'delete'" in unknown.line) == (1, True)


def test_changed_tools_are_accepted_as_they_were_shown(owner: Owner, wiki: Wiki) -> None:
    before = owner.json("add", "wiki", wiki.url, "--public", "--tool", "search", "--tool", "edit")
    wiki.redescribe("search", "Searches everything.")
    declined = owner("accept", "wiki", typed="n\n")
    assert (declined.code, "Nothing was done." in declined.err) == (1, True)
    [changed, kept] = owner.json("show", "wiki")["tools"]
    assert (changed["status"], kept["status"]) == ("changed", "enabled")
    for text in ("Searches the wiki.", "Searches everything.", changed["digest"][:12], changed["declared_digest"][:12]):
        assert text in declined.err
    assert "Edits a page." not in declined.err
    owner("accept", "wiki", typed="y\n").done()
    [accepted, other] = owner.json("show", "wiki")["tools"]
    assert (accepted["status"], accepted["digest"]) == ("enabled", changed["declared_digest"])
    assert other == before["tools"][1]
    assert "offers: search, edit" in owner("accept", "wiki").done().out


def test_only_the_named_tools_are_accepted(owner: Owner, wiki: Wiki) -> None:
    owner("add", "wiki", wiki.url, "--public", "--tool", "search", "--tool", "edit").done()
    wiki.redescribe("search", "Searches everything.")
    wiki.redescribe("edit", "Edits everything.")
    row = owner.json("accept", "wiki", "--tool", "edit", "--yes")
    assert statuses(row) == {"search": "changed", "edit": "enabled"}


def test_an_api_key_is_read_from_standard_input_and_printed_nowhere(owner: Owner, wiki: Wiki) -> None:
    added = owner("add", "wiki", wiki.url, "--api-key-header", "x-wiki-key", "--json", typed=f"{SECRET}\n").done()
    assert added.json["api_key_parameters"] == {"header": "x-wiki-key"}
    assert SECRET not in added.out + added.err + owner("show", "wiki").done().out
    assert {each.headers.get("x-wiki-key") for each in wiki.server.received} == {SECRET}
    missing = owner("add", "other", wiki.url, "--api-key-header", "x-wiki-key")
    assert (missing.code, "standard input" in missing.line) == (2, True)


def test_a_search_tool_joins_the_answers_over_a_collection(owner: Owner, wiki: Wiki) -> None:
    mapped = ["--collection", "manuals", "--search-tool", "search"]
    added = owner.json("add", "wiki", wiki.url, "--public", "--tool", "search", *mapped)
    assert added["collection_mapping"] == {"collection": "manuals", "tool": "search", "query_argument": "query"}
    assert "answers over manuals, by search" in owner("show", "wiki").done().out


@pytest.mark.parametrize(
    ("options", "stated"),
    [
        (["--collection", "manuals"], "--search-tool"),
        (["--collection", "manuals", "--search-tool", "search"], "--tool search"),
        (["--client-id", "groundwire"], "--token-url"),
        (["--api-key-header", "x-key", "--client-id", "groundwire"], "one credential"),
        (["--api-key-header", "host"], "api_key_parameters.header: is no header"),
        (["--tool", "delete"], "it has: search, edit"),
        (["--tool", "search", "--tool", "search"], "named twice"),
        (["--any-tag", "sys:secret"], "sys:secret"),
    ],
)
def test_a_source_that_cannot_be_is_refused_in_the_words_of_the_rest_api(
    owner: Owner, wiki: Wiki, options: list[str], stated: str
) -> None:
    refused = owner("add", "wiki", wiki.url, *options, typed="secret\n")
    assert (refused.code, stated in refused.line) == (2, True), refused.err
    assert owner.json("list") == []


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/mcp", "https://10.0.0.1/mcp", "http://wiki.invalid/mcp"])
def test_a_server_that_does_not_answer_is_not_stored_and_every_reason_has_one_text(owner: Owner, url: str) -> None:
    refused = owner("add", "wiki", url)
    assert (refused.code, refused.line.startswith("The MCP server of the source cannot be used: at its URL")) == (
        2,
        True,
    )
    assert owner.json("list") == []


def test_an_unknown_source_is_reported_with_the_command_that_lists_them(owner: Owner) -> None:
    for words in (
        ["show", "wiki"],
        ["accept", "wiki"],
        ["remove", "wiki", "--yes"],
        ["set-policy", "wiki", "--public"],
    ):
        missing = owner(*words)
        assert (missing.code, "`groundwire source list` names them." in missing.line) == (1, True)


def test_changes_are_audited_as_the_operators(owner: Owner, wiki: Wiki) -> None:
    added = owner.json("add", "wiki", wiki.url, "--api-key-header", "x-wiki-key", typed=SECRET)
    owner("set-policy", "wiki", "--public").done()
    owner("remove", "wiki", "--yes").done()
    log = (owner.command.home / "audit.jsonl").read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    actions = [line["action"] for line in lines if line.get("action", "").startswith("source.")]
    assert actions == ["source.create", "source.change", "source.delete"]
    assert added["id"] in log
    assert SECRET not in log


def test_doctor_has_a_line_for_each_source_and_none_without_one(owner: Owner, wiki: Wiki) -> None:
    assert owner.doctor()[1] == []
    owner("add", "wiki", f"{wiki.url}?token={SECRET}", "--public", "--tool", "search").done()
    code, [finding] = owner.doctor()
    assert (code, finding) == (
        0,
        {"check": "source", "ok": True, "detail": "wiki of acme answers; tools as accepted: 1"},
    )


def test_doctor_warns_of_changed_and_missing_tools_and_agents_get_the_new_list(owner: Owner, wiki: Wiki) -> None:
    owner("add", "wiki", f"{wiki.url}?token={SECRET}", "--public", "--tool", "search", "--tool", "edit").done()
    wiki.redescribe("search", "Searches everything.")
    wiki.tools.pop()
    code, [finding] = owner.doctor()
    assert (code, finding["ok"], finding["warning"]) == (0, True, True)
    assert "search (changed), edit (missing)" in finding["detail"]
    assert SECRET not in finding["detail"]
    assert statuses(owner.json("show", "wiki")) == {"search": "changed", "edit": "missing"}


def test_doctor_reports_a_server_that_does_not_answer_without_its_address(tmp_path: Path) -> None:
    with running_wiki() as wiki:
        owner = Owner(Command(tmp_path / "home", {"GROUNDWIRE_EGRESS_ALLOW": wiki.host}))
        owner.command.tenant("acme")
        owner("add", "wiki", f"{wiki.url}?token={SECRET}", "--public", "--tool", "search").done()
    code, [finding] = owner.doctor()
    assert (code, finding["ok"]) == (1, False)
    assert finding["detail"].startswith(f"wiki of acme: {UNREACHABLE}")
    assert SECRET not in finding["detail"]
    assert str(wiki.server.port) not in finding["detail"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Wiki, Command]]:
    """A wiki, and the command of somebody with an administrator's key for a service that may call it."""
    folder = tmp_path_factory.mktemp("service")
    with running_wiki() as wiki:
        there = Command(folder / "home", {})
        key = there.personal_key(there.tenant("acme"), "ann", "--scope", "admin", "--rate", "6000", "--burst", "1000")
        terminal = Terminal(folder, folder / "home", {})
        with terminal.serving(f"env GROUNDWIRE_EGRESS_ALLOW={wiki.host} groundwire serve") as address:
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
    assert (wrong.code, "api_key_parameters.header: is no header" in wrong.line) == (2, True)
    refused = remote("add", "other", "https://10.0.0.1/mcp")
    assert (refused.code, UNREACHABLE in refused.line) == (2, True)
    missing = remote("show", "other")
    assert (missing.code, "`groundwire source list` names them. The service is http://" in missing.line) == (1, True)
    assert "is removed" in remote("remove", "wiki", "--yes").done().out
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


def test_a_stacks_operator_is_referred_to_a_key_of_the_tenant(owner: Owner) -> None:
    refused = owner.command("--stack", "dev", "source", "list")
    assert (refused.code, "leave --stack out" in refused.line) == (2, True)
