"""An MCP server with one tool, by Python `mcp`: the source of `bench.sources`, in an environment of its own."""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
# The library is in the server's own environment.
import os
import socket
import sys
import threading
from typing import Any

import uvicorn
from mcp import types
from mcp.server.lowlevel import Server

_TEXT = "The pump is in hall 4, beside the boiler. " * 25


async def list_tools(_context: Any, _params: Any) -> Any:
    """The one tool."""
    schema = {"type": "object", "properties": {"query": {"type": "string"}}}
    return types.ListToolsResult(tools=[types.Tool(name="search", description="Searches.", input_schema=schema)])


async def call_tool(_context: Any, _params: Any) -> Any:
    """Its result: 1,000 characters."""
    return types.CallToolResult(content=[types.TextContent(type="text", text=_TEXT)], is_error=False)


def main() -> None:
    """Serve at a free port until the standard input ends."""
    # With the protocol named, asyncio sends without delay, as it does for a server that is given host and port.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    sys.stdout.write(f"{listening.getsockname()[1]}\n")
    sys.stdout.flush()

    def end_with_standard_input() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=end_with_standard_input, daemon=True).start()
    server: Any = Server("source", on_list_tools=list_tools, on_call_tool=call_tool)
    application = server.streamable_http_app(json_response=True)
    uvicorn.Server(uvicorn.Config(application, log_level="critical")).run(sockets=[listening])


if __name__ == "__main__":
    main()
