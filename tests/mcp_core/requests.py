"""A small server to talk to, and requests as clients of each revision send them; every response is validated."""

import json
import secrets
from collections.abc import Mapping
from typing import Any, Final, cast

from mcp_types._v2026_07_28 import JSONRPCErrorResponse
from mcp_types.jsonrpc import jsonrpc_message_adapter
from mcp_types.methods import SERVER_RESULTS, parse_server_notification, validate_server_result

from groundwire.adapters.codecs.aead import AesGcmSeal
from groundwire_mcp.definitions.server import ServerDependencies
from groundwire_mcp.definitions.sessions import SessionOwner
from groundwire_mcp.server import McpServer
from groundwire_mcp.transport.exchanges import McpResponse
from groundwire_mcp.transport.http import HttpRequest, HttpResponse
from groundwire_mcp.transport.origins import AllowedOrigins
from tests.mcp_core.definitions import EVERYTHING_OFFERED, TOOLS_ONLY, Caller
from tests.mcp_core.memory_sessions import Clock, MemorySessions

MODERN: Final = "2026-07-28"
HANDSHAKE: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LEGACY: Final = (None, *HANDSHAKE)
VERSIONS: Final = (*LEGACY, MODERN)
"""None: a client that sends no version header, as most agents do."""
ORIGIN: Final = "https://agents.example.com"
JSON_HEADERS: Final = {"content-type": "application/json", "accept": "application/json, text/event-stream"}

Payload = dict[str, Any]

EVERYTHING: Final = Caller()
SESSIONS: Final = MemorySessions()
CLOCK: Final = Clock()


def _visible(caller: Caller) -> tuple[str, ...]:
    return caller.toolset


def _lacking(caller: Caller, what: str) -> str | None:
    return caller.lacks.get(what)


def _owner(caller: Caller) -> SessionOwner:
    return caller.owner


def _rights(caller: Caller) -> frozenset[str]:
    return caller.tags


_SEALER: Final = AesGcmSeal(bytes(32))

RULES: Final[ServerDependencies[Caller]] = ServerDependencies(
    visible_tools=_visible,
    missing_scope=_lacking,
    session_owner=_owner,
    access_rights=_rights,
    allowed_origins=AllowedOrigins(frozenset({ORIGIN}), allows_loopback=False),
    sealer=lambda: _SEALER,
    sessions=lambda: SESSIONS,
    clock=CLOCK,
    new_session_id=lambda: secrets.token_urlsafe(32),
)
SERVER: Final = McpServer(EVERYTHING_OFFERED, RULES)
TOOLS_SERVER: Final = McpServer(TOOLS_ONLY, RULES)


def envelope(version: str = MODERN, **more: object) -> Payload:
    """The `_meta` of a 2026-07-28 client; `more` by the names that MCP reserves."""
    prefix = "io.modelcontextprotocol/"
    client = {"name": "test", "version": "1"}
    stated = {"protocolVersion": version, "clientInfo": client, "clientCapabilities": {}, **more}
    return {f"{prefix}{name}": value for name, value in stated.items()}


def message(version: str | None, method: str, params: Payload | None = None, identifier: object = 1) -> Payload:
    """A request in the words of `version`."""
    sent = dict(params or {})
    if version == MODERN:
        sent.setdefault("_meta", envelope())
    return {"jsonrpc": "2.0", "id": identifier, "method": method, "params": sent}


def headers(version: str | None, method: str, params: Payload | None = None) -> dict[str, str]:
    """The headers that a client of `version` sends with it."""
    sent = dict(JSON_HEADERS)
    if version is not None:
        sent["mcp-protocol-version"] = version
    if version == MODERN:
        sent["mcp-method"] = method
        named_by = "uri" if method == "resources/read" else "name"
        if named_by in (params or {}):
            sent["mcp-name"] = str((params or {})[named_by])
    return sent


