"""Search: phrases in, ranked passages out, and only passages that the principal may read at this moment.

The steps, in this order:

0. shorten: long phrases are cut before anything reads them.
1. embed: all phrases in one call, folded (NFKC), by the model of the index. A lexical search embeds nothing, and a
   search whose embedder does not answer becomes a lexical one.
2. candidates: the index finds the best of each phrase by lexical and semantic score, under access rule and filters.
3. fuse: one score per candidate, by the weight of its collection and by its language. A phrase that finds nothing
   relevant does not count where another does. The best `3 * top_n`, at least `3 * JUDGED_PASSAGES` and at most
   `MAX_REGISTRY_READS`, are read in the transaction that scored them.
4. rights: these are checked against the registry; then the filter is evaluated on the records of what remains. Where
   the index cannot decide the filter, `MAX_REGISTRY_READS` candidates are read. Where the filter leaves fewer than
   `top_n`, steps 2 to 5 are repeated once with more candidates, of which at most `MAX_FILTERED_READS` are read.
5. collapse: of nearly equal passages the best stays, and at equal relevance the beginning of a section comes first.
6. rerank: by the first phrase, where a reranker is configured and answers.
7. relevance: each passage gets its own; those below the call's `min_relevance` are dropped, as are those that are not
   nearer than its `max_distance`. An answer is empty where the best of its first `JUDGED_PASSAGES` is below the floor,
   however many are requested.
8. cut to `top_n`, then drop passages below the floor, but for those that hold a rare code of the phrases.
9. expand by neighbours where the key asks for `expand_tokens`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import compress
from typing import Final, Protocol

from groundwire.domain.documents.collection import Collection
from groundwire.domain.errors import Superseded, Unavailable
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL, SEARCH_SECONDS
from groundwire.domain.search.fusion import (
    PhraseScores,
    fuse,
    lexical_matches,
    phrase_shares,
)
from groundwire.domain.search.joint_vectors import text_model_name
from groundwire.domain.search.model_languages import ALL_LANGUAGES, ModelLanguages
from groundwire.domain.search.relevance import JUDGED_PASSAGES, ModelFits, fits_for
from groundwire.domain.search.request import SearchMode, SearchRequest, truncate_phrase
from groundwire.ports import (
    Clock,
    Collections,
    Documents,
    Embedders,
    Indexes,
    IndexQuery,
    Phrase,
    Reranker,
    VectorIndex,
)
from groundwire.ports.deadline import time_limit
from groundwire.services.search.candidates.finder import CandidateFinder, Candidates, Ranking, embed_phrases
from groundwire.services.search.candidates.near_duplicates import collapse
from groundwire.services.search.expansion import expand
from groundwire.services.search.relevance import Floors, Relevance, at_least, code_holders, most_relevant, nearer_than
from groundwire.services.search.reranking import Reranked, rerank_each
from groundwire.services.search.results import LEXICAL_ONLY, Passage, SearchResult, Trace

_POLICY_PROPAGATION_SECONDS: Final = 30
"""Time that a change of policy takes from the registry to the index; a later difference is an error of the index."""

_NO_WEIGHT: Final = 0.0
"""BM25 weight of a name that no collection has; no row is ranked by it."""


class SearchFunction(Protocol):
    """The call signature of `Search`."""

    def __call__(self, caller: Caller, request: SearchRequest, /) -> SearchResult:
        """Return at most `request.top_n` passages, best first."""
        ...


class Search:
    """Retrieval from the collections that a key allows."""

    def __init__(
        self,
        indexes: Indexes,
        embedders: Embedders,
        documents: Documents,
        collections: Collections,
        reranker: Reranker | None,
        own_fits: Sequence[ModelFits],
        clock: Clock,
        collapse: Callable[[Sequence[Passage]], list[Passage]] = collapse,
    ) -> None:
        """Initialise; `collapse` moves near-duplicates into `also_in` of the best one."""
        self._indexes = indexes
        self._embedders = embedders
        self._documents = documents
        self._collections = collections
        self._reranker = reranker
        self._own_fits = own_fits
        # An installation has one model, two while a tenant is reindexed.
        self._fits_for = cache(self._find_fits)
        self._clock = clock
        self._find_candidates = CandidateFinder(documents, collapse)

    def __call__(self, caller: Caller, request: SearchRequest) -> SearchResult:
        """Return at most `request.top_n` passages, best first, without near-duplicates.

        Args:
            caller: its principal, its key's collections and its key's `expand_tokens` apply.
            request: what to search for; it narrows what the caller may read.
        """
        [trace] = self._traced(caller, request, [slice(None)], CANDIDATES_PER_SIGNAL)
        return trace.result

    def traced(self, caller: Caller, request: SearchRequest, depth: int = CANDIDATES_PER_SIGNAL) -> Trace:
        """Run the same search and return the result of every step; `depth` candidates per phrase and signal.

        Raises:
            InvalidInput: the filter has too many levels or nodes.
        """
        [trace] = self._traced(caller, request, [slice(None)], depth)
        return trace

    def search_each(
        self, caller: Caller, request: SearchRequest, parts: Sequence[slice] | None = None
    ) -> list[SearchResult]:
        """Return the result of each part of the phrases; all share one embedding batch and one call of the index.

        A part is one phrase unless `parts` are given. The passages have no neighbours: `expanded` adds them.

        Raises:
            InvalidInput: the filter has too many levels or nodes.
        """
        parts = parts or [slice(at, at + 1) for at in range(len(request.phrases))]
        traces = self._traced(caller.without_expansion(), request, parts, CANDIDATES_PER_SIGNAL)
        return [trace.result for trace in traces]

    def expanded(self, caller: Caller, passages: Sequence[Passage]) -> Sequence[Passage]:
        """Return the passages among their neighbours where the key asks for `expand_tokens`."""
        if not caller.options.expand_tokens or not passages:
            return passages
        return expand(self._indexes.for_tenant(caller.principal.tenant), passages, caller.options.expand_tokens)

    def _traced(self, caller: Caller, request: SearchRequest, searches: Sequence[slice], depth: int) -> list[Trace]:
        if request.where is not None:
            from groundwire.domain.filters.size import check_size

            check_size(request.where)
        truncated = tuple(map(truncate_phrase, request.phrases))
        searched = request if truncated == request.phrases else replace(request, phrases=truncated)
        with time_limit(SEARCH_SECONDS):
            try:
                traces = self._search(caller, searched, searches, depth)
            except Superseded:
                # Another generation became live meanwhile, perhaps of another model.
                traces = self._search(caller, searched, searches, depth)
        if searched is request:
            return traces
        return [
            replace(trace, truncated_phrases=_truncated_phrases(request.phrases[phrases], truncated[phrases]))
            for trace, phrases in zip(traces, searches, strict=True)
        ]

    def _search(self, caller: Caller, request: SearchRequest, searches: Sequence[slice], depth: int) -> list[Trace]:
        collections = () if request.is_empty else self._collections.all(caller.principal.tenant)
        weights = _searched_weights(collections, caller, request)
        if not weights:
            return [Trace(request.phrases[phrases], request.where) for phrases in searches]
        index = self._indexes.for_tenant(caller.principal.tenant)
        if index.lexical is None:
            request, weights = request.as_semantic(), dict.fromkeys(weights, _NO_WEIGHT)
        query, unembedded = self._query(index, caller, request, list(weights), depth)
        languages = self._weighted_languages(index, query.mode)
        judge = Relevance(self._fits_for(index.model.name), languages, query.mode)
        floors = _floors(collections, caller, request)

        def rank(scores: Sequence[PhraseScores], limit: int) -> Ranking:
            shares = phrase_shares([len(scores) == 1 or judge.finds_something(each) for each in scores])
            ranked = [lexical_matches(each) for each in scores] if request.has_lexical_order else scores
            return Ranking(fuse(ranked, weights, limit, languages, shares), shares)

        candidates = self._find_candidates(index, query, rank, searches, request.top_n)
        changed_before = self._clock() - index.visible_after_seconds - _POLICY_PROPAGATION_SECONDS
        orders = self._orders(request, searches, candidates)
        traces: list[Trace] = []
        for phrases, found, order in zip(searches, candidates, orders, strict=True):
            hits = found.hits
            ordered = judge.judge(order.passages, hits.scores, hits.segments, order.scores)
            answer, is_below_floor = _answer(request, request.phrases[phrases], ordered, floors, judge)
            if caller.options.expand_tokens:
                answer = expand(index, answer, caller.options.expand_tokens)
            traces.append(
                Trace(
                    phrases=request.phrases[phrases],
                    where=request.where,
                    weights=weights,
                    languages=languages,
                    scores=hits.scores,
                    phrase_shares=found.ranking.phrase_shares,
                    fused=found.ranking.fused,
                    segments=hits.segments,
                    admitted=found.admitted,
                    distinct=found.distinct,
                    ordered=ordered,
                    rerank_scores=order.scores,
                    answer=answer,
                    is_below_floor=is_below_floor,
                    notices=(*unembedded, *order.notices),
                    acl_mismatches=found.checked.count_mismatches(changed_before),
                )
            )
        return traces

    def _orders(
        self, request: SearchRequest, searches: Sequence[slice], candidates: Sequence[Candidates]
    ) -> list[Reranked]:
        if self._reranker is None:
            return [Reranked(found.distinct, ()) for found in candidates]
        questions = [request.phrases[phrases][0] for phrases in searches]
        return rerank_each(self._reranker, questions, [found.distinct for found in candidates])

    def _weighted_languages(self, index: VectorIndex, mode: SearchMode) -> ModelLanguages:
        """Return the languages with the collection's own weight: the model's, or all where one signal is searched."""
        return self._embedders.for_model(index.model).languages if mode is SearchMode.HYBRID else ALL_LANGUAGES

    def _find_fits(self, index_model: str) -> ModelFits | None:
        """Return the fits for the model of an index and the reranker; None without any."""
        reranker = None if self._reranker is None else self._reranker.name
        return fits_for(text_model_name(index_model), reranker, self._own_fits)

    def _query(
        self,
        index: VectorIndex,
        caller: Caller,
        request: SearchRequest,
        collections: Sequence[str],
        depth: int,
    ) -> tuple[IndexQuery, Sequence[str]]:
        """Return the index's query, and the notices about what it lacks."""
        phrases: list[Phrase] | None = None
        mode, notices = request.mode, ()
        if mode is not SearchMode.LEXICAL:
            try:
                phrases = embed_phrases(self._embedders, index.model, request)
            except Unavailable:
                if index.lexical is None:
                    raise
                mode, notices = SearchMode.LEXICAL, (LEXICAL_ONLY,)
        if phrases is None:
            phrases = [Phrase(text, None) for text in request.phrases]
        query = IndexQuery(
            caller.principal, caller.collections, collections, request.documents, request.where, phrases, mode, depth
        )
        return query, notices


