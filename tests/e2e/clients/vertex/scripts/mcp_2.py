"""Python `mcp` 2 at both MCP paths."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import asyncio

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.clients.vertex.scripts.mcp_session import PATHS, agreed, retrieved
from tests.e2e.clients.vertex.scripts.visit import Task, Told, run


async def _visit(task: Task, path: str) -> Told:
    http = httpx2.AsyncClient(headers=task.headers)
    async with http, Client(streamable_http_client(f"{task.url}{path}", http_client=http)) as client:
        return await retrieved(client, task)


def visit(task: Task) -> Told:
    """Through `Client`."""
    return agreed([asyncio.run(_visit(task, path)) for path in PATHS])


if __name__ == "__main__":
    run(visit)
