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

from groundwire.domain.caller import Caller
from groundwire.domain.errors import Superseded, Unavailable
from groundwire.domain.filters import Filter
from groundwire.domain.fusion import fuse
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL, MAX_REGISTRY_READS, SEARCH_SECONDS
from groundwire.domain.phrases import shortened
from groundwire.ports import Clock, Collections, Documents, Embedders, Index, Indexes, Phrase, Reranker
from groundwire.ports.deadline import within
from groundwire.services.search.collapse import collapsed
from groundwire.services.search.expand import expanded
from groundwire.services.search.found import BY_WORDS_ALONE, NOT_RERANKED, Found
from groundwire.services.search.passage import Passage
from groundwire.services.search.rights import checked_now
from groundwire.services.search.trace import Trace

_CHANGING_SECONDS: Final = 30
"""What a change of policy takes from the registry to the index: not sooner is the index at fault."""


class SearchCall(Protocol):
    """The shape of `Search.__call__`, for those who need not know when it is made."""

    def __call__(self, caller: Caller, phrases: Sequence[str], top_n: int, /) -> Found:
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

    def __call__(self, caller: Caller, phrases: Sequence[str], top_n: int, where: Filter | None = None) -> Found:
        """At most `top_n` passages, best first, nothing nearly twice.

        Args:
            caller: whose rights and collections count, and whose key says how much text around a passage it gets.
            phrases: at least one; the user's own words first; of any length.
            top_n: from a key 1 to `limits.MAX_TOP_N`; a measurement may want more.
            where: narrows by metadata; it opens nothing.
        """
        trace = self.traced(caller, phrases, top_n, where)
        return Found(tuple(trace.answer), " ".join(trace.notices) or None, trace.acl_mismatches)

    def traced(
        self,
        caller: Caller,
        phrases: Sequence[str],
        top_n: int,
        where: Filter | None = None,
        depth: int = CANDIDATES_PER_SIGNAL,
    ) -> Trace:
        """The same search with what every step left; `depth` candidates per phrase and signal."""
        searched = [shortened(phrase) for phrase in phrases]
        with within(SEARCH_SECONDS):
            try:
                trace = self._traced(caller, searched, top_n, where, depth)
            except Superseded:
                # The index was exchanged meanwhile, perhaps for one of another model.
                trace = self._traced(caller, searched, top_n, where, depth)
        return replace(trace, cut=_cut(phrases, searched))

    def _traced(self, caller: Caller, phrases: Sequence[str], top_n: int, where: Filter | None, depth: int) -> Trace:
        principal = caller.principal
        reachable = [each for each in self._collections.all(principal.tenant) if caller.reaches(each.name)]
        if not reachable:
            return Trace(phrases, where)
        weights = {collection.name: collection.bm25_weight for collection in reachable}
        index = self._indexes.of(principal.tenant)
        asked, by_words = self._embedded(index, phrases)
        scores = index.search(principal, list(weights), asked, depth, where)
        fused = fuse(scores, weights, max(top_n, min(3 * top_n, MAX_REGISTRY_READS)))
        segments = index.read([row.key for row in fused])
        checked = checked_now(principal, self._documents, segments, fused)
        mismatches = checked.mismatches(self._clock() - index.visible_after_seconds - _CHANGING_SECONDS)
        admitted = checked.passages
        distinct = collapsed(admitted)
        ordered, relevance, as_found = self._reranked(phrases[0], distinct)
        answer = ordered[:top_n]
        if caller.expand_tokens:
            answer = expanded(index, answer, caller.expand_tokens)
        return Trace(
            *(phrases, where, weights, scores, fused, segments, admitted, distinct, ordered, relevance, answer),
            notices=(*by_words, *as_found),
            acl_mismatches=mismatches,
        )

    def _embedded(self, index: Index, phrases: Sequence[str]) -> tuple[list[Phrase], Sequence[str]]:
        """The phrases, and what is to be said where they have no vectors."""
        try:
            vectors = self._embedders.of(index.model).embed(phrases, "query")
        except Unavailable:
            return [Phrase(text, None) for text in phrases], (BY_WORDS_ALONE,)
        return [Phrase(text, vector) for text, vector in zip(phrases, vectors, strict=True)], ()

    def _reranked(self, question: str, passages: list[Passage]) -> tuple[list[Passage], list[float], Sequence[str]]:
        """Best first by the reranker, with its scores; of equal ones the better fused stays ahead."""
        if self._reranker is None or not passages:
            return passages, [], ()
        try:
            scores = self._reranker.score(question, [_read_with_headings(passage) for passage in passages])
        except Unavailable:
            return passages, [], (NOT_RERANKED,)
        order = sorted(range(len(passages)), key=lambda at: -scores[at])
        return [passages[at] for at in order], [scores[at] for at in order], ()


def _cut(phrases: Sequence[str], searched: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers, from 1, of the phrases that lost more than surrounding space."""
    pairs = enumerate(zip(phrases, searched, strict=True), start=1)
    return tuple(number for number, (phrase, part) in pairs if len(part) < len(phrase.strip()))


def _read_with_headings(passage: Passage) -> str:
    return f"{' > '.join(passage.segment.heading_path)}\n{passage.segment.text}"
