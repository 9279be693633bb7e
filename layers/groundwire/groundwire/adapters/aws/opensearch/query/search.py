"""One search: candidates of every phrase by one request, then missing scores and segments by one more."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundwire.adapters.aws.opensearch.connection import errors
from groundwire.adapters.aws.opensearch.connection.client import EngineClient
from groundwire.adapters.aws.opensearch.connection.deadline import SEARCH_SECONDS, Deadline
from groundwire.adapters.aws.opensearch.query import request_bodies
from groundwire.adapters.aws.opensearch.query.candidates import PhraseCandidates
from groundwire.adapters.aws.opensearch.schema.access_filter import Clause
from groundwire.adapters.aws.opensearch.schema.rows import to_segment
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL, MAX_PHRASES
from groundwire.domain.search.fusion import PhraseScores
from groundwire.ports import Hits, SelectRows

_SIGNALS: Final = 3
_MAX_PREFETCHED_SEGMENTS: Final = MAX_PHRASES * _SIGNALS * CANDIDATES_PER_SIGNAL
"""Maximum number of candidates of a call. The segments of all of them are read beside the missing scores, because the
languages of all, and these scores, decide which few are selected. A measurement may have more candidates, and needs a
third request."""

_MAX_WORDS: Final = 128
_REDUCED_MAX_WORDS: Final = 24
"""Different words of a phrase that are searched, and their number when the tenant's languages make too many terms of
them: an engine takes 1,024 in all languages together."""

_StoredSegment = Mapping[str, Any]
"""A segment as the engine stores it; only selected ones are decoded."""

_AnswerHandler = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """Phrases, and the rows among which their candidates are chosen.

    Attributes:
        phrases: text, and vector or None.
        filters: filters that every found row passes.
        uses_lexical: False: candidates come from semantic search alone.
        depth: candidates per phrase and signal.
    """

    phrases: Sequence[tuple[str, Sequence[float] | None]]
    filters: Sequence[Clause]
    uses_lexical: bool
    depth: int


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Scores of each phrase, and stored segments by row (None: the row was deleted meanwhile)."""

    scores: list[PhraseScores]
    segments: Mapping[str, _StoredSegment | None]


class _MultiSearch:
    """Searches of one request, and a handler for the answer to each."""

    def __init__(self) -> None:
        self.bodies: list[Mapping[str, Any]] = []
        self._handlers: list[_AnswerHandler] = []

    def add(self, body: Mapping[str, Any], take: _AnswerHandler) -> None:
        self.bodies.append(body)
        self._handlers.append(take)

    def send(self, engine: EngineClient, index: str, deadline: Deadline) -> None:
        if self.bodies:
            answers = engine.multi_search(index, self.bodies, deadline)
            for take, answer in zip(self._handlers, answers, strict=True):
                take(answer)


def search(engine: EngineClient, index: str, query: CandidateQuery, select: SelectRows) -> Hits:
    """Score the candidates, and read the segments of those that `select` chooses.

    Raises:
        Unavailable: it takes longer than the gateway in front waits.
    """
    deadline = Deadline(SEARCH_SECONDS)
    try:
        found = _find_candidates(engine, index, query, _MAX_WORDS, deadline)
    except errors.TooManyTerms:
        found = _find_candidates(engine, index, query, _REDUCED_MAX_WORDS, deadline)
    rows = [key for key in dict.fromkeys(select(found.scores)) if isinstance(key, str)]
    return Hits(found.scores, {row: to_segment(each) for row in rows if (each := found.segments.get(row)) is not None})


def _fetch_segments(engine: EngineClient, index: str, rows: Sequence[str]) -> dict[str, _StoredSegment | None]:
    found: dict[str, _StoredSegment | None] = {}
    for start in range(0, len(rows), request_bodies.MAX_HITS):
        some = rows[start : start + request_bodies.MAX_HITS]
        (answer,) = engine.multi_search(index, [request_bodies.segments_search(some)], Deadline(SEARCH_SECONDS))
        found |= _stored_segments(some, answer)
    return found


