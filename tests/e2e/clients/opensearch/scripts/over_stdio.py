"""`opensearch-mcp-server-py` over stdio: a process for each caller, with the key in its environment."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.e2e.clients.opensearch.scripts.calls import Caller, Session, Task, run
from tests.e2e.clients.opensearch.scripts.environment import own_environment


@asynccontextmanager
async def sessions(task: Task) -> AsyncGenerator[Session]:
    """Sessions of processes that are started with them."""

    def session(caller: Caller) -> Any:
        key = {"OPENSEARCH_USERNAME": "key", "OPENSEARCH_PASSWORD": caller.key}
        launcher = ["-m", "tests.e2e.clients.opensearch.scripts.launcher", task.specification]
        environment = {**own_environment(), "OPENSEARCH_URL": task.engine, **key}
        return Client(stdio_client(StdioServerParameters(command=sys.executable, args=launcher, env=environment)))

    yield session


if __name__ == "__main__":
    run(sessions)
