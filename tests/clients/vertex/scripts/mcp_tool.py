"""Python `mcp` 2 at `/mcp/retrieval`."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import asyncio
import json
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.clients.vertex.scripts.visit import Task, Told, run


async def _visit(task: Task) -> Told:
    http = httpx2.AsyncClient(headers=task.headers)
    async with http, Client(streamable_http_client(f"{task.url}/mcp/retrieval", http_client=http)) as client:
        [tool] = (await client.list_tools()).tools

        async def call(corpus: str, **config: Any) -> dict[str, Any]:
            arguments = {
                "parent": task.parent,
                "query": {"text": task.question, "ragRetrievalConfig": config},
                "vertexRagStore": {"ragResources": [{"ragCorpus": corpus}]},
            }
            result = await client.call_tool(tool.name, arguments)
            assert json.loads(result.content[0].text) == result.structured_content
            return result.structured_content

        found = (await call(task.corpus))["contexts"]["contexts"]
        nothing = await call(task.corpus, filter={"vectorDistanceThreshold": 0})
        return {
            "texts": [each["text"] for each in found],
            "scores": [each["score"] for each in found],
            "sources": [each["sourceDisplayName"] for each in found],
            "nothing": len(nothing["contexts"]["contexts"]),
            "error": json.dumps(await call(task.missing)),
        }


def visit(task: Task) -> Told:
    """Through `Client`."""
    return asyncio.run(_visit(task))


if __name__ == "__main__":
    run(visit)
