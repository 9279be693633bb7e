"""Searches whose answers over a collection are joined by passages of the sources that are mapped to it.

A source is called while the collection is searched, with the first phrase alone. Its passages are scored by the
embedding model of the tenant's index. They take at most a third of every beginning of the answer; the others keep their
order. A source that fails adds a notice, and the answer is otherwise the same. The searches of a tenant without such a
source read none.
"""

import time
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import nullcontext
from contextvars import copy_context
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.errors import DomainError
from groundwire.domain.keys.fairness.parties import NEW_USERS, Party
from groundwire.domain.keys.fairness.queue import FairQueue, Refused, Ticket
from groundwire.domain.keys.fairness.work import JOINS, LEAST_SECONDS, OUTSIDE_PLACES, Work
from groundwire.domain.limits import MAX_JOINED_CANDIDATES, SOURCE_JOIN_SECONDS
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchMode, truncate_phrase
from groundwire.ports.deadline import beside, remaining_seconds, time_limit, waiting
from groundwire.services.call_context import CallContext
from groundwire.services.search.results import Passage, SearchResult
from groundwire.services.sources.joins.answer_passages import AnswerPassage, answer_passages
from groundwire.services.sources.joins.joined_passages import merge_passages, source_passage
from groundwire_readers.text.normalisation import normalise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundwire.domain.keys.caller import Caller
    from groundwire.domain.keys.fairness.work import Capacity
    from groundwire.domain.search.request import SearchRequest
    from groundwire.domain.sources.source import McpSource
    from groundwire.ports.system import Clock
    from groundwire.services.search.per_collection import PerCollectionSearchFunction
    from groundwire.services.search.search import SearchFunction
    from groundwire.services.sources.joins.passage_scores import PassageScores
    from groundwire.services.sources.tools import MappedTool, SourceTools
    from groundwire.services.sources.validation import OwnAddress


_UNMAPPED_SECONDS: Final = 30
_MAX_REMEMBERED: Final = 10_000


class UnmappedTenants:
    """Memory of tenants without a mapped source; each is forgotten after `_UNMAPPED_SECONDS`.

    Args:
        clock: epoch seconds.
    """

    def __init__(self, clock: "Clock") -> None:
        self._clock = clock
        self._until: dict[str, float] = {}

    def includes(self, caller: "Caller") -> bool:
        """Return whether the caller's tenant had no mapped source a moment ago."""
        until = self._until.get(caller.principal.tenant)
        return until is not None and self._clock() < until

    def add(self, tenant: str) -> None:
        """Remember a tenant."""
        if len(self._until) >= _MAX_REMEMBERED:
            # All at once: to forget a tenant costs one read, and needs no order.
            self._until.clear()
        self._until[tenant] = self._clock() + _UNMAPPED_SECONDS

    def remove(self, tenant: str) -> None:
        """Forget a tenant, whose sources were changed."""
        self._until.pop(tenant, None)


_EXECUTOR: Final = ThreadPoolExecutor(OUTSIDE_PLACES, thread_name_prefix="source")


class _Called(NamedTuple):
    """Source that is being called for one answer, until `ends_at` on the monotonic clock.

    Attributes:
        answer: None: the tenant has as many calls as it may have.
    """

    source: "McpSource"
    collection: str
    answer: "Future[list[AnswerPassage]] | None"
    audited: CallContext
    ends_at: float

    def passages(self) -> list[AnswerPassage]:
        """Return the passages of its answer.

        Raises:
            TimeoutError: there is none in time.
        """
        if self.answer is None:
            raise TimeoutError
        try:
            with nullcontext() if self.answer.done() else waiting():
                return self.answer.result(timeout=max(0.0, self.ends_at - time.monotonic()))
        finally:
            # A call that has not started is withdrawn; a running one ends by its own limit.
            self.answer.cancel()


class _RunningCalls:
    """Calls of each tenant in this process, within a capacity: hanging servers of one leave threads to the others."""

    def __init__(self, capacity: "Capacity") -> None:
        self._lock = Lock()
        self._queue = FairQueue[None](capacity)

    def submit(self, tenant: str, call: "Callable[[], list[AnswerPassage]]") -> "Future[list[AnswerPassage]] | None":
        """Return the future of a call; None where the tenant has as many as it may have."""
        with self._lock:
            place = self._queue.submit(Party(tenant, "", NEW_USERS), LEAST_SECONDS[Work.SOURCE], None)
            if isinstance(place, Refused):
                return None
            # Nothing waits here: the capacity has as many places as slots.
            self._queue.start_next(time.monotonic())
        # A thread of the pool does not inherit the context variables of the call.
        with beside():
            future = _EXECUTOR.submit(copy_context().run, call)
        future.add_done_callback(lambda _: self._end(place))
        return future

    def _end(self, place: Ticket[None]) -> None:
        with self._lock:
            self._queue.finish(place, time.monotonic())


_RUNNING: Final = _RunningCalls(JOINS)
_FAILURES: Final = (DomainError, TimeoutError, CancelledError, RecursionError, ValueError, TypeError, LookupError)
"""Errors of a call and of what a source sent, which no own answer is lost for."""


