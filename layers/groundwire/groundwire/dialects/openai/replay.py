"""Replay of a question through `search`."""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.dialects.declaration.replay import AnswerForm, Replay, ReplayedQuestion


def _arguments(question: ReplayedQuestion) -> Mapping[str, object]:
    return {"query": question.text}


def _passages(answer: Mapping[str, Any]) -> list[str]:
    return [each["id"] for each in answer["results"]]


REPLAY: Final = Replay("search", _arguments, _passages, form=AnswerForm(is_thinned=True))
