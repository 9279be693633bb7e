"""Replay of a question through `search`."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.dialects.declaration.replay import Replay, ReplayedQuestion
from groundwire.domain.documents.ids import doc_id_from_uid


def _arguments(question: ReplayedQuestion) -> Mapping[str, object]:
    return {"query": question.text}


def _documents(answer: Mapping[str, Any]) -> list[str]:
    return [doc_id_from_uid(each["id"]) or each["id"] for each in answer["results"]]


REPLAY: Final = Replay("search", _arguments, _documents)
