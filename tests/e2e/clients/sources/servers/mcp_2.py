"""Server of Python `mcp` 2, which serves both eras."""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
# The library is in the server's own environment.
import sys
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server

from tests.e2e.clients.sources.servers.serving import NAMES, PAGE, SCHEMA, ToolFailedError, called, serve

MIRRORED = {**SCHEMA, "properties": {**SCHEMA["properties"], "region": {"type": "string", "x-mcp-header": "Region"}}}


async def list_tools(_: Any, params: Any) -> Any:
    """A page of tools."""
    at = int(getattr(params, "cursor", None) or 0)
    following = str(at + PAGE) if at + PAGE < len(NAMES) else None
    tools = [types.Tool(name=name, description=name, input_schema=MIRRORED) for name in NAMES[at : at + PAGE]]
    return types.ListToolsResult(tools=tools, next_cursor=following)


async def call_tool(_: Any, params: Any) -> Any:
    """A result."""
    try:
        text, failed = await called(params.name, params.arguments or {}), False
    except ToolFailedError as error:
        text, failed = str(error), True
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=failed)


if __name__ == "__main__":
    server: Any = Server(
        "source",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema=dict.fromkeys(NAMES, MIRRORED).get,
    )
    serve(server.streamable_http_app(json_response="json" in sys.argv))