def send(
    body: object,
    sent: Mapping[str, str],
    caller: Caller = EVERYTHING,
    method: str = "POST",
    server: McpServer[Caller] = SERVER,
) -> McpResponse:
    """The answer to a request, checked to be in form, and of its revision's schema where it is a result."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = server.handle(HttpRequest(method, "/mcp", sent, raw), caller)
    check_form(answer.response)
    if isinstance(body, dict):
        _check_schema(cast("Payload", body), sent.get("mcp-protocol-version"), answer)
    return answer


def ask(
    version: str | None,
    method: str,
    params: Payload | None = None,
    *,
    more_headers: Mapping[str, str] | None = None,
    caller: Caller = EVERYTHING,
    server: McpServer[Caller] = SERVER,
) -> McpResponse:
    """The answer to a well-formed request of `version`."""
    sent = {**headers(version, method, params), **(more_headers or {})}
    return send(message(version, method, params), sent, caller, server=server)


def result(version: str | None, method: str, params: Payload | None = None, caller: Caller = EVERYTHING) -> Payload:
    """The result of a request that succeeds."""
    answer = ask(version, method, params, caller=caller)
    payload = body_of(answer)
    assert answer.response.status == 200, payload
    assert payload["id"] == 1
    return payload["result"]


def error(version: str | None, method: str, params: Payload | None = None, caller: Caller = EVERYTHING) -> Payload:
    """The error of a request that fails."""
    return body_of(ask(version, method, params, caller=caller))["error"]


def events_of(answer: McpResponse) -> list[Payload]:
    """All messages of an answer, in order."""
    text = answer.response.body.decode()
    if answer.response.headers.get("content-type") != "text/event-stream":
        return [json.loads(text)]
    events = text.removesuffix("\n\n").split("\n\n")
    assert all(event.startswith("event: message\ndata: ") and event.count("\n") == 1 for event in events)
    return [json.loads(event.partition("data: ")[2]) for event in events]


def body_of(answer: McpResponse) -> Payload:
    """The decoded body; of several messages the last, which is the response."""
    return events_of(answer)[-1]


def reported(answer: McpResponse) -> list[Payload]:
    """The notifications before the response."""
    return events_of(answer)[:-1]


def code_of(answer: McpResponse) -> int:
    """The JSON-RPC error code."""
    return body_of(answer)["error"]["code"]


def status_and_code(answer: McpResponse) -> tuple[int, int]:
    """HTTP status and JSON-RPC error code."""
    return answer.response.status, code_of(answer)


def check_form(response: HttpResponse) -> None:
    """The response is one JSON-RPC message, a list of them, events of them, or empty."""
    if not response.body:
        assert response.status in (202, 204)
        return
    if response.headers["content-type"] == "text/event-stream":
        assert (response.status, response.headers["x-accel-buffering"]) == (200, "no")
        return
    assert response.headers["content-type"] == "application/json"
    payload = json.loads(response.body)
    for each in cast("list[Any]", payload if isinstance(payload, list) else [payload]):
        _check_response(each)


def _check_response(payload: Payload) -> None:
    if "id" in payload:
        jsonrpc_message_adapter.validate_python(payload)
    else:
        # The adapter serves all versions at once and wants a null, which the schemas from 2025-11-25 on do not know.
        JSONRPCErrorResponse.model_validate(payload)
    assert set(payload) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}, {"jsonrpc", "error"})


def _check_schema(body: Payload, version: str | None, answer: McpResponse) -> None:
    if not answer.response.body:
        return
    *before, last = events_of(answer)
    _check_response(last)
    speaks = (version or "2025-03-26").strip(" \t")
    for each in before:
        jsonrpc_message_adapter.validate_python(each)
        parse_server_notification(each["method"], speaks, each["params"])
    if "result" in last:
        if body["method"] == "initialize":
            speaks = last["result"]["protocolVersion"]
        if (body["method"], speaks) in SERVER_RESULTS:
            validate_server_result(body["method"], speaks, last["result"])
