"""Signals of the passages that each question finds, through the product's own search."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from bench.relevance.questions import Request
from groundwire.domain.documents.segment import Segment
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.search.relevance import Signals
from groundwire.domain.search.request import SearchMode
from groundwire.services.evaluate.judged_questions import JUDGED_DEPTH, as_questions, judged_passages
from groundwire.services.evaluate.measurement import question_caller, question_request
from groundwire.services.evaluate.relevance_fit import JudgedPassage, JudgedQuestion, QuestionKind
from groundwire.services.search import Search


def ask(search: Search, tenant: str, questions: Iterable[Request], mode: SearchMode) -> Iterator[JudgedQuestion]:
    """The answer to each question; that of an answered one follows a second time without the passages that answer."""
    for requested in questions:
        caller = question_caller(tenant, ALL_COLLECTIONS, requested.question)
        request = replace(question_request(caller, requested.question, JUDGED_DEPTH), mode=mode)
        found = judged_passages(search, caller, request, lambda one, requested=requested: _answers(requested, one))
        yield from as_questions(requested.kind, requested.question.id, found)


def _answers(requested: Request, segment: Segment) -> bool:
    text = " ".join(segment.text.split())
    return segment.doc_id in requested.documents and (requested.answer is None or requested.answer in text)


def answer_from_json(row: dict[str, Any]) -> JudgedQuestion:
    """Return an answer that was kept as JSON."""
    found = tuple(JudgedPassage(Signals(**each["signals"]), each["answers"]) for each in row["found"])
    return JudgedQuestion(QuestionKind(row["kind"]), row["id"], found)
