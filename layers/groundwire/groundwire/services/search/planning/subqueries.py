"""Search of the subqueries of a query plan: one embedding batch and one call of the index for each source.

A source is a set of collections with a filter of its own. Sources are searched at the same time, equal ones once. One
that does not answer leaves the results of the others as they are.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from groundwire.domain.errors import Unavailable
from groundwire.domain.limits import MAX_SPLIT_QUESTIONS, SEARCH_SECONDS
from groundwire.domain.search.merging import merge_by_turns
from groundwire.ports.deadline import time_limit
from groundwire.services.search.per_collection import EmbeddersOfOneCall
from groundwire.services.search.results import Passage, SearchResult

if TYPE_CHECKING:
    from groundwire.domain.keys.caller import Caller
    from groundwire.domain.search.request import SearchRequest
    from groundwire.ports import Embedders
    from groundwire.services.search.search import Search

_MOST_THREADS: Final = 8
_FIRST: Final = 0
"""Number of a source until the numbers of all requests that are equal to it are known."""
PASSAGES_PER_SEARCH: Final = 50
"""Passages that one search returns at most; a request for more is continued by further searches."""


class SubqueryResult(NamedTuple):
    """Result of one search.

    Attributes:
        source: number of the request. query: text that was searched.
        passages: best first.
        failure: error of the source; None where it answered.
        degradation: what a configured part did not do; None where the search was as good as configured.
        acl_mismatches: number of documents that the registry denied and the index should have denied by now.
    """

    source: int
    query: str
    passages: Sequence[Passage]
    failure: Unavailable | None = None
    degradation: str | None = None
    acl_mismatches: int = 0


class FoundPassage(NamedTuple):
    """A passage of the merged results, and the number of the search that ranks it first."""

    passage: Passage
    search: int


class SubqueryResults(NamedTuple):
    """Results of all searches, and their passages merged by turns, each once."""

    searches: Sequence[SubqueryResult]
    merged: Sequence[FoundPassage]


class SubquerySearchFunction(Protocol):
    """The call signature of `SubquerySearch`."""

    def __call__(self, caller: "Caller", requests: "Sequence[SearchRequest]", /) -> SubqueryResults:
        """Return the results of every subquery in every source."""
        ...


class SubquerySearch:
    """Search of subqueries.

    Args:
        build_search: returns a search with these embedders.
        embedders: embedding models.
    """

    def __init__(self, build_search: "Callable[[Embedders], Search]", embedders: "Embedders") -> None:
        self._build_search = build_search
        self._embedders = embedders

    def __call__(self, caller: "Caller", requests: "Sequence[SearchRequest]", /) -> SubqueryResults:
        """Return the results of every subquery in every source.

        Args:
            caller: whose rights apply.
            requests: one for each source; the phrases are the subqueries, and `top_n` the passages that are ranked.
                Where that takes more searches of `PASSAGES_PER_SEARCH` than there are subqueries, the first is
                continued.

        Raises:
            InvalidInput: a filter has too many levels or nodes.
        """
        search = self._build_search(EmbeddersOfOneCall(self._embedders))
        with time_limit(SEARCH_SECONDS):
            distinct = [request for at, request in enumerate(requests) if request not in requests[:at]]
            found = _in_parallel([partial(_search_source, search, caller, request) for request in distinct])
            sources = [
                [each._replace(source=number) for each in found[distinct.index(request)]]
                for number, request in enumerate(requests)
            ]
            searches = [each for turn in zip_longest(*sources) for each in turn if each is not None]
            merged = _merged(_rankings(searches))
            shown = search.expanded(caller, [each.passage for each in merged])
        return SubqueryResults(
            searches, [each._replace(passage=passage) for each, passage in zip(merged, shown, strict=True)]
        )


class SplitPhraseSearch:
    """Search of the phrases of a call, and of each question of a compound first phrase.

    The phrases of the call are one search, as without the option; its passage is the first.

    Args:
        search: the search of a call's phrases.
    """

    def __init__(self, search: "Search") -> None:
        self._search = search

    def __call__(self, caller: "Caller", request: "SearchRequest", /) -> SearchResult:
        """Return at most `request.top_n` passages; those of the phrases alone where the first one is one question."""
        from groundwire.services.search.planning.planner import split_question

        questions = split_question(request.phrases[0], MAX_SPLIT_QUESTIONS)
        if not questions:
            return self._search(caller, request)
        of_call = len(request.phrases)
        parts = [slice(of_call), *(slice(at, at + 1) for at in range(of_call, of_call + len(questions)))]
        with time_limit(SEARCH_SECONDS):
            results = self._search.search_each(caller, replace(request, phrases=(*request.phrases, *questions)), parts)
            rankings = [[FoundPassage(each, number) for each in one.passages] for number, one in enumerate(results)]
            shown = self._search.expanded(caller, [each.passage for each in _merged(rankings)[: request.top_n]])
        return SearchResult(
            tuple(shown),
            next((each.degradation for each in results if each.degradation is not None), None),
            # The searches check the same records, so their mismatches are not added up.
            max(each.acl_mismatches for each in results),
            is_below_floor=not shown and any(each.is_below_floor for each in results),
        )


def _merged(rankings: Sequence[Sequence[FoundPassage]]) -> list[FoundPassage]:
    """Return the passages of all rankings by turns, each once, with the highest of its relevances.

    Of near-duplicates of different rankings the first one stays.
    """
    best: dict[str, float] = {}
    for passage in (each.passage for ranking in rankings for each in ranking):
        if passage.relevance is not None:
            best[passage.segment.uid] = max(passage.relevance, best.get(passage.segment.uid, 0.0))
    merged: list[FoundPassage] = []
    represented: set[str] = set()
    most = sum(map(len, rankings))
    for found in merge_by_turns(rankings, most, lambda each: each.passage.segment.uid):
        passage = found.passage
        if passage.segment.uid not in represented:
            represented |= {each.segment.uid for each in passage.also_in}
            merged.append(found._replace(passage=replace(passage, relevance=best.get(passage.segment.uid))))
    return merged


def _rankings(searches: Sequence[SubqueryResult]) -> list[list[FoundPassage]]:
    """Return the passages of each subquery in each source; further ranks continue the ranking that they belong to."""
    rankings: dict[tuple[int, str], list[FoundPassage]] = {}
    for number, search in enumerate(searches):
        ranking = rankings.setdefault((search.source, search.query), [])
        ranking += [FoundPassage(passage, number) for passage in search.passages]
    return list(rankings.values())


def _search_source(search: "Search", caller: "Caller", request: "SearchRequest") -> list[SubqueryResult]:
    """Return the results of one source, one for each subquery, then the continuations of the first."""
    needed = -(-request.top_n // PASSAGES_PER_SEARCH)
    request = replace(request, top_n=min(request.top_n, PASSAGES_PER_SEARCH))
    queries = [*request.phrases, *request.phrases[:1] * (needed - len(request.phrases))]
    try:
        results = search.search_each(caller, request)
    except Unavailable as error:
        return [SubqueryResult(_FIRST, query, (), error) for query in queries]
    found = [
        SubqueryResult(_FIRST, query, each.passages, None, each.degradation, each.acl_mismatches)
        for query, each in zip(request.phrases, results, strict=True)
    ]
    if len(found) >= needed:
        return found
    try:
        return found + _continued(search, caller, found, request, needed)
    except Unavailable as error:
        # What was found stays; the further searches state that they failed.
        failed = SubqueryResult(_FIRST, request.phrases[0], (), error)
        return found + [failed] * (needed - len(found))


def _continued(
    search: "Search", caller: "Caller", found: Sequence[SubqueryResult], request: "SearchRequest", needed: int
) -> list[SubqueryResult]:
    """Return the further ranks of the first subquery, `PASSAGES_PER_SEARCH` in each result."""
    first, count = found[0], needed - len(found)
    depth = PASSAGES_PER_SEARCH * (count + 1)
    trace = search.traced(caller.without_expansion(), replace(request, phrases=request.phrases[:1], top_n=depth), depth)
    # A deeper search may rank a little otherwise, so that ranks alone would skip or repeat passages.
    shown = {passage.segment.uid for passage in first.passages}
    further = [passage for passage in trace.answer if passage.segment.uid not in shown]
    starts = range(0, PASSAGES_PER_SEARCH * count, PASSAGES_PER_SEARCH)
    return [first._replace(passages=further[start : start + PASSAGES_PER_SEARCH]) for start in starts]


def _in_parallel(calls: "Sequence[Callable[[], list[SubqueryResult]]]") -> list[list[SubqueryResult]]:
    """Return the results of the calls, in order; each has the deadline of the whole call."""
    if len(calls) == 1:
        return [calls[0]()]
    with ThreadPoolExecutor(min(_MOST_THREADS, max(1, len(calls)))) as pool:
        # The deadline is in a context variable, which a new thread does not inherit.
        pending = [pool.submit(copy_context().run, call) for call in calls]
        return [each.result() for each in pending]
