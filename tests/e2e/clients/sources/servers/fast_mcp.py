"""Server of `fastmcp`."""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# The library is in the server's own environment.
import sys
from typing import Any

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

from tests.e2e.clients.sources.servers.serving import NAMES, PAGE, ToolFailedError, called, serve

server: Any = FastMCP("source", list_page_size=PAGE)


def add(name: str) -> None:
    """Add a tool of this name."""

    async def tool(text: str = "") -> str:
        try:
            return await called(name, {"text": text})
        except ToolFailedError as error:
            raise ToolError(str(error)) from error

    server.tool(tool, name=name, description=name)


for each in NAMES:
    add(each)

if __name__ == "__main__":
    serve(server.http_app(path="/mcp", json_response="json" in sys.argv))
