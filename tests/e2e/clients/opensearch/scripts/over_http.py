"""`opensearch-mcp-server-py` over HTTP: one process for all callers, each of whom sends a key in the header."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import asyncio
import re
import sys
from base64 import b64encode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.clients.opensearch.scripts.calls import Caller, Session, Task, lines_until, run
from tests.e2e.clients.opensearch.scripts.environment import own_environment

_READY = "Uvicorn running on "


@asynccontextmanager
async def sessions(task: Task) -> AsyncGenerator[Session]:
    """Sessions of one process, which has no key of its own."""
    async with _started(task) as address:

        @asynccontextmanager
        async def session(caller: Caller) -> AsyncGenerator[Any]:
            # Identity headers come with some callers' other key; this client drops them.
            headers = {**caller.headers, "Authorization": _credential(task, caller.key)}
            async with (
                httpx2.AsyncClient(headers=headers) as http,
                Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
            ):
                yield client

        yield session


@asynccontextmanager
async def _started(task: Task) -> AsyncGenerator[str]:
    arguments = ["-m", "tests.e2e.clients.opensearch.scripts.launcher", task.specification]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *arguments, "--transport", "stream", "--port", "0"),
        env={**own_environment(), "OPENSEARCH_URL": task.engine, "OPENSEARCH_HEADER_AUTH": "true"},
        stderr=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
    )
    assert process.stderr is not None
    try:
        lines = [line async for line in lines_until(process.stderr, _READY)]
        [address] = re.findall(rf"{_READY}(http://[\d.]+:\d+)", lines[-1])
        draining = asyncio.create_task(process.stderr.read())
        yield address
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
    await draining


def _credential(task: Task, key: str) -> str:
    return f"Bearer {key}" if task.mode == "Bearer" else f"Basic {b64encode(f'key:{key}'.encode()).decode()}"


if __name__ == "__main__":
    run(sessions)
