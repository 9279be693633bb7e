"""OpenAI's agents library: no model is needed to use a server's tools."""

# pyright: reportMissingImports=false
# The libraries are in the client's own environment.
from typing import Any

from agents.mcp import MCPServerStreamableHttp
from mcp import MCPError

from tests.clients.scripts.session import visited
from tests.clients.scripts.visit import Task, Told, run


class _Listing:
    """The server's own methods, but for the list of tools, which it gives without the result around it."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self.tools: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)

    async def list_tools(self) -> "_Listing":
        self.tools = await self._server.list_tools()
        return self


async def visit(task: Task) -> Told:
    """Through the server object that an agent is given."""
    async with MCPServerStreamableHttp(params={"url": task.url, "headers": task.headers}) as server:
        return await visited(_Listing(server), task, None, (MCPError,))


if __name__ == "__main__":
    run(visit)
