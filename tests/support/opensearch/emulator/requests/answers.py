"""Answers, changed to what the service would give where the engine gives more, or less."""

import json
from collections.abc import Callable, Collection
from typing import Any

from tests.support.opensearch.emulator.http.messages import Answer, Request, json_answer, no_index
from tests.support.opensearch.emulator.requests.searches import bodies, indexes

Documents = list[dict[str, Any]]
Fields = Callable[[str], Collection[str]]
"""The vector fields of an index."""


def without_vectors(request: Request, answer: Answer, fields: Fields) -> Answer:
    """Documents lack their vectors unless the request asks for the whole `_source`."""
    payload = answer.payload
    for document, requested in _documents(request, payload):
        if requested is not True and "_source" in document:
            for name in fields(document["_index"]):
                _drop(document["_source"], name.split("."))
    return Answer(answer.status, json.dumps(payload).encode(), answer.kind)


def without_indexes(request: Request, answer: Answer, absent: Collection[str]) -> Answer:
    """Searches in these indexes are answered as if those were not there."""
    if request.operation != "_msearch":
        return json_answer(404, no_index(request.index))
    payload = answer.payload
    named = zip(indexes(request), payload["responses"], strict=True)
    payload["responses"] = [no_index(index) if index in absent else given for index, given in named]
    return json_answer(200, payload)


def timed_out(answer: Answer) -> Answer:
    """The last search of the answer was stopped before it had anything."""
    payload = answer.payload
    last = payload["responses"][-1] if "responses" in payload else payload
    last["timed_out"] = True
    last["hits"]["hits"] = []
    return json_answer(answer.status, payload)


def shard_failed(answer: Answer) -> Answer:
    """The last search of the answer lacks what a shard holds."""
    payload = answer.payload
    last = payload["responses"][-1] if "responses" in payload else payload
    reason = {"type": "node_disconnected_exception", "reason": "[data][indices:data/read/search[phase/query]]"}
    last["_shards"] = {"total": 2, "successful": 1, "skipped": 0, "failed": 1, "failures": [{"reason": reason}]}
    last["hits"]["hits"] = last["hits"]["hits"][::2]
    return json_answer(answer.status, payload)


def _documents(request: Request, payload: dict[str, Any]) -> list[tuple[dict[str, Any], object]]:
    """Return the documents of an answer, each with the `_source` that its request named."""
    if request.operation == "_mget":
        return [(document, None) for document in payload["docs"]]
    if request.operation in {"_doc", "_source"}:
        return [(payload, request.parameters.get("_source") == "true")]
    answers = payload.get("responses", [payload])
    return [
        (hit, body.get("_source"))
        for body, answer in zip(bodies(request), answers, strict=True)
        for hit in answer.get("hits", {}).get("hits", [])
    ]


def _drop(source: dict[str, Any], path: list[str]) -> None:
    *above, last = path
    for name in above:
        source = source.get(name, {})
    source.pop(last, None)
