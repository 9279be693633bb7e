"""Searches whose answers over a collection are joined by passages of the sources that are mapped to it.

A source is called while the collection is searched, with the first phrase alone. Its passages are scored by the
embedding model of the tenant's index. They take at most a third of the answer's passages; the others keep their order.
A source that fails adds a notice, and the answer is otherwise the same.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from groundwire.domain.documents.ids import segment_uid
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.documents.segment import Segment
from groundwire.domain.documents.source_url import safe_url_or_none
from groundwire.domain.errors import DomainError
from groundwire.domain.limits import MAX_JOINED_SHARE, SOURCE_JOIN_SECONDS
from groundwire.domain.search.phrases import truncate_phrase
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchMode
from groundwire.domain.text.normalisation import normalise
from groundwire.ports.deadline import remaining_seconds, time_limit
from groundwire.services.call_context import CallContext
from groundwire.services.search.results import Passage, SearchResult
from groundwire.services.sources.answer_passages import AnswerPassage, answer_passages

if TYPE_CHECKING:
    from groundwire.domain.keys.caller import Caller
    from groundwire.domain.search.request import SearchRequest
    from groundwire.domain.sources.source import McpSource
    from groundwire.services.search.per_collection import PerCollectionSearchFunction
    from groundwire.services.search.search import SearchFunction
    from groundwire.services.sources.passage_scores import PassageScores
    from groundwire.services.sources.tools import MappedTool, SourceTools

ORIGIN_PREFIX: Final = "source:"
"""Beginning of the ids of documents that are a source's; no document of this server can have such an id."""
_MOST_THREADS: Final = 16
_EXECUTOR: Final = ThreadPoolExecutor(_MOST_THREADS, thread_name_prefix="source")


class _Called(NamedTuple):
    """Source that is being called for one answer, until `ends_at` on the monotonic clock."""

    source: "McpSource"
    collection: str
    answer: "Future[list[AnswerPassage]]"
    audited: CallContext
    ends_at: float


class JoinedSearch:
    """Search of a caller's collections, joined by the sources that are mapped to them.

    Args:
        search: search of the collections.
        tools: returns the tools of sources. scores: scores of texts by the embedding model of a tenant's index.
    """

    def __init__(self, search: "SearchFunction", tools: "Callable[[], SourceTools]", scores: "PassageScores") -> None:
        self._search = search
        self._join = _Join(tools, scores)

    def __call__(self, caller: "Caller", request: "SearchRequest", /) -> SearchResult:
        """Return at most `request.top_n` passages, best first."""
        called = self._join.start(caller, request)
        result = self._search(caller, request)
        return self._join.finish(caller, request, result, called)


class JoinedPerCollectionSearch:
    """Searches of several collections, each joined by the sources that are mapped to it; arguments as above."""

    def __init__(
        self, search: "PerCollectionSearchFunction", tools: "Callable[[], SourceTools]", scores: "PassageScores"
    ) -> None:
        self._search = search
        self._join = _Join(tools, scores)

    def __call__(self, caller: "Caller", requests: "Sequence[SearchRequest]", /) -> list[SearchResult]:
        """Return the result of each request, in order."""
        called = [self._join.start(caller, request) for request in requests]
        results = self._search(caller, requests)
        return [
            self._join.finish(caller, request, result, each)
            for request, result, each in zip(requests, results, called, strict=True)
        ]


