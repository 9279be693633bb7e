"""Candidates of a search: found and ranked, checked against registry and filter, and without near-duplicates.

The index cannot decide every filter, and knows less of rows of an earlier form. It then returns candidates that the
filter takes away afterwards. Where fewer than `top_n` stay, the index is searched once more, `MAX_FILTERED_READS` deep.
Records are then read in batches, until enough passages stay or so many candidates have been read. A filter that the
index decides takes nothing away here, so it never causes a second search.

At equal relevance the beginning of a section precedes its continuations: a section's first passage names the subject,
and a continuation answers as well only to a reader who knows it. Documents keep their ranks, because passages trade
places within one document.
"""

import math
import unicodedata
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import InvalidInput, Superseded, Unavailable
from groundwire.domain.filters.expression import Filter
from groundwire.domain.limits import MAX_FILTERED_READS, MAX_REGISTRY_READS, SEARCH_SECONDS
from groundwire.domain.search.fusion import PhraseScores, RankedCandidate, best_similarities
from groundwire.domain.search.relevance import JUDGED_PASSAGES
from groundwire.domain.search.request import SearchMode, SearchRequest, truncate_phrase
from groundwire.ports import (
    Documents,
    Embedders,
    Hits,
    IndexQuery,
    ModelId,
    Phrase,
    RowKey,
    SelectRows,
    Vector,
    VectorIndex,
)
from groundwire.ports.deadline import remaining_seconds
from groundwire.services.search.candidates.access_check import AccessCheck, check_access, check_filter
from groundwire.services.search.results import Passage

if TYPE_CHECKING:
    from groundwire.domain.documents.record import Document


def embed_phrases(embedders: Embedders, model: ModelId, request: SearchRequest) -> list[Phrase]:
    """Return the phrases with vectors: the call's own, else those of the embedder.

    Raises:
        InvalidInput: a vector of the call has another number of dimensions than the index.
    """
    if not request.vectors:
        vectors = embedders.for_model(model).embed([*map(_fold, request.phrases)], "query")
        return [Phrase(text, vector) for text, vector in zip(request.phrases, vectors, strict=True)]
    given = [None if each is None else _unit_vector(each, model.dimension) for each in request.vectors]
    given += [None] * (len(request.phrases) - len(given))
    texts = [phrase for phrase, vector in zip(request.phrases, given, strict=True) if vector is None]
    embedded = iter(embedders.for_model(model).embed([*map(_fold, texts)], "query") if texts else ())
    vectors = [next(embedded) if vector is None else vector for vector in given]
    return [Phrase(text, vector) for text, vector in zip(request.phrases, vectors, strict=True)]


def _fold(phrase: str) -> str:
    """Return the phrase as words are folded: models have seldom seen full-width letters, ligatures or bold ones."""
    folded = unicodedata.normalize("NFKC", phrase)
    return phrase if folded == phrase else truncate_phrase(folded)


def _unit_vector(values: Sequence[float], dimension: int) -> Vector:
    """Return the values as a vector of length 1."""
    if len(values) != dimension:
        raise InvalidInput(f"Query vector has invalid dimension: {len(values)}. Dimension should be: {dimension}")
    largest = max(map(abs, values))
    scaled = [value / largest for value in values]
    length = math.hypot(*scaled)
    return array("f", [value / length for value in scaled]).tobytes()


EQUAL_SCORE_BAND: Final = 0.02
"""Difference of fused scores up to which two passages of a section are equally relevant."""


