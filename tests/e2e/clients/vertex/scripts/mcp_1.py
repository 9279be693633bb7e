"""Python `mcp` 1 at both MCP paths."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import asyncio

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

from tests.e2e.clients.vertex.scripts.mcp_session import PATHS, agreed, retrieved
from tests.e2e.clients.vertex.scripts.visit import Task, Told, run


async def _visit(task: Task, path: str) -> Told:
    async with (
        streamablehttp_client(f"{task.url}{path}", headers=task.headers) as (reading, writing, _),
        ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        return await retrieved(session, task)


def visit(task: Task) -> Told:
    """Through `ClientSession`."""
    return agreed([asyncio.run(_visit(task, path)) for path in PATHS])


if __name__ == "__main__":
    run(visit)
