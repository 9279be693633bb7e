"""Signals of the passages that each question finds, through the product's own search."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from bench.relevance.questions import Asked
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.search.relevance import Signals, signals_at
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.services.evaluate.relevance_fit import JudgedPassage, JudgedQuestion, QuestionKind
from groundwire.services.search import Search

PASSAGES: Final = 10
"""Passages of an answer."""
_DEEP: Final = 30
"""Passages that are read, so that enough stay when those that answer are left out."""


def ask(search: Search, tenant: str, questions: Iterable[Asked]) -> Iterator[JudgedQuestion]:
    """The answer to each question; that of an answered one follows a second time without the passages that answer."""
    for asked in questions:
        found = _found(search, tenant, asked)
        yield JudgedQuestion(asked.kind, asked.question.id, found[:PASSAGES])
        if asked.kind is QuestionKind.ANSWERED:
            rest = tuple(each for each in found if not each.answers)
            yield JudgedQuestion(QuestionKind.LEFT_OUT, asked.question.id, rest[:PASSAGES])


def _found(search: Search, tenant: str, asked: Asked) -> tuple[JudgedPassage, ...]:
    caller = _caller(tenant, asked)
    request = SearchRequest.for_caller(
        caller,
        [asked.question.text],
        collections=ALL_COLLECTIONS,
        documents=ALL_DOCUMENTS,
        where=None,
        top_n=_DEEP,
        max_top_n=_DEEP,
    )
    trace = search.traced(caller, replace(request, min_relevance=0.0))
    if not trace.ordered:
        return ()
    (scores,) = trace.scores
    places = {key: at for at, key in enumerate(scores.keys)}
    keys = {(segment.uid, segment.version): key for key, segment in trace.segments.items()}
    found: list[JudgedPassage] = []
    for number, passage in enumerate(trace.ordered):
        segment = passage.segment
        text = " ".join(segment.text.split())
        answers = segment.doc_id in asked.documents and (asked.answer is None or asked.answer in text)
        rerank = trace.rerank_scores[number] if trace.rerank_scores else None
        place = places[keys[segment.uid, segment.version]]
        found.append(JudgedPassage(signals_at(scores, place, rerank), answers))
    return tuple(found)


def _caller(tenant: str, asked: Asked) -> Caller:
    principal = Principal(tenant, asked.question.user, asked.question.tags)
    return Caller(
        principal, "bench", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, _DEEP, DEFAULT_TOOLSET
    )


def answer_from_json(row: dict[str, Any]) -> JudgedQuestion:
    """Return an answer that was kept as JSON."""
    found = tuple(JudgedPassage(Signals(**each["signals"]), each["answers"]) for each in row["found"])
    return JudgedQuestion(QuestionKind(row["kind"]), row["id"], found)
