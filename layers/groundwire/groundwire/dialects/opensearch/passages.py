"""Passages of a query: by a search where it has texts, else all that its filter leaves."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.dialects.opensearch.errors import illegal_argument
from groundwire.dialects.opensearch.query.parsed import ParsedQuery
from groundwire.dialects.opensearch.query.search.search_body import ParsedSearch
from groundwire.domain.documents.ids import doc_id_from_uid
from groundwire.domain.limits import MAX_PASSAGES_PER_CALL
from groundwire.domain.search.request import ALL_DOCUMENTS, DocumentSelection, SearchMode, SearchRequest
from groundwire.services.search.listing import PassageSelection
from groundwire.services.search.planning.subqueries import PASSAGES_PER_SEARCH
from groundwire.services.search.results import Passage, SearchResult

if TYPE_CHECKING:
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.domain.keys.caller import Caller
    from groundwire.services.call_context import CallContext

_FILTER_SCORE: Final = 1.0
"""Score of a passage that a filter alone finds, as the engine has it."""


class FoundPassages(NamedTuple):
    """Passages of a query.

    Attributes:
        passages: best first, or in the order of the index.
        scores: by `_id`.
        total: number of all; `is_exact`: else there may be more.
        is_complete: `passages` are all that match.
        degradation: what a configured part did not do.
    """

    passages: Sequence[Passage]
    scores: Mapping[str, float]
    total: int
    is_exact: bool
    is_complete: bool
    degradation: str | None = None
    acl_mismatches: int = 0


class PassageSearch:
    """Search for the passages of queries."""

    def __init__(self, services: "DialectServices") -> None:
        self._services = services

    def find(self, call: "CallContext", names: Sequence[str], wanted: ParsedSearch) -> FoundPassages:
        """Return the passages of a search.

        Raises:
            OpenSearchError: the order or a check needs all passages, and there are too many.
        """
        if not names:
            return FoundPassages((), {}, 0, is_exact=True, is_complete=True)
        query, needs_all = wanted.query, wanted.needs_all
        if not query.texts:
            return self._list(call, names, query, needs_all=needs_all)
        # A text finds the same passages whatever part of them is shown, ordered or counted.
        needs_all = needs_all or wanted.start + wanted.size + len(query.without) > PASSAGES_PER_SEARCH
        if not query.is_optional:
            return self._search(call, names, query, needs_all=needs_all)
        listed = self._list(call, names, query._replace(texts=(), is_optional=False), needs_all=needs_all)
        return _put_first(self._search(call, names, query, needs_all=needs_all), listed)

    def count(self, call: "CallContext", names: Sequence[str], query: ParsedQuery) -> int:
        """Return the number of passages of a query; of a text those that a search finds.

        Raises:
            OpenSearchError: as in `find`.
        """
        if not names:
            return 0
        if query.texts and not query.is_optional:
            return self._search(call, names, query, needs_all=True).total
        query = query._replace(texts=(), is_optional=False)
        if query.without and query.ids is None:
            # Those that are left out are counted by their ids, however many passages there are.
            left_out = query._replace(ids=query.without, without=frozenset())
            return self.count(call, names, query._replace(without=frozenset())) - self.count(call, names, left_out)
        if query.is_filter:
            listing = self._services.reading.passage_listing
            return sum(listing.count(call.caller, PassageSelection(names, ALL_DOCUMENTS, query.where)).values())
        return self._list(call, names, query, needs_all=True).total

    def _search(
        self, call: "CallContext", names: Sequence[str], query: ParsedQuery, *, needs_all: bool
    ) -> FoundPassages:
        most = [text.most for text in query.texts if text.most is not None]
        limit = max(most) if len(most) == len(query.texts) else MAX_PASSAGES_PER_CALL
        needs_all = needs_all or query.check is not None or query.ids is not None
        needed = min(limit, MAX_PASSAGES_PER_CALL if needs_all else PASSAGES_PER_SEARCH)
        vectors = tuple(text.vector for text in query.texts)
        request = SearchRequest.for_caller(
            call.caller,
            [text.text for text in query.texts],
            collections=frozenset(names),
            documents=_documents(query),
            where=query.where,
            top_n=needed,
            max_top_n=MAX_PASSAGES_PER_CALL,
            mode=SearchMode.HYBRID if any(text.has_words for text in query.texts) else SearchMode.SEMANTIC,
        )
        # The engine has no floor of relevance: every match is a hit.
        request = replace(request, min_relevance=0.0, vectors=vectors if any(vectors) else ())
        caller = call.caller.without_expansion()
        result = self._run(caller, request)
        passages = _checked(query, result.passages)
        scores = {each.segment.uid: each.score if each.relevance is None else each.relevance for each in passages}
        # Fewer passages than asked for prove that there are no more.
        is_all = len(result.passages) < needed or needed == limit < MAX_PASSAGES_PER_CALL
        return FoundPassages(
            passages,
            scores,
            len(passages),
            is_exact=is_all,
            is_complete=True,
            degradation=result.degradation,
            acl_mismatches=result.acl_mismatches,
        )

    def _run(self, caller: "Caller", request: SearchRequest) -> SearchResult:
        """Return the result of a request; one text beyond what one search returns is continued by further ones."""
        if request.top_n <= PASSAGES_PER_SEARCH or len(request.phrases) > 1 or request.vectors:
            return self._services.reading.search(caller, request)
        found = self._services.reading.subquery_search(caller, [request])
        if (failure := found.searches[0].failure) is not None:
            raise failure
        degradations = dict.fromkeys(each.degradation for each in found.searches if each.degradation is not None)
        mismatches = max(each.acl_mismatches for each in found.searches)
        return SearchResult([each.passage for each in found.merged], " ".join(degradations) or None, mismatches)

    def _list(self, call: "CallContext", names: Sequence[str], query: ParsedQuery, *, needs_all: bool) -> FoundPassages:
        listing = self._services.reading.passage_listing
        found = listing.matches(call.caller, PassageSelection(names, _documents(query), query.where))
        # An order or a check of a part of the passages would give wrong hits without notice.
        if not found.is_complete and (needs_all or query.check is not None or query.ids is not None):
            raise illegal_argument(
                f"The query may match {found.total} documents. Sort, phrases and ids accept at most "
                f"{len(found.passages)}: narrow the query"
            )
        passages = _checked(query, found.passages)
        scores = dict.fromkeys((each.segment.uid for each in passages), _FILTER_SCORE)
        # Of passages that were not listed, it is not known which are left out.
        total = len(passages) if found.is_complete else max(len(passages), found.total - len(query.without))
        is_exact = found.is_complete or not query.without
        return FoundPassages(passages, scores, total, is_exact=is_exact, is_complete=found.is_complete)


def _put_first(found: FoundPassages, listed: FoundPassages) -> FoundPassages:
    """Return what a filter finds, with what a text would find of it first; the score of others is 0."""
    first = list(found.passages)
    shown = {each.segment.uid for each in first}
    others = [each for each in listed.passages if each.segment.uid not in shown]
    return listed._replace(
        passages=first + others,
        scores={**dict.fromkeys((each.segment.uid for each in others), 0.0), **found.scores},
        degradation=found.degradation,
        acl_mismatches=max(found.acl_mismatches, listed.acl_mismatches),
    )


def _documents(query: ParsedQuery) -> DocumentSelection:
    """Return the documents of the wanted ids."""
    if query.ids is None:
        return ALL_DOCUMENTS
    return frozenset(doc_id for each in query.ids if (doc_id := doc_id_from_uid(each)) is not None)


def _checked(query: ParsedQuery, passages: Sequence[Passage]) -> list[Passage]:
    check, ids = query.check, query.ids
    listed = [each for each in passages if ids is None or each.segment.uid in ids]
    return [each for each in listed if each.segment.uid not in query.without and (check is None or check(each.segment))]
