"""Python `mcp` 2 at the MCP server of an index."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.clients.opensearch.scripts.calls import Caller, Session, Task, run


@asynccontextmanager
async def sessions(task: Task) -> AsyncGenerator[Session]:
    """Sessions with the caller's headers, identity headers among them."""

    @asynccontextmanager
    async def session(caller: Caller) -> AsyncGenerator[Any]:
        async with (
            httpx2.AsyncClient(headers=dict(caller.headers)) as http,
            Client(streamable_http_client(task.mcp, http_client=http)) as client,
        ):
            yield client

    yield session


if __name__ == "__main__":
    run(sessions, (MCPError,))
