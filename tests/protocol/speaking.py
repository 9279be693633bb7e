"""A small server to talk to, and requests as clients of each revision send them."""

import json
import secrets
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, cast

from mcp_types.jsonrpc import jsonrpc_message_adapter
from mcp_types.methods import validate_server_result

from groundwire.adapters.aead import AesGcmSeal
from groundwire.domain.sessions import SessionOwner
from groundwire.protocol.content import Text
from groundwire.protocol.exchanges import Answer
from groundwire.protocol.http import HttpRequest, HttpResponse
from groundwire.protocol.offer import Offer, Rules, ServerInfo
from groundwire.protocol.server import McpServer
from groundwire.protocol.tools import FaultKind, Tool, ToolFault, ToolResult
from groundwire.protocol.turn import Turn
from tests.protocol.memory_sessions import Clock, MemorySessions

MODERN: Final = "2026-07-28"
HANDSHAKE: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
VERSIONS: Final = (None, *HANDSHAKE, MODERN)
"""None: a client that sends no version header, as most agents do."""
ORIGIN: Final = "https://agents.example.com"
JSON_HEADERS: Final = {"content-type": "application/json", "accept": "application/json, text/event-stream"}

Payload = dict[str, Any]


class Caller(NamedTuple):
    """A key: the tools that it sees, those tools and methods whose scope it lacks, and for whom it calls."""

    toolset: tuple[str, ...] = ("find", "look_up")
    lacks: Mapping[str, str] = {}
    owner: SessionOwner = SessionOwner("t_1", "kid_1", "ada")


def _answer(_caller: Caller, arguments: Mapping[str, object], _turn: Turn) -> ToolResult:
    if "fault" in arguments:
        seconds = cast("int | None", arguments.get("retry_after_s"))
        raise ToolFault(FaultKind(str(arguments["fault"])), "what to do about it", seconds)
    if arguments.get("crash"):
        raise ZeroDivisionError
    return ToolResult((Text("the whole answer"),), {"echo": arguments}, {"status": "success", "isError": "never this"})


def _tool(name: str, faults: Literal["error", "result"]) -> Tool[Caller]:
    properties = {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "limit": {"type": "integer", "x-mcp-header": "Limit"},
        "exact": {"type": "boolean", "x-mcp-header": "Exact"},
        "anything": True,
        "near": {"type": "object", "properties": {"city": {"type": "string", "x-mcp-header": "City"}}},
    }
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return Tool(
        name=name,
        title=name.title(),
        description=f"Does {name}.",
        input_schema=schema,
        output_schema={"type": "object"},
        read_only=True,
        faults=faults,
        call=_answer,
    )


INFO: Final = ServerInfo(
    name="groundwire",
    title="Groundwire",
    version="1.2.3",
    description="Answers from documents.",
    website_url="https://example.com/docs",
    instructions="Search before you answer.",
)
TOOLS: Final = (_tool("find", "result"), _tool("look_up", "error"), _tool("hidden", "result"))
EVERYTHING: Final = Caller()
SESSIONS: Final = MemorySessions()
CLOCK: Final = Clock()
RULES: Final[Rules[Caller]] = Rules(
    visible=lambda caller: caller.toolset,
    authorize=lambda caller, what: caller.lacks.get(what),
    owner=lambda caller: caller.owner,
    allowed_origins=frozenset({ORIGIN}),
    seal=AesGcmSeal(bytes(32)),
    sessions=SESSIONS,
    clock=CLOCK,
    new_session_id=lambda: secrets.token_urlsafe(32),
)
SERVER: Final = McpServer(Offer(INFO, TOOLS), RULES)


def envelope(version: str = MODERN) -> Payload:
    """The `_meta` of a 2026-07-28 client."""
    prefix = "io.modelcontextprotocol/"
    client = {"name": "test", "version": "1"}
    return {f"{prefix}protocolVersion": version, f"{prefix}clientInfo": client, f"{prefix}clientCapabilities": {}}


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
        if "name" in (params or {}):
            sent["mcp-name"] = str((params or {})["name"])
    return sent


def send(body: object, sent: Mapping[str, str], caller: Caller = EVERYTHING, method: str = "POST") -> Answer:
    """The answer to a request, checked to be JSON-RPC or empty."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = SERVER.answer(HttpRequest(method, sent, raw), caller)
    check_form(answer.response)
    return answer


def ask(
    version: str | None,
    method: str,
    params: Payload | None = None,
    *,
    more_headers: Mapping[str, str] | None = None,
    caller: Caller = EVERYTHING,
) -> Answer:
    """The answer to a well-formed request of `version`."""
    return send(message(version, method, params), {**headers(version, method, params), **(more_headers or {})}, caller)


def result(version: str | None, method: str, params: Payload | None = None, caller: Caller = EVERYTHING) -> Payload:
    """The result of a request that succeeds, as the schema of its version has it."""
    answer = ask(version, method, params, caller=caller)
    payload = body_of(answer)
    assert answer.response.status == 200, payload
    assert payload["id"] == 1
    validate_server_result(method, version or "2025-03-26", payload["result"])
    return payload["result"]


def body_of(answer: Answer) -> Payload:
    """The decoded body."""
    return json.loads(answer.response.body)


def code_of(answer: Answer) -> int:
    """The JSON-RPC error code."""
    return body_of(answer)["error"]["code"]


def status_and_code(answer: Answer) -> tuple[int, int]:
    """HTTP status and JSON-RPC error code."""
    return answer.response.status, code_of(answer)


def check_form(response: HttpResponse) -> None:
    """The response is one JSON-RPC message, a list of them, or an empty 202."""
    if not response.body:
        assert response.status == 202
        return
    assert response.headers["content-type"] == "application/json"
    payload = json.loads(response.body)
    for each in cast("list[Any]", payload if isinstance(payload, list) else [payload]):
        jsonrpc_message_adapter.validate_python(each)
        assert set(each) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"})
