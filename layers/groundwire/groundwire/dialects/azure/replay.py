"""Replay of a question through `knowledge_base_retrieve`."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.dialects.declaration.replay import Replay, ReplayedQuestion


def _arguments(question: ReplayedQuestion) -> Mapping[str, object]:
    return {"request": {"knowledgeAgentIntents": [question.text]}}


def _passages(answer: Mapping[str, Any]) -> list[str]:
    return [reference["docKey"] for reference in answer["references"]]


def _path(question: ReplayedQuestion) -> str:
    return f"/knowledgebases/{question.collection}/mcp"


REPLAY: Final = Replay("knowledge_base_retrieve", _arguments, _passages, _path)
