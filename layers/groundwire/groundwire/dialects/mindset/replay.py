"""Replay of a question through `rag_search` as Mindset's page has it."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.dialects.declaration.replay import Replay, ReplayedQuestion


def _arguments(question: ReplayedQuestion) -> Mapping[str, object]:
    return {"search_phrases": [question.text]}


def _documents(answer: Mapping[str, Any]) -> list[str]:
    return [segment["source_file_name"] for segment in answer["segments"]]


REPLAY: Final = Replay("rag_search", _arguments, _documents)
