"""Replay of a question through `_search`."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.dialects.declaration.replay import ReplayedQuestion, RestReplay
from groundwire.domain.documents.ids import doc_id_from_uid


def _path(question: ReplayedQuestion) -> str:
    return f"/opensearch/{question.collection}/_search"


def _body(question: ReplayedQuestion) -> Mapping[str, object]:
    return {"query": {"match": {"content": question.text}}, "size": question.top_n}


def _documents(answer: Mapping[str, Any]) -> list[str]:
    found = [doc_id_from_uid(hit["_id"]) for hit in answer["hits"]["hits"]]
    return [doc_id for doc_id in found if doc_id is not None]


REPLAY: Final = RestReplay(_path, _body, _documents)