class JoinedSearch:
    """Search of a caller's collections, joined by the sources that are mapped to them.

    Args:
        search: search of the collections.
        joins: the sources.
        split_search: returns the search for keys with `split_first_phrase`; None: their searches are as any other.
    """

    def __init__(
        self, search: "SearchFunction", joins: "SourceJoins", split_search: "Callable[[], SearchFunction] | None" = None
    ) -> None:
        self._search = search
        self._joins = joins
        self._split_search = split_search

    def __call__(self, caller: "Caller", request: "SearchRequest", /) -> SearchResult:
        """Return at most `request.top_n` passages, best first."""
        called = None if self._joins.unmapped.includes(caller) else self._joins.start(caller, request)
        search = self._search
        if self._split_search is not None and caller.options.split_first_phrase:
            search = self._split_search()
        result = search(caller, request)
        return self._joins.finish(caller, request, result, called) if called else result


class JoinedPerCollectionSearch:
    """Searches of several collections, each joined by the sources that are mapped to it."""

    def __init__(self, search: "PerCollectionSearchFunction", joins: "SourceJoins") -> None:
        self._search = search
        self._joins = joins

    def __call__(self, caller: "Caller", requests: "Sequence[SearchRequest]", /) -> list[SearchResult]:
        """Return the result of each request, in order."""
        if self._joins.unmapped.includes(caller):
            return self._search(caller, requests)
        called = [self._joins.start(caller, request) for request in requests]
        results = self._search(caller, requests)
        return [
            self._joins.finish(caller, request, result, each)
            for request, result, each in zip(requests, results, called, strict=True)
        ]


class SourceJoins:
    """Calls of mapped sources, and their passages in an answer.

    Args:
        tools: returns the tools of sources. scores: scores of texts by the embedding model of a tenant's index.
        own_address: address of this server, to which no passage of a source leads.

    Attributes:
        unmapped: tenants that are known to have no source that joins answers.
    """

    def __init__(
        self,
        tools: "Callable[[], SourceTools]",
        scores: "PassageScores",
        own_address: "OwnAddress",
        unmapped: "UnmappedTenants",
    ) -> None:
        self.unmapped = unmapped
        self._tools = tools
        self._scores = scores
        self._own_address = own_address

    def start(self, caller: "Caller", request: "SearchRequest") -> list[_Called]:
        """Start the calls of the sources that may join the answer to a request.

        A request that narrows by documents or metadata, or that compares words alone, is joined by none: nothing about
        a source's passages is known by which they could be narrowed.
        """
        phrase = truncate_phrase(request.phrases[0]).strip()
        if request.is_empty or request.where is not None or request.documents != ALL_DOCUMENTS or not phrase:
            return []
        if request.mode is SearchMode.LEXICAL:
            return []
        try:
            mapped = self._tools().mapped(CallContext(caller), request.includes_collection)
        except DomainError:
            return []
        return [self._start_one(caller, each, phrase) for each in mapped]

    def _start_one(self, caller: "Caller", mapped: "MappedTool", phrase: str) -> _Called:
        audited, ends_at = CallContext(caller), time.monotonic() + remaining_seconds(SOURCE_JOIN_SECONDS)

        def call() -> list[AnswerPassage]:
            with time_limit(max(0.0, ends_at - time.monotonic())):
                arguments = {mapped.query_argument: phrase}
                return answer_passages(self._tools().call(audited, mapped.tool, arguments))

        answer = _RUNNING.submit(caller.principal.tenant, call)
        return _Called(mapped.tool.source, mapped.collection, answer, audited, ends_at)

    def finish(
        self, caller: "Caller", request: "SearchRequest", result: SearchResult, called: "Sequence[_Called]"
    ) -> SearchResult:
        """Return the result joined by the passages of the called sources."""
        if not called:
            return result
        answers: list[tuple[_Called, AnswerPassage]] = []
        failed: list[str] = []
        for each in called:
            try:
                answers += [(each, passage) for passage in each.passages()[:MAX_JOINED_CANDIDATES]]
            except _FAILURES as error:
                # The class alone, as the text of an error may quote what the server sent.
                each.audited.audit_fields.setdefault("problem", type(error).__name__)
                failed.append(each.source.name)
        try:
            found = self._passages(caller, request, answers)
        except DomainError:
            found, failed = [], [each.source.name for each in called]
        # A copy, because a call that still runs may add to it.
        facts = [dict(each.audited.audit_fields) for each in called]
        degradation = " ".join(filter(None, (result.degradation, *map(_notice, failed)))) or None
        joined = merge_passages(result.passages, found, request.top_n)
        return replace(result, passages=joined, degradation=degradation, joined_sources=facts)

    def _passages(
        self, caller: "Caller", request: "SearchRequest", answers: "Sequence[tuple[_Called, AnswerPassage]]"
    ) -> list[Passage]:
        """Return the passages that are relevant enough, scored.

        Raises:
            Unavailable: the model does not answer.
        """
        if not answers:
            return []
        texts = [passage.text for _, passage in answers]
        scored = self._scores(caller.principal.tenant, request.phrases[0], texts)
        passages = [
            source_passage(called.source, called.collection, self._without_own_url(passage), score)
            for (called, passage), score in zip(answers, scored, strict=True)
            if score.relevance is None or score.relevance >= score.floor
        ]
        least, farthest = request.min_relevance or 0.0, request.max_distance
        return [
            each
            for each in passages
            if (each.relevance is None or each.relevance >= least)
            and (farthest is None or (each.distance is not None and each.distance < farthest))
        ]

    def _without_own_url(self, passage: AnswerPassage) -> AnswerPassage:
        """Return the passage without an address of this server, which would lend it a document's trust."""
        is_own = passage.url is not None and self._own_address.includes(passage.url)
        return passage._replace(url=None) if is_own else passage


def _notice(source_name: str) -> str:
    return f"The source {normalise(source_name)} did not answer. Its passages are missing."
