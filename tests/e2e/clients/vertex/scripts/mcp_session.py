"""The tool `retrieve_contexts` through a session of Python `mcp`, for both of its major versions."""

import json
from typing import Any, Final

from tests.e2e.clients.vertex.scripts.client_run import Report, Task

PATHS: Final = ("/mcp/generate", "/mcp/retrieval")


async def retrieved(session: Any, task: Task) -> Report:
    """Call the only tool that the session lists, and return the caller's results."""
    [tool] = (await session.list_tools()).tools

    async def call(corpus: str, **config: Any) -> dict[str, Any]:
        arguments = {
            "parent": task.parent,
            "query": {"text": task.question, "ragRetrievalConfig": config},
            "vertexRagStore": {"ragResources": [{"ragCorpus": corpus}]},
        }
        result = await session.call_tool(tool.name, arguments)
        # By its name in version 2, and in version 1.
        structured = getattr(result, "structured_content", None) or result.structuredContent
        assert json.loads(result.content[0].text) == structured
        return structured

    found = (await call(task.corpus))["contexts"]["contexts"]
    nothing = await call(task.corpus, filter={"vectorDistanceThreshold": 0})
    return {
        "texts": [each["text"] for each in found],
        "scores": [each["score"] for each in found],
        "sources": [each["sourceDisplayName"] for each in found],
        "nothing": len(nothing["contexts"]["contexts"]),
        "error": json.dumps(await call(task.missing)),
    }


def agreed(reported: list[Report]) -> Report:
    """Return the report that all paths have in common."""
    first, *others = reported
    assert all(each == first for each in others), reported
    return first
