"""Script of Python `mcp` 2: one client for both eras, whose mode chooses how it connects."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.clients.scripts.client_run import Report, Task, run
from tests.e2e.clients.scripts.session import visited


async def client_run(task: Task) -> Report:
    """Through `Client`."""
    async with httpx2.AsyncClient(headers=task.headers) as http:
        transport = streamable_http_client(task.url, http_client=http)
        async with Client(transport, mode=task.mode) as client:
            return await visited(client, task, client.protocol_version, (MCPError,))


if __name__ == "__main__":
    run(client_run)
