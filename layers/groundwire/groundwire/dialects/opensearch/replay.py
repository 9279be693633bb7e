"""Replay of a question through `_search`."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.dialects.declaration.replay import AnswerForm, ReplayedQuestion, RestReplay


def _path(question: ReplayedQuestion) -> str:
    return f"/opensearch/{question.collection}/_search"


def _body(question: ReplayedQuestion) -> Mapping[str, object]:
    return {"query": {"match": {"content": question.text}}, "size": question.top_n}


def _passages(answer: Mapping[str, Any]) -> list[str]:
    return [hit["_id"] for hit in answer["hits"]["hits"]]


REPLAY: Final = RestReplay(_path, _body, _passages, AnswerForm(has_floor=False))
