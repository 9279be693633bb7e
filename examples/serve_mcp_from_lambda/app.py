"""Lambda function that serves MCP with one tool, behind an HTTP API or a function URL: handler `app.handler`."""

import base64
import time
from collections.abc import Mapping
from typing import Any, NoReturn

import groundwire_mcp as mcp


def count_words(caller: str, arguments: Mapping[str, object], _context: mcp.ToolContext) -> mcp.ToolResult:
    """Count the words of a text; a model reads the result."""
    count = len(str(arguments["text"]).split())
    return mcp.ToolResult((mcp.TextContent(f"{count} words, counted for {caller}"),), None)


def no_sealer() -> NoReturn:
    """Refuse to seal: only a tool that asks its user back needs that."""
    raise NotImplementedError


TEXT = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
TOOL = mcp.Tool("count_words", "Count words", "Counts the words of a text.", TEXT, None, True, count_words)
ABOUT = mcp.ServerInfo("words", "Words", "1.0", "Counts words.", "https://example.com", "Call count_words with a text.")
SERVER = mcp.McpServer[str](
    mcp.ServerDefinition(ABOUT, [TOOL]),
    # Without a store of sessions each call is served on its own, so any number of functions can answer.
    mcp.ServerDependencies(
        visible_tools=lambda _caller: ["count_words"],
        missing_scope=lambda _caller, _operation: None,
        session_owner=lambda caller: mcp.SessionOwner("words", "words", caller),
        access_rights=lambda _caller: (),
        allowed_origins=mcp.AllowedOrigins(frozenset(), allows_loopback=False),
        sealer=no_sealer,
        sessions=None,
        clock=time.time,
        new_session_id=lambda: "",
    ),
)


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Answer one event in payload format 2.0."""
    http, body = event["requestContext"]["http"], event.get("body") or ""
    content = base64.b64decode(body) if event.get("isBase64Encoded") else body.encode()
    # An authorizer of the API can name the caller. Without one, everybody is the same caller.
    caller = event["requestContext"].get("authorizer", {}).get("lambda", {}).get("user", "everybody")
    request = mcp.HttpRequest(http["method"], event["rawPath"], event["headers"], content)
    response = SERVER.handle(request, caller).response
    return {"statusCode": response.status, "headers": dict(response.headers), "body": response.body.decode()}