def _answer(
    request: SearchRequest, phrases: Sequence[str], ordered: Sequence[Passage], floors: Floors, judge: Relevance
) -> tuple[list[Passage], bool]:
    """Return the passages to answer with, and whether none of those found is relevant enough."""
    relevant = nearer_than(at_least(ordered, request.min_relevance), request.max_distance)
    judged = relevant[: max(request.top_n, JUDGED_PASSAGES)]
    admitted = floors.admit(judged, judge, lambda: code_holders(phrases, relevant))
    if judged and not any(admitted[:JUDGED_PASSAGES]):
        return [], True
    first = judged[: request.top_n]
    return list(compress(first, admitted)) or most_relevant(first), False


def _searched_weights(collections: Sequence[Collection], caller: Caller, request: SearchRequest) -> dict[str, float]:
    """Return the BM25 weight of each collection to search; none where the request excludes everything.

    A name that the call gives is searched whether or not there is such a collection, so that the work for a closed
    one does not differ from that for none.
    """
    if request.is_empty:
        return {}
    weights = {
        each.name: request.bm25_weight(each.bm25_weight)
        for each in collections
        if caller.allows_collection(each.name) and request.includes_collection(each.name)
    }
    if request.collections == ALL_COLLECTIONS:
        return weights
    given = sorted(request.collections)
    return weights | {name: _NO_WEIGHT for name in given if name not in weights and caller.allows_collection(name)}


def _floors(collections: Sequence[Collection], caller: Caller, request: SearchRequest) -> Floors:
    of_collections = {each.name: each.floor for each in collections if each.floor is not None}
    return Floors(caller.options.floor, of_collections, request.min_relevance)


def _truncated_phrases(phrases: Sequence[str], searched: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers, from 1, of the phrases from which more than surrounding space was cut."""
    pairs = enumerate(zip(phrases, searched, strict=True), start=1)
    return tuple(number for number, (phrase, part) in pairs if len(part) < len(phrase.strip()))
