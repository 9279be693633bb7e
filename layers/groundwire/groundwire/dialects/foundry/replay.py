"""Replay of a question through `search_hybrid`."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from groundwire.dialects.declaration.replay import AnswerForm, PassagePlace, Replay, ReplayedQuestion


def _arguments(question: ReplayedQuestion) -> Mapping[str, object]:
    named = {"query": question.text, "collection_names": [question.collection], "top_n": question.top_n}
    return named if question.has_floor else {**named, "strictness": 0}


def _passages(answer: Mapping[str, Any]) -> list[PassagePlace]:
    [found] = answer.values()
    # The answer has no ids of passages.
    return [PassagePlace(PurePosixPath(each["file_path"]).name, int(each["chunk_id"])) for each in found["results"]]


REPLAY: Final = Replay("search_hybrid", _arguments, _passages, form=AnswerForm(has_floor=False))
