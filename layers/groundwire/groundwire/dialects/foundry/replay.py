"""Replay of a question through `search_hybrid`."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from groundwire.dialects.declaration.replay import Replay, ReplayedQuestion


def _arguments(question: ReplayedQuestion) -> Mapping[str, object]:
    return {
        "query": question.text,
        "collection_names": [question.collection],
        "top_n": question.top_n,
        # An evaluation judges the search, of which strictness would hide a part.
        "strictness": 0,
    }


def _documents(answer: Mapping[str, Any]) -> list[str]:
    [found] = answer.values()
    return [PurePosixPath(result["file_path"]).name for result in found["results"]]


REPLAY: Final = Replay("search_hybrid", _arguments, _documents)
