"""How the server introduces itself: never more than it does, never what a revision does not know."""

from typing import Any

import pytest

from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.server import McpServer
from tests.mcp_core.definitions import Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import HANDSHAKE, LEGACY, MODERN, SERVER, TOOLS_SERVER, ask, body_of, result

OFFERED = {
    "tools": {},
    "prompts": {},
    "resources": {},
    "completions": {},
    "extensions": {"io.modelcontextprotocol/skills": {}},
}
FULL = {
    "name": "groundwire",
    "version": "1.2.3",
    "title": "Groundwire",
    "description": "Answers from documents.",
    "websiteUrl": "https://example.com/docs",
    "icons": [{"src": "https://example.com/icon.svg", "mimeType": "image/svg+xml", "sizes": ["any"]}],
}


@promise("F1", "F17", "F18", "J5", "J8")
def test_discovery_states_what_a_client_needs_and_is_the_same_for_everyone() -> None:
    discovered = result(MODERN, "server/discover")
    assert discovered["supportedVersions"] == [MODERN, *reversed(HANDSHAKE)]
    assert discovered["instructions"] == "Search before you answer."
    assert discovered["cacheScope"] == "public"
    assert discovered["_meta"] == {"io.modelcontextprotocol/serverInfo": FULL}
    assert discovered == result(MODERN, "server/discover", caller=Caller((), {"prompts/get": "x"}))


@promise("J5", "F18")
def test_all_other_results_name_the_server_in_a_few_bytes() -> None:
    # It comes with every answer: the description and the pictures would come each time.
    for method in ("tools/list", "resources/list"):
        short = result(MODERN, method)["_meta"]["io.modelcontextprotocol/serverInfo"]
        assert short == {name: FULL[name] for name in ("name", "title", "version")}


@promise("F2")
@pytest.mark.parametrize(("server", "offered"), [(SERVER, OFFERED), (TOOLS_SERVER, {"tools": {}})])
def test_what_is_offered_is_declared_and_nothing_that_holds_a_stream_open(
    server: McpServer[Caller], offered: dict[str, Any]
) -> None:
    assert body_of(ask(MODERN, "server/discover", server=server))["result"]["capabilities"] == offered
    for version in HANDSHAKE:
        opened = body_of(ask(version, "initialize", {"protocolVersion": version}, server=server))["result"]
        assert opened["capabilities"] == {**offered, "logging": {}}


@promise("F18")
@pytest.mark.parametrize("version", HANDSHAKE)
def test_initialize_introduces_the_server_as_far_as_the_revision_goes(version: str) -> None:
    opened = result(version, "initialize", {"protocolVersion": version})
    known = {"2025-06-18": ("name", "version", "title"), "2025-11-25": tuple(FULL)}.get(version, ("name", "version"))
    assert opened["serverInfo"] == {name: FULL[name] for name in known}
    assert opened["instructions"] == "Search before you answer."
    assert opened.keys().isdisjoint({"resultType", "ttlMs", "cacheScope", "_meta"})


HINTS = {
    "server/discover": "public",
    "tools/list": "private",
    "prompts/list": "private",
    "resources/list": "private",
    "resources/templates/list": "private",
    "resources/read": "private",
    "skills/list": "private",
}


@promise("F17")
@pytest.mark.parametrize("method", [*HINTS, "tools/call", "prompts/get", "completion/complete"])
def test_what_may_be_cached_states_for_how_long_and_for_whom(method: str) -> None:
    params: dict[str, Any] = {
        "tools/call": {"name": "find"},
        "prompts/get": {"name": "shrug"},
        "resources/read": {"uri": "doc://a/1"},
        "completion/complete": {
            "ref": {"type": "ref/prompt", "name": "greet"},
            "argument": {"name": "name", "value": ""},
        },
    }
    given = result(MODERN, method, params.get(method))
    assert given.get("cacheScope") == HINTS.get(method)
    assert ("ttlMs" in given) == (method in HINTS)
    if method.startswith("resources/") and "templates" not in method:
        assert given["ttlMs"] == 0, "a right may end at any moment"
    if method == "tools/list":
        assert given["ttlMs"] == 0, "a description may hold what the caller can read"


@promise("F2", "J5")
@pytest.mark.parametrize("version", LEGACY)
def test_a_build_may_have_methods_of_its_own_in_the_handshake_revisions(version: str | None) -> None:
    assert result(version, "x/echo", {"a": 1}) == {"params": {"a": 1}, "user": "ada"}
    assert ask(MODERN, "x/echo").result_code == ResultCode.REMOVED_METHOD
