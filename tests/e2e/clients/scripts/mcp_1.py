"""Python `mcp` 1: the handshake versions."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
from mcp import ClientSession, McpError
from mcp.client.streamable_http import streamablehttp_client

from tests.e2e.clients.scripts.client_run import Report, Task, run
from tests.e2e.clients.scripts.session import visited


async def client_run(task: Task) -> Report:
    """Through `ClientSession`."""
    async with (
        streamablehttp_client(task.url, headers=task.headers) as (reading, writing, _),
        ClientSession(reading, writing) as session,
    ):
        opened = await session.initialize()
        return await visited(session, task, str(opened.protocolVersion), (McpError,))


if __name__ == "__main__":
    run(client_run)
