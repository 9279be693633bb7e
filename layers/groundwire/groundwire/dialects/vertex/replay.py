"""Replay of a question through `retrieve_contexts`."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.dialects.declaration.replay import Replay, ReplayedQuestion

_PARENT: Final = "projects/replay/locations/local"


def _arguments(question: ReplayedQuestion) -> Mapping[str, object]:
    corpus = f"{_PARENT}/ragCorpora/{question.collection}"
    return {
        "parent": _PARENT,
        "query": {"text": question.text, "ragRetrievalConfig": {"topK": question.top_n}},
        "vertexRagStore": {"ragResources": [{"ragCorpus": corpus}]},
    }


def _documents(answer: Mapping[str, Any]) -> list[str]:
    return [context["sourceDisplayName"] for context in answer["contexts"]["contexts"]]


REPLAY: Final = Replay("retrieve_contexts", _arguments, _documents)
