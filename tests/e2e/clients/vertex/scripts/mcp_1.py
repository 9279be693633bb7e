"""Python `mcp` 1 at both MCP paths."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import asyncio

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

from tests.e2e.clients.vertex.scripts.client_run import Report, Task, run
from tests.e2e.clients.vertex.scripts.mcp_session import PATHS, agreed, retrieved


async def _client_run(task: Task, path: str) -> Report:
    async with (
        streamablehttp_client(f"{task.url}{path}", headers=task.headers) as (reading, writing, _),
        ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        return await retrieved(session, task)


def client_run(task: Task) -> Report:
    """Through `ClientSession`."""
    return agreed([asyncio.run(_client_run(task, path)) for path in PATHS])


if __name__ == "__main__":
    run(client_run)
