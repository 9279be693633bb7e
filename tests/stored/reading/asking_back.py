"""A server with one tool that asks its caller back, over the rules of the services: no tool of the product does so."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from groundwire.entry.caller_context import from_event
from groundwire.protocol.content import Text
from groundwire.protocol.http import HttpRequest
from groundwire.protocol.offer import Offer, ServerInfo
from groundwire.protocol.server import McpServer
from groundwire.protocol.tools import Tool, ToolResult
from groundwire.protocol.turn import InputRequest, InputRequired, Turn
from groundwire.services.call import Call

if TYPE_CHECKING:
    from groundwire.wiring import CallServices

_VERSION = "2026-07-28"
_QUESTION = InputRequest("elicitation/create", {"message": "Which year?", "requestedSchema": {"type": "object"}})


def call(services: "CallServices", context: Mapping[str, str], state: str | None) -> dict[str, Any]:
    """The result of a call of the tool: the first one asks back, one with its state says what the state holds."""
    caller = from_event({"requestContext": {"authorizer": {"lambda": context}}}).caller
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
    answer = _server(services).answer(HttpRequest("POST", headers, json.dumps(message).encode()), Call(caller))
    return dict(json.loads(answer.response.body)["result"])


def _server(services: "CallServices") -> McpServer[Call]:
    members: dict[str, Any] = {"name": "rag_search", "title": "Asks", "description": "Asks back."}
    members |= {"input_schema": {"type": "object"}, "output_schema": None, "read_only": True, "call": _asked}
    if "faults" in Tool._fields:
        # The first release asks for the form of a tool's faults.
        members["faults"] = "error"
    tool = Tool[Call](**members)
    return McpServer(
        Offer(ServerInfo("s", "S", "1", "A server.", "https://rag.example", ""), [tool]), services.mcp_rules
    )


def _asked(_call: Call, _arguments: Mapping[str, object], turn: Turn) -> ToolResult | InputRequired:
    if turn.state is None:
        return InputRequired({"year": _QUESTION}, b"\x00kept\xff")
    return ToolResult((Text("answered"),), {"state": turn.state.hex()}, {})
