"""`vertexai.rag` of google-cloud-aiplatform over REST."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
import warnings
from typing import Any

import vertexai
from google.oauth2.credentials import Credentials
from vertexai import rag

from tests.e2e.clients.vertex.scripts.client_run import Report, Task, failure, reported, run


def client_run(task: Task) -> Report:
    """Through `retrieval_query`, `list_corpora` and `list_files`."""
    warnings.simplefilter("ignore")
    _, project, _, location = task.parent.split("/")
    vertexai.init(
        project=project,
        location=location,
        api_transport="rest",
        api_endpoint=task.url,
        credentials=Credentials(task.key),
        request_metadata=[(name.lower(), value) for name, value in task.identity.items()],
    )

    def retrieve(corpus: str, threshold: float) -> Any:
        config = rag.RagRetrievalConfig(top_k=5, filter=rag.Filter(vector_distance_threshold=threshold))
        resources = [rag.RagResource(rag_corpus=corpus)]
        found = rag.retrieval_query(text=task.question, rag_resources=resources, rag_retrieval_config=config)
        return found.contexts.contexts

    [corpus] = [each.name for each in rag.list_corpora() if each.name == task.corpus]
    return {
        **reported(retrieve(corpus, 2.0)),
        "nothing": len(list(retrieve(corpus, 1e-12))),
        "error": failure(lambda: retrieve(task.missing, 2.0)),
        "files": [each.display_name for each in rag.list_files(corpus_name=corpus)],
    }


if __name__ == "__main__":
    run(client_run)
