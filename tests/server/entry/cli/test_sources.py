"""MCP sources by command: registered at a server on this machine, accepted anew and removed."""

import json

import pytest

from groundwire.domain.errors import Unavailable
from groundwire.services.sources.admin import SourceAdmin
from tests.server.entry.cli.process import on_terminal
from tests.server.entry.cli.wiki_owner import SECRET, Owner, Wiki, statuses
from tests.support.entry.command import Command
from tests.support.entry.mcp_servers.recording_server import recording_server
from tests.support.entry.mcp_servers.token_server import TokenScript, client_of


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
    assert owner("remove", "wiki", typed="n\n").code == 1
    assert owner.json("list") == [added]
    assert "Removed source wiki." in owner("remove", added["id"], "--yes").done().out
    assert owner.json("list") == []
    assert "There are no sources yet" in owner("list").done().out


def test_without_a_tool_the_tools_of_the_server_are_printed_and_none_is_offered(owner: Owner, wiki: Wiki) -> None:
    added = owner("add", "wiki", wiki.url, "--public").done()
    assert all(text in added.out for text in ("search", "Searches the wiki.", "edit", "not offered"))
    assert "None of its tools is offered" in added.line
    shown = owner.json("show", "wiki")
    assert (shown["tools"], [tool["name"] for tool in shown["further_tools"]]) == ([], ["edit", "search"])


def test_a_source_without_readers_is_open_to_nobody_until_its_policy_changes(owner: Owner, wiki: Wiki) -> None:
    added = owner("add", "wiki", wiki.url, "--tool", "search").done()
    assert "Nobody may call its tools yet" in added.line
    assert "every user of the tenant" in owner("set-policy", "wiki", "--public").done().out
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
    assert (declined.code, "Cancelled." in declined.err) == (1, True)
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


def test_an_api_key_is_typed_without_being_shown(owner: Owner, wiki: Wiki) -> None:
    words = ["source", "add", "wiki", wiki.url, "-t", "acme", "--api-key-header", "x-wiki-key", "--json"]
    with on_terminal(owner.command, *words) as typist:
        shown = typist.read_until("API key: ")
        typist.type(f"{SECRET}\n")
        code, out = typist.finish()
    assert (code, SECRET in shown + out) == (0, False)
    assert {each.headers.get("x-wiki-key") for each in wiki.server.received} == {SECRET}


def test_the_secret_of_an_oauth_client_goes_to_its_token_endpoint_alone(owner: Owner, wiki: Wiki) -> None:
    with recording_server(None, TokenScript()) as provider:
        host = f"127.0.0.1:{provider.port}"
        command = Command(owner.command.home, {"GROUNDWIRE_SOURCE_HOSTS": f"{wiki.host} {host}"})
        client = ["--client-id", "groundwire", "--token-url", f"http://{host}/token", "--scope", "wiki.read"]
        added = Owner(command).json("add", "wiki", wiki.url, *client, typed=SECRET)
    parameters = {"client_id": "groundwire", "token_url": f"http://{host}/token", "scope": "wiki.read"}
    assert added["oauth_client_credentials_parameters"] == parameters
    assert client_of(provider.received[0]) == ("groundwire", SECRET)
    assert SECRET.encode() not in wiki.server.everything()


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
        (["--api-key-header", "host"], "api_key_parameters.header: cannot be the header"),
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
    assert (refused.code, refused.line.startswith("The source cannot be used: no list of tools")) == (
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
    [changed] = [line for line in lines if line.get("action") == "source.change"]
    assert (changed["policy_before"]["public"], changed["policy_after"]["public"]) == (False, True)
    assert added["id"] in log
    assert SECRET not in log


def test_a_stored_source_is_audited_also_where_it_cannot_be_read_again(
    owner: Owner, wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(*_: object) -> None:
        raise Unavailable("The registry does not answer.")

    with monkeypatch.context() as patch:
        patch.setattr(SourceAdmin, "listing", unreadable)
        assert "does not answer" in owner("add", "wiki", wiki.url, "--public").err
    assert [row["name"] for row in owner.json("list")] == ["wiki"]
    assert [line["action"] for line in owner.command.json("audit", "list") if "source" in str(line.get("action"))] == [
        "source.create"
    ]
