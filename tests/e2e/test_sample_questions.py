"""The sample questions: those that may be answered are, and nothing forbidden ever comes back."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from groundwire.settings import folders
from tests.support.clients.agent import Agent


@cache
def questions() -> list[dict[str, Any]]:
    root = folders.checkout_folder()
    assert root is not None
    lines = (root / "samples" / "questions" / "queries.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


ALLOWED = [question for question in questions() if not question["forbidden"]]
FORBIDDEN = [question for question in questions() if question["forbidden"]]
REACHED = 0.9
"""Share of the questions whose answer is among the passages."""


def requested(agent: Agent, question: dict[str, Any]) -> list[dict[str, Any]]:
    return agent.speaking_for(question["user"], question["tags"]).search(question["text"])


def test_nearly_every_question_finds_the_passage_that_answers_it(demo_agent: Agent) -> None:
    missed = [
        question["_id"]
        for question in ALLOWED
        if not any(question["answer"] in segment["raw_text"] for segment in requested(demo_agent, question))
    ]
    assert len(ALLOWED) >= 40
    assert 1 - len(missed) / len(ALLOWED) >= REACHED, missed


@pytest.mark.parametrize("question", FORBIDDEN, ids=[question["_id"] for question in FORBIDDEN])
def test_no_question_returns_a_document_that_its_user_may_not_read(demo_agent: Agent, question: dict[str, Any]) -> None:
    file = Path(question["document"]).name
    segments = requested(demo_agent, question)
    assert file not in {segment["source_file_name"] for segment in segments}
    assert not any(question["answer"] in segment["raw_text"] for segment in segments)
