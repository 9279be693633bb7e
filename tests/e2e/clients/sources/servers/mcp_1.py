"""Server of Python `mcp` 1: sessions, a handshake, and a redirect from `/mcp` to `/mcp/`."""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false, reportUntypedFunctionDecorator=false
# The library is in the server's own environment.
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Mount

from tests.e2e.clients.sources.servers.serving import NAMES, PAGE, SCHEMA, called, serve

server: Any = Server("source")


async def list_tools(request: Any) -> Any:
    """A page of tools."""
    params = getattr(request, "params", None)
    at = int(getattr(params, "cursor", None) or 0)
    following = str(at + PAGE) if at + PAGE < len(NAMES) else None
    tools = [types.Tool(name=name, description=name, inputSchema=SCHEMA) for name in NAMES[at : at + PAGE]]
    return types.ServerResult(types.ListToolsResult(tools=tools, nextCursor=following))


@server.call_tool()
async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
    """The content of a result."""
    return [types.TextContent(type="text", text=await called(name, arguments))]


server.request_handlers[types.ListToolsRequest] = list_tools
manager = StreamableHTTPSessionManager(app=server, json_response="json" in sys.argv, stateless="stateless" in sys.argv)


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncGenerator[None]:
    """Run the sessions."""
    async with manager.run():
        yield


if __name__ == "__main__":
    serve(Starlette(routes=[Mount("/mcp", app=manager.handle_request)], lifespan=lifespan))
