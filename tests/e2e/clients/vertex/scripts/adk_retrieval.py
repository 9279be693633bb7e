"""`VertexAiRagRetrieval` of google-adk with a given client, as it offers no address of its own."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import asyncio
import logging
from typing import Any

import agentplatform
from google.adk.tools.retrieval.vertex_ai_rag_retrieval import VertexAiRagRetrieval
from google.genai.types import HttpOptions
from google.oauth2.credentials import Credentials

from tests.e2e.clients.vertex.scripts.client_run import Report, Task, failure, run

_CLIENT = agentplatform.Client


def client_run(task: Task) -> Report:
    """Through the tool, as an agent calls it."""
    logging.disable(logging.WARNING)
    options = HttpOptions(base_url=task.url, headers=dict(task.identity))

    def client(**given: Any) -> Any:
        return _CLIENT(**given, credentials=Credentials(task.key), http_options=options)

    agentplatform.Client = client

    def retrieve(**source: Any) -> Any:
        tool = VertexAiRagRetrieval(name="documents", description="Documents", similarity_top_k=5, **source)
        return asyncio.run(tool.run_async(args={"query": task.question}, tool_context=None))

    resources = [{"rag_corpus": task.corpus}]
    texts = retrieve(rag_resources=resources, vector_distance_threshold=2.0)
    return {
        "texts": [*texts, *retrieve(rag_corpora=[task.corpus])],
        "nothing": isinstance(retrieve(rag_resources=resources, vector_distance_threshold=0.0), list),
        "error": failure(lambda: retrieve(rag_corpora=[task.missing])),
    }


if __name__ == "__main__":
    run(client_run)
