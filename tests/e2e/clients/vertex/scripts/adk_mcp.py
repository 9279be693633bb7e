"""`McpToolset` of google-adk at `/mcp/generate`."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import asyncio
import json
import logging
from typing import Any

from google.adk.tools.mcp_tool.mcp_session_manager import StreamableHTTPConnectionParams
from google.adk.tools.mcp_tool.mcp_toolset import McpToolset

from tests.e2e.clients.vertex.scripts.client_run import Report, Task, run


async def _client_run(task: Task) -> Report:
    connection = StreamableHTTPConnectionParams(url=f"{task.url}/mcp/generate", headers=task.headers)
    toolset = McpToolset(connection_params=connection)
    try:
        [tool] = await toolset.get_tools()

        async def call(corpus: str, **config: Any) -> dict[str, Any]:
            arguments = {
                "parent": task.parent,
                "query": {"text": task.question, "ragRetrievalConfig": config},
                "vertexRagStore": {"ragResources": [{"ragCorpus": corpus}]},
            }
            session = await tool._mcp_session_manager.create_session(headers=task.headers)
            result = await session.call_tool(tool.name, arguments)
            return json.loads(result.content[0].text)

        found = (await call(task.corpus))["contexts"]["contexts"]
        nothing = await call(task.corpus, filter={"vectorDistanceThreshold": 0})
        return {
            "texts": [each["text"] for each in found],
            "scores": [each["score"] for each in found],
            "sources": [each["sourceDisplayName"] for each in found],
            "nothing": len(nothing["contexts"]["contexts"]),
            "error": json.dumps(await call(task.missing)),
        }
    finally:
        await toolset.close()


def client_run(task: Task) -> Report:
    """Through the session of the toolset."""
    logging.disable(logging.WARNING)
    return asyncio.run(_client_run(task))


if __name__ == "__main__":
    run(client_run)
