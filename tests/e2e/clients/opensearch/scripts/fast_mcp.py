"""fastmcp at the MCP server of an index: the script of the page, and calls by the same client."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import io
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, redirect_stdout
from typing import Any

from fastmcp import Client
from fastmcp.exceptions import ToolError
from mcp import MCPError

from tests.e2e.clients.opensearch.scripts.calls import Caller, Session, Task, run

_SCRIPT = """\
import asyncio, logging
from fastmcp import Client


async def main():
    async with Client("http://localhost:9200/_plugins/_ml/mcp") as client:
        for t in await client.list_tools():
            print(t.name)
        r = await client.call_tool("ListIndexTool", {})
        print("result: ", r)
"""
"""The script as the page prints it, up to its last line, which runs it."""
_ADDRESS = '"http://localhost:9200/_plugins/_ml/mcp"'


async def _printed(task: Task, key: str) -> str:
    """Return what the script prints; its address and `auth=` are changed, and nothing else."""
    script = _SCRIPT.replace(_ADDRESS, f"{task.mcp!r}, auth={key!r}")
    assert script != _SCRIPT
    names: dict[str, Any] = {}
    exec(compile(script, "page", "exec"), names)
    printed = io.StringIO()
    with redirect_stdout(printed):
        await names["main"]()
    return printed.getvalue()


@asynccontextmanager
async def sessions(task: Task) -> AsyncGenerator[Session]:
    """Sessions with a personal key."""

    @asynccontextmanager
    async def session(caller: Caller) -> AsyncGenerator[Any]:
        client = Client(task.mcp, auth=caller.key)
        async with client:
            client.printed = await _printed(task, caller.key)
            yield client

    yield session


if __name__ == "__main__":
    run(sessions, (MCPError, ToolError))
