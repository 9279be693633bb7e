"""Replay of a question through `retrieveContexts` of v1beta1, the version whose answer has ids of passages."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.dialects.declaration.replay import ReplayedQuestion, RestReplay

_PARENT: Final = "projects/replay/locations/local"


def _path(_question: ReplayedQuestion) -> str:
    return f"/v1beta1/{_PARENT}:retrieveContexts"


def _body(question: ReplayedQuestion) -> Mapping[str, object]:
    corpus = f"{_PARENT}/ragCorpora/{question.collection}"
    return {
        "query": {"text": question.text, "ragRetrievalConfig": {"topK": question.top_n}},
        "vertexRagStore": {"ragResources": [{"ragCorpus": corpus}]},
    }


def _passages(answer: Mapping[str, Any]) -> list[str]:
    return [context["chunk"]["chunkId"] for context in answer["contexts"]["contexts"]]


REPLAY: Final = RestReplay(_path, _body, _passages)
