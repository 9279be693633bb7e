"""MCP Apps: named, listed and read for clients whose capabilities name them, and as if there were none for others."""

import re
from typing import Any, Final

import pytest

from groundwire_mcp.definitions.server import ServerDefinition
from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.server import McpServer
from groundwire_mcp.transport.exchanges import McpResponse
from tests.mcp_core.definitions import EVERYTHING_OFFERED, INFO, TOOLS, VIEW, Caller
from tests.mcp_core.promises import promise
from tests.mcp_core.requests import (
    HANDSHAKE,
    LEGACY,
    MODERN,
    RULES,
    SERVER,
    VERSIONS,
    Payload,
    ask,
    body_of,
    envelope,
    status_and_code,
)

UI: Final = "io.modelcontextprotocol/ui"
MEDIA_TYPE: Final = "text/html;profile=mcp-app"
SHOWS_APPS: Final = {"extensions": {UI: {"mimeTypes": ["text/plain", MEDIA_TYPE]}}}
META: Final = {
    "ui": {
        "csp": {"connectDomains": [], "resourceDomains": [], "frameDomains": [], "baseUriDomains": []},
        "prefersBorder": False,
    }
}
SHOWS_NONE: Final[tuple[Payload, ...]] = (
    {},
    {"extensions": {}},
    {"extensions": {"io.modelcontextprotocol/tasks": {"mimeTypes": [MEDIA_TYPE]}}},
    {"extensions": {UI: {}}},
    {"extensions": {UI: {"mimeTypes": []}}},
    {"extensions": {UI: {"mimeTypes": ["text/html"]}}},
    {"extensions": {UI: {"mimeTypes": MEDIA_TYPE}}},
    {"extensions": {UI: [MEDIA_TYPE]}},
    {"extensions": [UI]},
    {"extensions": None},
    {"experimental": {UI: {"mimeTypes": [MEDIA_TYPE]}}},
)
WITHOUT_APPS: Final = McpServer(
    EVERYTHING_OFFERED._replace(tools=[tool._replace(app_uri=None) for tool in TOOLS], apps=None), RULES
)
REQUESTS: Final[dict[str, Payload]] = {"tools/list": {}, "resources/list": {}, "resources/read": {"uri": VIEW}}


def answered(
    version: str, capabilities: Payload, method: str, server: McpServer[Caller] = SERVER, **params: Any
) -> McpResponse:
    """The answer to a client that sends these capabilities with the request, or in its handshake."""
    if version == MODERN:
        return ask(version, method, {**params, "_meta": envelope(clientCapabilities=capabilities)}, server=server)
    handshake = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": {}}
    session = ask(version, "initialize", handshake, server=server).response.headers["mcp-session-id"]
    return ask(version, method, params, more_headers={"mcp-session-id": session}, server=server)


def comparable(answer: McpResponse) -> tuple[int, object, bytes]:
    """Status, headers and bytes, without the cursor, which is sealed anew for each answer."""
    body = re.sub(rb'"nextCursor":"[^"]+"', b"", answer.response.body)
    return answer.response.status, answer.response.headers, body


@promise("F19")
@pytest.mark.parametrize("version", [*HANDSHAKE, MODERN])
def test_a_client_that_shows_apps_finds_the_one_of_a_tool_and_reads_it(version: str) -> None:
    find, look_up = body_of(answered(version, SHOWS_APPS, "tools/list"))["result"]["tools"]
    assert find["_meta"] == {"ui": {"resourceUri": VIEW}}
    assert "_meta" not in look_up
    [app, *documents] = body_of(answered(version, SHOWS_APPS, "resources/list"))["result"]["resources"]
    named = {"uri": VIEW, "name": "view", "title": "View", "description": "Shows what was found."}
    assert app == {**named, "mimeType": MEDIA_TYPE, "_meta": META}
    assert [each["uri"] for each in documents] == ["doc://a/0", "doc://a/1"]
    read = body_of(answered(version, SHOWS_APPS, "resources/read", uri=VIEW))["result"]["contents"]
    assert read == [{"uri": VIEW, "mimeType": MEDIA_TYPE, "text": "<!doctype html><title>View</title>", "_meta": META}]


@promise("F19")
@pytest.mark.parametrize("capabilities", SHOWS_NONE)
@pytest.mark.parametrize("version", [*HANDSHAKE, MODERN])
def test_every_other_client_gets_the_bytes_of_a_server_without_apps(version: str, capabilities: Payload) -> None:
    for method, params in REQUESTS.items():
        given, expected = (
            answered(version, capabilities, method, server, **params) for server in (SERVER, WITHOUT_APPS)
        )
        assert comparable(given) == comparable(expected)


@promise("F19")
@pytest.mark.parametrize("version", LEGACY)
def test_capabilities_in_a_request_of_a_handshake_revision_are_not_read(version: str | None) -> None:
    # Only 2026-07-28 has them there: a client could not know that another revision reads them.
    for method, params in REQUESTS.items():
        sent = {**params, "_meta": {"io.modelcontextprotocol/clientCapabilities": SHOWS_APPS}}
        given, expected = (ask(version, method, sent, server=server) for server in (SERVER, WITHOUT_APPS))
        assert comparable(given) == comparable(expected)


@promise("F19")
@pytest.mark.parametrize("version", VERSIONS)
def test_an_app_that_is_not_shown_is_a_missing_resource(version: str | None) -> None:
    answer = ask(version, "resources/read", {"uri": VIEW})
    assert status_and_code(answer) == (200, -32602 if version == MODERN else -32002)


@promise("F19")
def test_an_unknown_app_is_missing_and_a_later_page_repeats_no_app() -> None:
    assert status_and_code(answered(MODERN, SHOWS_APPS, "resources/read", uri="ui://groundwire/other")) == (200, -32602)
    cursor = body_of(answered(MODERN, SHOWS_APPS, "resources/list"))["result"]["nextCursor"]
    rest = body_of(answered(MODERN, SHOWS_APPS, "resources/list", cursor=cursor))["result"]["resources"]
    assert [each["uri"] for each in rest] == ["doc://a/2", "doc://a/3"]


@promise("F19", "H23")
def test_an_app_needs_the_scope_of_resources() -> None:
    params = {"uri": VIEW, "_meta": envelope(clientCapabilities=SHOWS_APPS)}
    caller = Caller(lacks={"resources/read": "search"})
    assert ask(MODERN, "resources/read", params, caller=caller).result_code is ResultCode.MISSING_SCOPE
    listed = ask(MODERN, "resources/list", {"_meta": params["_meta"]}, caller=caller)
    assert body_of(listed)["result"]["resources"] == []


@promise("F19")
def test_apps_without_resources_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="need resources"):
        McpServer(ServerDefinition(INFO, (), apps=lambda: ()), RULES)
