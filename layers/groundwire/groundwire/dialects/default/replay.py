"""Replay of a question through `rag_search`."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.dialects.declaration.replay import Replay, ReplayedQuestion


def _arguments(question: ReplayedQuestion) -> Mapping[str, object]:
    return {"search_phrases": [question.text], "top_n": question.top_n}


def _passages(answer: Mapping[str, Any]) -> list[str]:
    return [passage["id"] for passage in answer["passages"]]


REPLAY: Final = Replay("rag_search", _arguments, _passages)
