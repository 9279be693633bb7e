"""Both eras of the protocol: how a server is opened, called and left."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from groundwire.ports.sources import SourceUnavailable
from groundwire_egress.mcp_client.calls import SourceToolCall
from groundwire_mcp.versions import HANDSHAKE_VERSIONS
from tests.server.services.sources.conftest import SECONDS, Start, call, client, target
from tests.support.entry.mcp_servers.recording_server import Answer, End
from tests.support.entry.mcp_servers.scripted_server import (
    HANDSHAKE,
    SESSION,
    STATELESS,
    TOOLS,
    Override,
    Script,
    error,
    events,
    json_answer,
    methods_of,
    on,
    reply,
    text_result,
)

OPENING = ["initialize", "notifications/initialized"]


def end_of(version: str) -> list[str]:
    """Return the request that ends a session in this version: servers of the older ones may not survive a deletion."""
    return ["DELETE"] if version in {"2025-06-18", "2025-11-25"} else []


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("handshake", [None, HANDSHAKE])
def test_a_server_of_the_stateless_era_is_discovered_and_called(
    start: Start, *, streams: bool, handshake: str | None
) -> None:
    server = start(Script(handshake=handshake, streams=streams))
    answer = client(server).call_tool(target(server), call(a="ü"), None, SECONDS)
    assert answer.content == [{"type": "text", "text": json.dumps({"a": "ü"})}]
    assert (answer.is_error, answer.structured, answer.protocol) == (False, None, STATELESS)
    assert methods_of(server.received) == ["server/discover", "tools/call"]
    assert len(server.raw) == 1
    assert answer.sent_bytes == sum(len(each.body) for each in server.received)


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_a_server_with_a_handshake_is_opened_called_and_left(start: Start, *, version: str, streams: bool) -> None:
    server = start(Script(stateless=False, handshake=version, streams=streams))
    answer = client(server).call_tool(target(server), call(a=1), None, SECONDS)
    assert answer.content == [{"type": "text", "text": '{"a": 1}'}]
    assert answer.protocol == version
    assert methods_of(server.received) == ["server/discover", *OPENING, "tools/call", *end_of(version)]
    opening = json.loads(server.received[1].body)["params"]
    assert (opening["protocolVersion"], opening["capabilities"]) == (HANDSHAKE, {})
    for request in server.received[2:]:
        assert request.headers["mcp-session-id"] == SESSION
        assert request.headers["mcp-protocol-version"] == version
    assert "mcp-session-id" not in server.received[1].headers
    assert len(server.raw) == 1


def test_a_server_without_sessions_is_not_informed_of_an_end(start: Start) -> None:
    server = start(Script(stateless=False, session=False))
    listing = client(server).list_tools(target(server), HANDSHAKE, SECONDS)
    assert listing.declarations == TOOLS
    assert methods_of(server.received) == [*OPENING, "tools/list"]


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (STATELESS, ["tools/call"]),
        (HANDSHAKE, [*OPENING, "tools/call", "DELETE"]),
        ("2024-11-05", [*OPENING, "tools/call", "DELETE"]),
        ("1999-01-01", ["server/discover", "tools/call"]),
    ],
)
def test_a_known_version_is_used_without_a_discovery(start: Start, known: str, expected: list[str]) -> None:
    server = start(Script())
    client(server).call_tool(target(server), call(), known, SECONDS)
    assert methods_of(server.received) == expected


@pytest.mark.parametrize("path", ["tools/list", "tools/call"])
def test_a_server_that_lost_the_stateless_era_is_discovered_again(start: Start, path: str) -> None:
    server = start(Script(stateless=False))
    calls = client(server)
    if path == "tools/list":
        assert calls.list_tools(target(server), STATELESS, SECONDS).protocol == HANDSHAKE
    else:
        assert calls.call_tool(target(server), call(), STATELESS, SECONDS).protocol == HANDSHAKE
    assert methods_of(server.received) == [path, "server/discover", *OPENING, path, "DELETE"]


@pytest.mark.parametrize("status", [200, 400, 404])
@pytest.mark.parametrize("code", [-32022, -32601, -32600])
def test_an_error_of_the_other_era_leads_to_a_discovery_and_a_tool_is_called_again_for_its_version_alone(
    start: Start, code: int, status: int
) -> None:
    def refuse(method: str) -> Override:
        return on(method, lambda message: json_answer(error(message, code, "no"), status))

    listing = start(Script(overrides=[refuse("tools/list")]))
    with pytest.raises(SourceUnavailable):
        client(listing).list_tools(target(listing), STATELESS, SECONDS)
    assert methods_of(listing.received) == ["tools/list", "server/discover", "tools/list"]
    server = start(Script(overrides=[refuse("tools/call")]))
    assert client(server).call_tool(target(server), call(), STATELESS, SECONDS).is_error
    again = ["server/discover", "tools/call"] if code == -32022 else []
    assert methods_of(server.received) == ["tools/call", *again]


def test_a_server_that_lost_the_handshake_is_discovered_again(start: Start) -> None:
    server = start(Script(handshake=None))
    assert client(server).call_tool(target(server), call(), HANDSHAKE, SECONDS).protocol == STATELESS
    assert methods_of(server.received) == ["initialize", "server/discover", "tools/call"]


def test_a_server_of_no_era_is_tried_each_way_once(start: Start) -> None:
    for known, expected in (
        (None, ["server/discover", "initialize"]),
        (STATELESS, ["tools/call", "server/discover", "initialize"]),
        (HANDSHAKE, ["initialize", "server/discover"]),
    ):
        server = start(Script(stateless=False, handshake=None))
        with pytest.raises(SourceUnavailable):
            client(server).call_tool(target(server), call(), known, SECONDS)
        assert methods_of(server.received) == expected


REFUSALS: list[Callable[[Any], Answer]] = [
    lambda _: Answer(b"", 404),
    lambda _: Answer(b"<html>", 405, {"content-type": "text/html"}),
    lambda _: Answer(b"<html>", 200, {"content-type": "text/html"}),
    lambda _: Answer(b"oops", 500),
    lambda _: Answer(b"{", 400, {"content-type": "application/json"}),
    lambda message: json_answer(error(message, -32601, "Method not found")),
    lambda message: events(error(message, -32602, "Invalid request parameters")),
    lambda message: json_answer(error(message, -32022, "Unsupported"), 400),
    lambda message: json_answer(reply(message, {"supportedVersions": ["2099-01-01"]})),
    lambda message: json_answer(reply(message, {})),
    lambda _: Answer(b"", 202),
]


@pytest.mark.parametrize("refusal", REFUSALS)
def test_every_refusal_of_the_discovery_leads_to_the_handshake(start: Start, refusal: Callable[[Any], Answer]) -> None:
    server = start(Script(overrides=[on("server/discover", refusal)]))
    assert client(server).list_tools(target(server), None, SECONDS).protocol == HANDSHAKE


@pytest.mark.parametrize("version", ["2026-07-28", "2023-01-01", "", None, 7])
def test_a_handshake_of_an_unknown_version_is_none(start: Start, version: object) -> None:
    override = on("initialize", lambda message: json_answer(reply(message, {"protocolVersion": version})))
    server = start(Script(stateless=False, overrides=[override]))
    with pytest.raises(SourceUnavailable):
        client(server).list_tools(target(server), None, SECONDS)


@pytest.mark.parametrize("session", ["a b", "\u00fc", "x" * 2_000, ""])
def test_a_session_id_that_is_none_ends_the_call(start: Start, session: str) -> None:
    result = {"protocolVersion": HANDSHAKE}
    override = on(
        "initialize", lambda message: json_answer(reply(message, result), headers={"mcp-session-id": session})
    )
    server = start(Script(stateless=False, overrides=[override]))
    with pytest.raises(SourceUnavailable):
        client(server).list_tools(target(server), None, SECONDS)


@pytest.mark.parametrize("status", [200, 400, 404, 405, 500])
@pytest.mark.parametrize("end", list(End))
def test_a_session_that_cannot_be_deleted_changes_no_answer(start: Start, status: int, end: End) -> None:
    server = start(
        Script(
            stateless=False,
            overrides=[lambda got, _: Answer(b"x" * 9_000, status, end=end) if got.method == "DELETE" else None],
        )
    )
    assert client(server).call_tool(target(server), call(), HANDSHAKE, SECONDS).content
    assert methods_of(server.received)[-1] == "DELETE"


def test_a_session_is_deleted_after_a_failure_too(start: Start) -> None:
    server = start(Script(stateless=False, call=lambda _: {"content": "none"}))
    with pytest.raises(SourceUnavailable):
        client(server).call_tool(target(server), call(), HANDSHAKE, SECONDS)
    assert methods_of(server.received)[-1] == "DELETE"


@pytest.mark.parametrize("end", [End.ANNOUNCED, End.KEPT])
def test_a_server_that_closes_after_each_answer_is_connected_to_again(start: Start, end: End) -> None:
    script = Script(stateless=False)
    server = start(lambda got: replace(script(got), end=end))
    assert client(server).call_tool(target(server), call(), HANDSHAKE, SECONDS).content
    assert len(server.raw) == (4 if end is End.ANNOUNCED else 1)


def test_a_redirect_to_the_servers_own_path_is_followed_and_one_to_another_host_is_not(start: Start) -> None:
    other = start(Script())
    moved = start(
        Script(overrides=[lambda got, _: Answer(b"", 307, {"location": "/mcp/"}) if got.target == "/mcp" else None])
    )
    assert client(moved).call_tool(target(moved), call(), STATELESS, SECONDS).content
    other_place = f"http://127.0.0.1:{other.port}/mcp"
    lost = start(Script(overrides=[lambda _, __: Answer(b"", 307, {"location": other_place})]))
    with pytest.raises(SourceUnavailable):
        client(lost, other).call_tool(target(lost), call(), STATELESS, SECONDS)
    assert not other.received


MIRRORED = {"a/b": "Region", "text": "Text", "plain": "Plain", "no": "No", "list": "List", "yes": "Yes", "n": "Number"}


def test_a_stateless_server_gets_its_arguments_in_headers_too(start: Start) -> None:
    server = start(Script())
    arguments = {"a": {"b": "Zürich"}, "text": " x ", "plain": "a b", "list": [1], "yes": True, "n": 1.5, "no": None}
    tool = SourceToolCall("tül", arguments, "", {**MIRRORED, "plain/x": "None", "yes/": "bad header:"})
    client(server).call_tool(target(server), tool, STATELESS, SECONDS)
    headers = server.received[0].headers
    assert {name: value for name, value in headers.items() if name.startswith("mcp-")} == {
        "mcp-protocol-version": STATELESS,
        "mcp-method": "tools/call",
        "mcp-name": "=?base64?dMO8bA==?=",
        "mcp-param-region": "=?base64?WsO8cmljaA==?=",
        "mcp-param-text": "=?base64?IHgg?=",
        "mcp-param-plain": "a b",
        "mcp-param-yes": "true",
        "mcp-param-number": "1.5",
    }


@pytest.mark.parametrize("text", ["=?base64?YQ==?=", "a\r\nx-evil: 1", "", "\x00", "a\u2028b"])
def test_a_text_that_a_header_cannot_hold_is_encoded(start: Start, text: str) -> None:
    server = start(Script())
    client(server).call_tool(target(server), SourceToolCall("t", {"x": text}, "", {"x": "X"}), STATELESS, SECONDS)
    headers = server.received[0].headers
    assert headers["mcp-param-x"].startswith("=?base64?")
    assert "x-evil" not in headers


def test_a_server_with_a_handshake_gets_no_header_of_an_argument(start: Start) -> None:
    server = start(Script())
    client(server).call_tool(target(server), SourceToolCall("t", {"x": "y"}, "", {"x": "X"}), HANDSHAKE, SECONDS)
    assert not [each for each in server.received if "mcp-param-x" in each.headers or "mcp-name" in each.headers]


@pytest.mark.parametrize("known", [STATELESS, HANDSHAKE])
@pytest.mark.parametrize("method", ["sampling/createMessage", "elicitation/create", "roots/list", "ping"])
def test_requests_from_the_server_are_refused(start: Start, known: str, method: str) -> None:
    def answer(message: dict[str, Any]) -> Answer:
        request = {"jsonrpc": "2.0", "id": message["id"], "method": method, "params": {}}
        return events(request, {**request, "id": "other"}, reply(message, text_result("done")))

    server = start(Script(overrides=[on("tools/call", answer)]))
    assert client(server).call_tool(target(server), call(), known, SECONDS).content[0]["text"] == "done"
    assert {"tools/call", *OPENING, "DELETE"} >= set(methods_of(server.received))