def _find_candidates(
    engine: EngineClient, index: str, query: CandidateQuery, max_words: int, deadline: Deadline
) -> _Candidates:
    texts = [request_bodies.truncate_words(text, max_words) for text, _ in query.phrases]
    found = [
        PhraseCandidates(has_vector=vector is not None, has_all_lexical=not query.uses_lexical)
        for _, vector in query.phrases
    ]
    first = _MultiSearch()
    for text, (_, vector), candidates in zip(texts, query.phrases, found, strict=True):
        _add_candidate_searches(first, text, vector, candidates, query)
    first.send(engine, index, deadline)
    second = _MultiSearch()
    rows = sorted({row for each in found for row in each.rows})
    for text, (_, vector), candidates in zip(texts, query.phrases, found, strict=True):
        _add_missing_score_searches(second, text, vector, candidates, query.filters)
    segments = _add_segment_search(second, rows)
    second.send(engine, index, deadline)
    stored = segments or _fetch_segments(engine, index, rows)
    languages = {row: str(each.get("language", "en")) for row, each in stored.items() if each is not None}
    return _Candidates([each.scores(languages) for each in found], stored)


def _add_candidate_searches(
    requests: _MultiSearch, text: str, vector: Sequence[float] | None, found: PhraseCandidates, query: CandidateQuery
) -> None:
    if query.uses_lexical:
        handler = _lexical_handler(found, query.depth)
        requests.add(request_bodies.lexical_search(text, query.filters, query.depth), handler)
    if vector is not None:
        requests.add(request_bodies.semantic_search(vector, query.filters, query.depth), found.add_semantic_hits)
        requests.add(request_bodies.window_search(vector, query.filters, query.depth, None), found.add_window_hits)


def _lexical_handler(found: PhraseCandidates, depth: int) -> _AnswerHandler:
    """Return a handler that also notes whether the list is complete: it is when it is shorter than `depth`."""

    def take(answer: Mapping[str, Any]) -> None:
        found.add_lexical_hits(answer)
        found.has_all_lexical = len(answer["hits"]["hits"]) < depth

    return take


def _add_missing_score_searches(
    requests: _MultiSearch, text: str, vector: Sequence[float] | None, found: PhraseCandidates, scope: Sequence[Clause]
) -> None:
    """Add a search among the rows that lack a score; with a size of all these rows it is exact."""
    if rows := found.rows_without_bm25:
        requests.add(
            request_bodies.lexical_search(text, [*scope, request_bodies.rows_filter(rows)], len(rows)),
            found.add_lexical_hits,
        )
    if vector is None:
        return
    if rows := found.rows_without_similarity:
        requests.add(
            request_bodies.semantic_search(vector, [*scope, request_bodies.rows_filter(rows)], len(rows)),
            found.add_semantic_hits,
        )
    if rows := found.rows_without_window:
        body = request_bodies.window_search(
            vector, [*scope, request_bodies.rows_filter(rows)], len(rows), found.window_total(rows)
        )
        requests.add(body, found.add_window_hits)


def _add_segment_search(requests: _MultiSearch, rows: Sequence[str]) -> Mapping[str, _StoredSegment | None]:
    """Add the search for the segments of all candidates, unless there are too many; return where they are put."""
    segments: dict[str, _StoredSegment | None] = {}
    if 0 < len(rows) <= _MAX_PREFETCHED_SEGMENTS:
        requests.add(
            request_bodies.segments_search(rows), lambda answer: segments.update(_stored_segments(rows, answer))
        )
    return segments


def _stored_segments(rows: Sequence[str], answer: Mapping[str, Any]) -> dict[str, _StoredSegment | None]:
    """Return the stored segments by row; None for a row without a hit."""
    hits = {hit["fields"]["row"][0]: hit["_source"]["segment"] for hit in answer["hits"]["hits"]}
    return {row: hits.get(row) for row in rows}
