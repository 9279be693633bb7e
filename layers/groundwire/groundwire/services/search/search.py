"""Search: phrases in, ranked passages out, and only those that the principal may read at this moment.

The steps, in this order:

0. shorten: long phrases are cut, before anything reads them.
1. embed: all phrases in one call, by the model that made the index; without it the search goes by words alone.
2. candidates: the index gives each phrase its best by words and by meaning, under access rule and filter.
3. fuse: one score per candidate, by the weight of its collection.
4. rights: the best `min(3 * top_n, MAX_REGISTRY_READS)` are read and checked against the registry.
5. collapse: of nearly equal passages the best stays.
6. rerank: with the user's own words, where a reranker is configured and answers.
7. cut to `top_n`, and expand by neighbours where the caller's key says so.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from groundwire.domain.errors import Superseded, Unavailable
from groundwire.domain.filters.expression import Filter
from groundwire.domain.keys.caller import Caller
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL, MAX_REGISTRY_READS, SEARCH_SECONDS
from groundwire.domain.search.fusion import fuse
from groundwire.domain.search.phrases import truncate_phrase
from groundwire.ports import Clock, Collections, Documents, Embedders, Index, Indexes, Phrase, Reranker
from groundwire.ports.deadline import time_limit
from groundwire.services.search.access_check import check_access
from groundwire.services.search.expansion import expand
from groundwire.services.search.near_duplicates import collapse
from groundwire.services.search.results import LEXICAL_ONLY, NOT_RERANKED, Passage, SearchResult
from groundwire.services.search.trace import Trace

_POLICY_PROPAGATION_SECONDS: Final = 30
"""What a change of policy takes from the registry to the index: not sooner is the index at fault."""


class SearchFunction(Protocol):
    """The shape of `Search.__call__`, for those who need not know when it is made."""

    def __call__(self, caller: Caller, phrases: Sequence[str], top_n: int, /) -> SearchResult:
        """At most `top_n` passages, best first."""
        ...


class Search:
    """Hybrid search over the collections that a key may reach."""

    def __init__(
        self,
        indexes: Indexes,
        embedders: Embedders,
        documents: Documents,
        collections: Collections,
        reranker: Reranker | None,
        clock: Clock,
    ) -> None:
        self._indexes = indexes
        self._embedders = embedders
        self._documents = documents
        self._collections = collections
        self._reranker = reranker
        self._clock = clock

    def __call__(self, caller: Caller, phrases: Sequence[str], top_n: int, where: Filter | None = None) -> SearchResult:
        """At most `top_n` passages, best first, nothing nearly twice.

        Args:
            caller: whose rights and collections count, and whose key says how much text around a passage it gets.
            phrases: at least one; the user's own words first; of any length.
            top_n: from a key 1 to `limits.MAX_TOP_N`; a measurement may want more.
            where: narrows by metadata; it opens nothing.
        """
        trace = self.search_with_trace(caller, phrases, top_n, where)
        return SearchResult(tuple(trace.answer), " ".join(trace.notices) or None, trace.acl_mismatches)

    def search_with_trace(
        self,
        caller: Caller,
        phrases: Sequence[str],
        top_n: int,
        where: Filter | None = None,
        depth: int = CANDIDATES_PER_SIGNAL,
    ) -> Trace:
        """The same search with what every step left; `depth` candidates per phrase and signal."""
        searched = [truncate_phrase(phrase) for phrase in phrases]
        with time_limit(SEARCH_SECONDS):
            try:
                trace = self._traced(caller, searched, top_n, where, depth)
            except Superseded:
                # The index was exchanged meanwhile, perhaps for one of another model.
                trace = self._traced(caller, searched, top_n, where, depth)
        return replace(trace, truncated_phrases=_truncated_phrases(phrases, searched))

    def _traced(self, caller: Caller, phrases: Sequence[str], top_n: int, where: Filter | None, depth: int) -> Trace:
        principal = caller.principal
        reachable = [each for each in self._collections.all(principal.tenant) if caller.allows_collection(each.name)]
        if not reachable:
            return Trace(phrases, where)
        weights = {collection.name: collection.bm25_weight for collection in reachable}
        index = self._indexes.for_tenant(principal.tenant)
        asked, by_words = self._embed(index, phrases)
        scores = index.search(principal, list(weights), asked, depth, where)
        fused = fuse(scores, weights, max(top_n, min(3 * top_n, MAX_REGISTRY_READS)))
        segments = index.read([row.key for row in fused])
        checked = check_access(principal, self._documents, segments, fused)
        mismatches = checked.count_mismatches(self._clock() - index.visible_after_seconds - _POLICY_PROPAGATION_SECONDS)
        admitted = checked.passages
        distinct = collapse(admitted)
        ordered, relevance, as_found = self._rerank(phrases[0], distinct)
        answer = ordered[:top_n]
        if caller.expand_tokens:
            answer = expand(index, answer, caller.expand_tokens)
        return Trace(
            *(phrases, where, weights, scores, fused, segments, admitted, distinct, ordered, relevance, answer),
            notices=(*by_words, *as_found),
            acl_mismatches=mismatches,
        )

    def _embed(self, index: Index, phrases: Sequence[str]) -> tuple[list[Phrase], Sequence[str]]:
        """The phrases, and what is to be said where they have no vectors."""
        try:
            vectors = self._embedders.for_model(index.model).embed(phrases, "query")
        except Unavailable:
            return [Phrase(text, None) for text in phrases], (LEXICAL_ONLY,)
        return [Phrase(text, vector) for text, vector in zip(phrases, vectors, strict=True)], ()

    def _rerank(self, question: str, passages: list[Passage]) -> tuple[list[Passage], list[float], Sequence[str]]:
        """Best first by the reranker, with its scores; of equal ones the better fused stays ahead."""
        if self._reranker is None or not passages:
            return passages, [], ()
        try:
            scores = self._reranker.score(question, [_text_with_headings(passage) for passage in passages])
        except Unavailable:
            return passages, [], (NOT_RERANKED,)
        order = sorted(range(len(passages)), key=lambda at: -scores[at])
        return [passages[at] for at in order], [scores[at] for at in order], ()


def _truncated_phrases(phrases: Sequence[str], searched: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers, from 1, of the phrases that lost more than surrounding space."""
    pairs = enumerate(zip(phrases, searched, strict=True), start=1)
    return tuple(number for number, (phrase, part) in pairs if len(part) < len(phrase.strip()))


def _text_with_headings(passage: Passage) -> str:
    return f"{' > '.join(passage.segment.heading_path)}\n{passage.segment.text}"
