"""curl, as the page of the tool and Google's quickstart have it."""

import json
import subprocess
from typing import Any

from tests.e2e.clients.vertex.scripts.client_run import Report, Task, run


def _post(task: Task, path: str, body: object, *headers: str) -> dict[str, Any]:
    """Return what curl prints; key and identity are the only headers that the texts do not have."""
    own = [f"{name}: {value}" for name, value in task.headers.items()]
    named = [part for header in (*headers, *own) for part in ("--header", header)]
    command = ["curl", "--silent", "--show-error", "--location", f"{task.url}{path}", *named]
    done = subprocess.run([*command, "--data", json.dumps(body)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def _tool(task: Task, corpus: str) -> dict[str, Any]:
    arguments = {
        "parent": task.parent,
        "query": {"text": task.question},
        "vertexRagStore": {"ragResources": [{"ragCorpus": corpus}]},
    }
    params = {"name": "retrieve_contexts", "arguments": arguments}
    body = {"method": "tools/call", "params": params, "jsonrpc": "2.0", "id": 1}
    headers = ("content-type: application/json", "accept: application/json, text/event-stream")
    return _post(task, "/mcp/generate", body, *headers)["result"]["structuredContent"]


def _quickstart(task: Task, threshold: float) -> list[dict[str, Any]]:
    store = {"rag_resources": {"rag_corpus": task.corpus}, "vector_distance_threshold": threshold}
    body = {"vertex_rag_store": store, "query": {"text": task.question, "similarity_top_k": 5}}
    path = f"/v1/{task.parent}:retrieveContexts"
    return _post(task, path, body, "Content-Type: application/json; charset=utf-8")["contexts"]["contexts"]


def client_run(task: Task) -> Report:
    """The page's call, and the quickstart's."""
    found = _tool(task, task.corpus)["contexts"]["contexts"]
    near = _quickstart(task, 2)
    return {
        "texts": [each["text"] for each in (*found, *near)],
        "scores": [each["score"] for each in (*found, *near)],
        "sources": [each["sourceDisplayName"] for each in (*found, *near)],
        "nothing": len(_quickstart(task, 0)),
        "error": json.dumps(_tool(task, task.missing)["error"]),
    }


if __name__ == "__main__":
    run(client_run)
