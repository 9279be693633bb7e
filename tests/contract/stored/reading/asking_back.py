"""A server with one tool that asks its caller back, over the rules of the services: no tool of the product does so."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from groundwire.dialects import DEFAULT
from groundwire.dialects.router import server_dependencies
from groundwire.entry.http.authorizer_context import decision_from_event
from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.server import ServerDefinition, ServerInfo
from groundwire_mcp.definitions.tool_context import InputRequest, InputRequired, ToolContext
from groundwire_mcp.definitions.tools import Tool, ToolResult
from groundwire_mcp.server import McpServer
from groundwire_mcp.transport.http import HttpRequest

if TYPE_CHECKING:
    from groundwire.wiring.services import ApiServices

_VERSION = "2026-07-28"
_QUESTION = InputRequest("elicitation/create", {"message": "Which year?", "requestedSchema": {"type": "object"}})


def call(services: "ApiServices", context: Mapping[str, str], state: str | None) -> dict[str, Any]:
    """Return the result of a call of the tool: the first call asks back, a call with state returns the stored data."""
    caller = decision_from_event({"requestContext": {"authorizer": {"lambda": context}}}).caller
    assert caller is not None
    about = {"name": "reader", "version": "1"}
    meta = {
        "io.modelcontextprotocol/protocolVersion": _VERSION,
        "io.modelcontextprotocol/clientInfo": about,
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    }
    again = {} if state is None else {"inputResponses": {"year": {"action": "accept"}}, "requestState": state}
    params = {"name": "rag_search", "arguments": {"phrase": "größe"}, "_meta": meta, **again}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    named = {"mcp-protocol-version": _VERSION, "mcp-method": "tools/call", "mcp-name": "rag_search"}
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream", **named}
    answer = _server(services).handle(_request(headers, json.dumps(message).encode()), CallContext(caller))
    return dict(json.loads(answer.response.body)["result"])


def _server(services: "ApiServices") -> McpServer[CallContext]:
    members: dict[str, Any] = {"name": "rag_search", "title": "Asks", "description": "Asks back."}
    members |= {"input_schema": {"type": "object"}, "output_schema": None, "is_read_only": True, "call": _requested}
    if "faults" in Tool._fields:
        # The first release asks for the form of a tool's faults.
        members["faults"] = "error"
    tool = Tool[CallContext](**members)
    return McpServer(
        ServerDefinition(ServerInfo("s", "S", "1", "A server.", "https://rag.example", ""), [tool]),
        server_dependencies(DEFAULT, services.agents.mcp_parts, is_open=False)._replace(
            visible_tools=_visible_tools, missing_scope=_missing_scope
        ),
    )


def _visible_tools(_call: CallContext) -> tuple[str, ...]:
    return ("rag_search",)


def _missing_scope(_call: CallContext, _tool: str) -> None:
    return None


def _request(headers: Mapping[str, str], body: bytes) -> HttpRequest:
    # The release before has no path in it.
    members: dict[str, Any] = {"method": "POST", "path": "/mcp", "headers": headers, "body": body}
    return HttpRequest(**{name: members[name] for name in HttpRequest._fields if name in members})


def _requested(_call: CallContext, _arguments: Mapping[str, object], turn: ToolContext) -> ToolResult | InputRequired:
    if turn.request_state is None:
        return InputRequired({"year": _QUESTION}, b"\x00kept\xff")
    return ToolResult((TextContent("answered"),), {"state": turn.request_state.hex()}, {})