def put_beginnings_first(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages with each equally relevant earlier passage of a section before the later one.

    Args:
        passages: in the order of their fused scores, best first.
    """
    ordered: list[Passage] = []
    by_section: dict[tuple[str, tuple[str, ...]], list[Passage]] = {}
    for passage in passages:
        segment = passage.segment
        # Passages without headings are of no section.
        section = (segment.doc_id, segment.heading_path) if segment.heading_path else None
        better = [] if section is None else by_section.setdefault(section, [])
        later = {id(each) for each in better if _is_equal_and_later(each, passage)} if better else None
        if later:
            ordered.insert(next(place for place, each in enumerate(ordered) if id(each) in later), passage)
        else:
            ordered.append(passage)
        better.append(passage)
    return ordered


def _is_equal_and_later(better: Passage, passage: Passage) -> bool:
    """Return whether a better passage of the same section comes later in it, and has an equal score."""
    return better.segment.ordinal > passage.segment.ordinal and better.score - passage.score <= EQUAL_SCORE_BAND


_MIN_SECONDS: Final = SEARCH_SECONDS / 2
"""Least time left for a second search: what the first one found is not risked."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ranked candidates, and each phrase's share of their scores."""

    fused: Sequence[RankedCandidate]
    phrase_shares: Sequence[float]


RankFunction = Callable[[Sequence[PhraseScores], int], Ranking]
"""Function that ranks the candidates of all phrases and keeps so many of them."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidate passages of one search, best first.

    Attributes:
        hits: what the index found, with the segments of `ranking`.
        ranking: the best candidates, before any check.
        checked: their check against the registry, as far as records were read.
        admitted: passages that also pass the filter.
        distinct: those after near-duplicates were collapsed.
    """

    hits: Hits
    ranking: Ranking
    checked: AccessCheck
    admitted: Sequence[Passage]
    distinct: Sequence[Passage]


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Limits of one search: ranked candidates, records of one batch, and passages that are enough."""

    candidates: int
    batch: int
    enough: int


class CandidateFinder:
    """Finder of the candidates of searches; `collapse` moves near-duplicates into `also_in` of the best one."""

    def __init__(self, documents: Documents, collapse: Callable[[Sequence[Passage]], list[Passage]]) -> None:
        self._documents = documents
        self._collapse = collapse

    def __call__(
        self, index: VectorIndex, query: IndexQuery, rank: RankFunction, searches: Sequence[slice], top_n: int
    ) -> list[Candidates]:
        """Return the candidates of each search; one call of the index finds them all.

        More than one batch of records is read only where the filter leaves fewer than `top_n`.

        Args:
            index: of the tenant.
            query: with the phrases of all searches.
            rank: ranks the candidates of one search.
            searches: the phrases of each search.
            top_n: passages of each search.
        """
        limit = _candidate_limit(query.where, top_n)
        found = self._find(index, query, rank, searches, _Bounds(limit, limit, top_n))
        # A filter alone takes passages away.
        lacking = query.where is not None and any(_lacks_passages(each, query.depth, top_n, limit) for each in found)
        if not lacking or remaining_seconds(SEARCH_SECONDS) < _MIN_SECONDS:
            return found
        deeper_query = replace(query, depth=max(query.depth, MAX_FILTERED_READS))
        try:
            deeper = self._find(index, deeper_query, rank, searches, _deeper_bounds(top_n))
        # It is an `Unavailable`, too, but what was found before belongs to an index that was replaced.
        except Superseded:
            raise
        except Unavailable:
            return found
        # `max` returns the first of equals, so a deeper search that gains nothing changes nothing.
        return [max(pair, key=lambda each: len(each.distinct)) for pair in zip(found, deeper, strict=True)]

    def _find(
        self, index: VectorIndex, query: IndexQuery, rank: RankFunction, searches: Sequence[slice], bounds: _Bounds
    ) -> list[Candidates]:
        rankings = [Ranking((), ()) for _ in searches]

        def select_best(scores: Sequence[PhraseScores]) -> list[RowKey]:
            rankings[:] = [rank(scores[phrases], bounds.candidates) for phrases in searches]
            return list(dict.fromkeys([row.key for ranking in rankings for row in ranking.fused]))

        hits = _search(index, query, select_best)
        records = _Records(self._documents)
        # One read of the registry for all searches instead of one for each.
        if len(searches) > 1:
            first = (ranking.fused[: bounds.batch] for ranking in rankings)
            found = (hits.segments.get(row.key) for rows in first for row in rows)
            records.read(query.principal.tenant, sorted({each.doc_id for each in found if each is not None}))
        return [
            self._check(query, Hits(hits.scores[phrases], hits.segments), ranking, records, bounds)
            for phrases, ranking in zip(searches, rankings, strict=True)
        ]

    def _check(
        self, query: IndexQuery, hits: Hits, ranking: Ranking, records: "_Records", bounds: _Bounds
    ) -> Candidates:
        similarities = {} if query.mode is SearchMode.LEXICAL else best_similarities(hits.scores, hits.segments.keys())
        readable: list[Passage] = []
        denied: dict[str, Document] = {}
        admitted: list[Passage] = []
        distinct: list[Passage] = []
        for start in range(0, len(ranking.fused), bounds.batch):
            ranked = ranking.fused[start : start + bounds.batch]
            segments = {row.key: hits.segments[row.key] for row in ranked if row.key in hits.segments}
            checked = check_access(query.principal, records, segments, ranked, similarities)
            readable += checked.passages
            denied |= {document.doc_id: document for document in checked.denied}
            admitted += checked.passages if query.where is None else check_filter(query.where, checked.passages)
            distinct = put_beginnings_first(self._collapse(admitted))
            if len(distinct) >= bounds.enough:
                break
        return Candidates(hits, ranking, AccessCheck(readable, list(denied.values())), admitted, distinct)


def _search(index: VectorIndex, query: IndexQuery, select: SelectRows) -> Hits:
    """Search the half of the index that the query needs."""
    words = index.lexical
    if words is None or query.mode is SearchMode.SEMANTIC:
        return index.nearest(query, select)
    return words.search(query, select)


class _Records:
    """Cache of documents' records: each is read once for all searches of a call."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._read: dict[str, Document] = {}
        self._absent: set[str] = set()

    def read(self, tenant: str, doc_ids: Sequence[str]) -> "Mapping[str, Document]":
        """Return the records by document; absent ones are left out."""
        new = set(doc_ids).difference(self._read, self._absent)
        if new:
            found = self._documents.read(tenant, sorted(new))
            if len(new) == len(doc_ids) and not self._read:
                # The usual call reads once.
                self._read |= found
                self._absent |= new.difference(found)
                return found
            self._read |= found
            self._absent |= new.difference(found)
        return {doc_id: self._read[doc_id] for doc_id in doc_ids if doc_id in self._read}


def _lacks_passages(found: Candidates, depth: int, top_n: int, limit: int) -> bool:
    """Return whether the filter took passages away, too few stay, and the index may have more."""
    if len(found.distinct) >= top_n or len(found.admitted) == len(found.checked.passages):
        return False
    return len(found.ranking.fused) == limit or any(len(each.keys) >= depth for each in found.hits.scores)


def _deeper_bounds(top_n: int) -> _Bounds:
    return _Bounds(max(top_n, MAX_FILTERED_READS), MAX_REGISTRY_READS, top_n)


def _candidate_limit(where: Filter | None, top_n: int) -> int:
    """Return the number of candidates whose records are read at first."""
    if where is not None:
        # Not before: a cold start without a filter does without the compiler.
        from groundwire.domain.filters.index.index_filter import index_filter

        if not index_filter(where).is_exact:
            return max(top_n, MAX_REGISTRY_READS)
    return max(top_n, min(3 * max(top_n, JUDGED_PASSAGES), MAX_REGISTRY_READS))
