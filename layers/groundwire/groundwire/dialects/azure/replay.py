"""Replay of a question through `knowledge_base_retrieve`."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.dialects.declaration.replay import Replay, ReplayedQuestion
from groundwire.domain.documents.ids import doc_id_from_uid


def _arguments(question: ReplayedQuestion) -> Mapping[str, object]:
    return {"request": {"knowledgeAgentIntents": [question.text]}}


def _documents(answer: Mapping[str, Any]) -> list[str]:
    found = [doc_id_from_uid(reference["docKey"]) for reference in answer["references"]]
    return [doc_id for doc_id in found if doc_id is not None]


def _path(question: ReplayedQuestion) -> str:
    return f"/knowledgebases/{question.collection}/mcp"


REPLAY: Final = Replay("knowledge_base_retrieve", _arguments, _documents, _path)
