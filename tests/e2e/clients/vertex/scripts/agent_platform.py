"""`agentplatform` of google-cloud-aiplatform: a slash before the colon, and two spellings in one body."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
from typing import Any

import agentplatform
from google.genai.types import HttpOptions
from google.oauth2.credentials import Credentials

from tests.e2e.clients.vertex.scripts.client_run import Report, Task, failure, reported, run


def client_run(task: Task) -> Report:
    """Through `Client.rag`."""
    _, project, _, location = task.parent.split("/")
    options = HttpOptions(base_url=task.url, headers=dict(task.identity))
    named = agentplatform.Client(
        project=project, location=location, credentials=Credentials(task.key), http_options=options
    )
    # With a key alone the address names no project, and the key is in Google's own header.
    express = agentplatform.Client(api_key=task.key, http_options=options)

    def retrieve(corpus: str, client: Any = named, **config: Any) -> list[Any]:
        found = client.rag.retrieve_contexts(
            vertex_rag_store={"rag_resources": [{"rag_corpus": corpus}]},
            query={"text": task.question, "rag_retrieval_config": {"top_k": 5, **config}},
        )
        return found.contexts.contexts

    return {
        **reported(
            [
                *retrieve(task.corpus, hybrid_search={"alpha": 0.5}, filter={"vector_distance_threshold": 2.0}),
                *retrieve(task.corpus, express),
            ]
        ),
        "nothing": len(retrieve(task.corpus, filter={"vector_distance_threshold": 0.0})),
        "error": failure(lambda: retrieve(task.missing)),
    }


if __name__ == "__main__":
    run(client_run)