class _Join:
    """Calls of mapped sources, and their passages in an answer."""

    def __init__(self, tools: "Callable[[], SourceTools]", scores: "PassageScores") -> None:
        self._tools = tools
        self._scores = scores

    def start(self, caller: "Caller", request: "SearchRequest") -> list[_Called]:
        """Begin the calls of the sources that may join the answer to a request.

        A request that narrows by documents or metadata, or that compares words alone, is joined by none: nothing about
        a source's passages is known by which they could be narrowed.
        """
        if request.is_empty or request.where is not None or request.documents != ALL_DOCUMENTS:
            return []
        if request.mode is SearchMode.LEXICAL:
            return []
        call = CallContext(caller)
        try:
            mapped = self._tools().mapped(call, request.includes_collection)
        except DomainError:
            return []
        phrase = truncate_phrase(request.phrases[0])
        return [self._start_one(caller, each, phrase) for each in mapped]

    def _start_one(self, caller: "Caller", mapped: "MappedTool", phrase: str) -> _Called:
        audited, ends_at = CallContext(caller), time.monotonic() + remaining_seconds(SOURCE_JOIN_SECONDS)

        def call() -> list[AnswerPassage]:
            with time_limit(ends_at - time.monotonic()):
                arguments = {mapped.query_argument: phrase}
                return answer_passages(self._tools().call(audited, mapped.tool, arguments))

        answer = _EXECUTOR.submit(copy_context().run, call)
        return _Called(mapped.tool.source, mapped.collection, answer, audited, ends_at)

    def finish(
        self, caller: "Caller", request: "SearchRequest", result: SearchResult, called: Sequence[_Called]
    ) -> SearchResult:
        """Return the result joined by the passages of the called sources."""
        if not called:
            return result
        found: list[Passage] = []
        notices: list[str] = []
        for each in called:
            try:
                answers = each.answer.result(timeout=max(0.0, each.ends_at - time.monotonic()))
                found += self._passages(caller, request, each, answers)
            except (DomainError, TimeoutError):
                notices.append(
                    f"The source {normalise(each.source.name)} did not answer, so none of its passages are here."
                )
        joined = _merged(result.passages, found, request.top_n)
        degradation = " ".join(filter(None, (result.degradation, *notices))) or None
        facts = [dict(each.audited.audit_fields) for each in called]
        return replace(result, passages=joined, degradation=degradation, joined_sources=facts)

    def _passages(
        self, caller: "Caller", request: "SearchRequest", called: _Called, answers: Sequence[AnswerPassage]
    ) -> list[Passage]:
        """Return the passages that are relevant enough, scored; none where the model does not answer."""
        if not answers:
            return []
        scored = self._scores(caller.principal.tenant, request.phrases[0], [each.text for each in answers])
        passages = [
            Passage(
                segment=_segment(called, ordinal, answer),
                document=_document(called, answer),
                score=max(0.0, score.similarity),
                relevance=score.relevance,
                similarity=score.similarity,
            )
            for ordinal, (answer, score) in enumerate(zip(answers, scored, strict=True))
            if score.relevance is None or score.relevance >= score.floor
        ]
        least, farthest = request.min_relevance or 0.0, request.max_distance
        return [
            each
            for each in passages
            if (each.relevance is None or each.relevance >= least)
            and (farthest is None or (each.distance is not None and each.distance < farthest))
        ]


def _merged(own: Sequence[Passage], found: Sequence[Passage], top_n: int) -> list[Passage]:
    """Return the answer's passages with at most a third of them from sources; the own ones keep their order."""
    best = sorted(found, key=_rank, reverse=True)[: top_n // MAX_JOINED_SHARE]
    while best and len(best) * (MAX_JOINED_SHARE - 1) > min(len(own), top_n - len(best)):
        best.pop()
    merged: list[Passage] = []
    for passage in own[: top_n - len(best)]:
        while best and _rank(best[0]) > _rank(passage):
            merged.append(best.pop(0))
        merged.append(passage)
    return [*merged, *best]


def _rank(passage: Passage) -> float:
    for value in (passage.relevance, passage.similarity):
        if value is not None:
            return value
    return passage.score


def _server(source: "McpSource") -> str | None:
    """Return the address of a source's server without path and query, which may be nobody's business."""
    parts = urlsplit(source.server_url)
    return safe_url_or_none(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/")


def _title(called: _Called, answer: AnswerPassage) -> str:
    origin = f"MCP source {normalise(called.source.name)}"
    return f"{answer.title} ({origin})" if answer.title else origin


def _doc_id(called: _Called) -> str:
    return ORIGIN_PREFIX + called.source.tool_prefix


def _segment(called: _Called, ordinal: int, answer: AnswerPassage) -> Segment:
    title = _title(called, answer)
    return Segment(
        uid=segment_uid(_doc_id(called), answer.text, 0),
        doc_id=_doc_id(called),
        version=1,
        collection=called.collection,
        ordinal=ordinal,
        text=answer.text,
        heading_path=(),
        page_first=None,
        page_last=None,
        headline=title,
        summary="",
        title=title,
    )


def _document(called: _Called, answer: AnswerPassage) -> Document:
    source, title = called.source, _title(called, answer)
    return Document(
        doc_id=_doc_id(called),
        collection=called.collection,
        source_file_name=title,
        source_file_type="mcp",
        source_path=None,
        source_url=answer.url or _server(source),
        blob=None,
        title=title,
        policy=source.policy,
        version=1,
        policy_version=1,
        state=DocumentState.INDEXED,
        reason=None,
        content_hash="",
        recipe="",
        segments=0,
        pages=None,
        pages_without_text=0,
        size_bytes=0,
        index_stale=False,
        created_at=source.created_at,
        updated_at=source.updated_at,
    )
