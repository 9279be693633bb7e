"""One search: candidates of every phrase by one request, and what is missing of their scores by one more."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundwire.adapters.aws.opensearch.connection import errors
from groundwire.adapters.aws.opensearch.connection.client import EngineClient
from groundwire.adapters.aws.opensearch.connection.deadline import SEARCH_SECONDS, Deadline
from groundwire.adapters.aws.opensearch.query import request_bodies
from groundwire.adapters.aws.opensearch.query.candidates import PhraseCandidates
from groundwire.adapters.aws.opensearch.schema.access_filter import Clause
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL, MAX_PHRASES
from groundwire.domain.search.fusion import PhraseScores

_SIGNALS: Final = 3
_MAX_PREFETCHED_SEGMENTS: Final = MAX_PHRASES * _SIGNALS * CANDIDATES_PER_SIGNAL
"""Candidates that a call can have. The segments of all of them come beside the missing scores: which few will be read
is not known before, and to guess would sometimes cost one more request. A measurement may look deeper, and reads by
itself."""

_MAX_WORDS: Final = 128
_REDUCED_MAX_WORDS: Final = 24
"""Different words of a phrase that are searched, and how many when the tenant's languages make too many terms of
them: an engine takes 1,024 in all languages together."""

StoredSegment = Mapping[str, Any]
"""A segment as the engine holds it: of hundreds few are read, and only those are made."""

_AnswerHandler = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """What is looked for.

    Attributes:
        phrases: text, and vector or None. scope: what every row that may be found passes.
        depth: candidates per phrase and signal.
    """

    phrases: Sequence[tuple[str, Sequence[float] | None]]
    scope: Sequence[Clause]
    depth: int


@dataclass(frozen=True, slots=True)
class CandidateHits:
    """The scores of each phrase, and what came with them.

    Attributes:
        segments: by row; empty where no score was missing.
    """

    scores: list[PhraseScores]
    segments: Mapping[str, StoredSegment | None]


class _MultiSearch:
    """Searches that go together, and who takes the answer of each."""

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


def search(engine: EngineClient, index: str, asked: CandidateQuery) -> CandidateHits:
    """Raises Unavailable when that takes longer than the gateway in front would wait."""
    deadline = Deadline(SEARCH_SECONDS)
    try:
        return _search(engine, index, asked, _MAX_WORDS, deadline)
    except errors.TooManyTerms:
        return _search(engine, index, asked, _REDUCED_MAX_WORDS, deadline)


def fetch_segments(engine: EngineClient, index: str, rows: Sequence[str]) -> dict[str, StoredSegment | None]:
    """The segments of these rows; None: the row has gone."""
    found: dict[str, StoredSegment | None] = {}
    for start in range(0, len(rows), request_bodies.MAX_HITS):
        some = rows[start : start + request_bodies.MAX_HITS]
        (answer,) = engine.multi_search(index, [request_bodies.segments_search(some)], Deadline(SEARCH_SECONDS))
        found |= _segments(some, answer)
    return found


def _search(engine: EngineClient, index: str, asked: CandidateQuery, words: int, deadline: Deadline) -> CandidateHits:
    texts = [request_bodies.truncate_words(text, words) for text, _ in asked.phrases]
    found = [PhraseCandidates(has_vector=vector is not None) for _, vector in asked.phrases]
    first = _MultiSearch()
    for text, (_, vector), candidates in zip(texts, asked.phrases, found, strict=True):
        _add_candidate_searches(first, text, vector, candidates, asked)
    first.send(engine, index, deadline)
    second = _MultiSearch()
    for text, (_, vector), candidates in zip(texts, asked.phrases, found, strict=True):
        _add_missing_score_searches(second, text, vector, candidates, asked.scope)
    segments: dict[str, StoredSegment | None] = {}
    rows = sorted({row for each in found for row in each.rows})
    if second.bodies and len(rows) <= _MAX_PREFETCHED_SEGMENTS:
        second.add(request_bodies.segments_search(rows), lambda answer: segments.update(_segments(rows, answer)))
    second.send(engine, index, deadline)
    return CandidateHits([each.scores() for each in found], segments)


def _add_candidate_searches(
    requests: _MultiSearch, text: str, vector: Sequence[float] | None, found: PhraseCandidates, asked: CandidateQuery
) -> None:
    requests.add(request_bodies.lexical_search(text, asked.scope, asked.depth), _lexical_handler(found, asked.depth))
    if vector is not None:
        requests.add(request_bodies.semantic_search(vector, asked.scope, asked.depth), found.add_semantic_hits)
        requests.add(request_bodies.window_search(vector, asked.scope, asked.depth, None), found.add_window_hits)


def _lexical_handler(found: PhraseCandidates, depth: int) -> _AnswerHandler:
    """A list that is shorter than it might be lacks nothing that matches."""

    def take(answer: Mapping[str, Any]) -> None:
        found.add_lexical_hits(answer)
        found.has_all_lexical = len(answer["hits"]["hits"]) < depth

    return take


def _add_missing_score_searches(
    requests: _MultiSearch, text: str, vector: Sequence[float] | None, found: PhraseCandidates, scope: Sequence[Clause]
) -> None:
    """A search among few rows, for as many as they are, is exact."""
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


def _segments(rows: Sequence[str], answer: Mapping[str, Any]) -> dict[str, StoredSegment | None]:
    met = {hit["fields"]["row"][0]: hit["_source"]["segment"] for hit in answer["hits"]["hits"]}
    return {row: met.get(row) for row in rows}
