"""Replay of a question through `rag_search`."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.dialects.declaration.replay import Replay, ReplayedQuestion


def _arguments(question: ReplayedQuestion) -> Mapping[str, object]:
    return {"search_phrases": [question.text], "top_n": question.top_n}


def _documents(answer: Mapping[str, Any]) -> list[str]:
    """Return the document of each passage, in the order of the passages."""
    by_passage = {number: source["document_id"] for source in answer["sources"] for number in source["passages"]}
    return [by_passage[number] for number in sorted(by_passage)]


REPLAY: Final = Replay("rag_search", _arguments, _documents)
