"""Python `mcp` 2 at both MCP paths."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import asyncio

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.clients.vertex.scripts.client_run import Report, Task, run
from tests.e2e.clients.vertex.scripts.mcp_session import PATHS, agreed, retrieved


async def _client_run(task: Task, path: str) -> Report:
    http = httpx2.AsyncClient(headers=task.headers)
    async with http, Client(streamable_http_client(f"{task.url}{path}", http_client=http)) as client:
        return await retrieved(client, task)


def client_run(task: Task) -> Report:
    """Through `Client`."""
    return agreed([asyncio.run(_client_run(task, path)) for path in PATHS])


if __name__ == "__main__":
    run(client_run)
