"""One search: candidates of every phrase by one request, and what is missing of their scores by one more."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundwire.adapters.aws.opensearch import bodies, faults
from groundwire.adapters.aws.opensearch.access_filter import Clause
from groundwire.adapters.aws.opensearch.candidates import Candidates
from groundwire.adapters.aws.opensearch.deadlines import SEARCH_SECONDS, Deadline
from groundwire.adapters.aws.opensearch.engine import Engine
from groundwire.adapters.aws.opensearch.rows import to_segment
from groundwire.domain.documents import Segment
from groundwire.domain.fusion import DEFAULT_BM25_WEIGHT, PhraseScores, fuse

_LIKELY: Final = 300
"""Passages that are fetched beside the missing scores: the best so far. Of about 500 candidates of five phrases that
mean nothing, the 24 best in the end were among the 233 best so far; the most that scores can be is a worse guide. A
passage that is read and not among them costs one more request."""

_WORDS: Final = 128
_FEWER_WORDS: Final = 24
"""Different words of a phrase that are searched, and how many when the tenant's languages make too many terms of
them: an engine takes 1,024 in all languages together."""

_Take = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for.

    Attributes:
        phrases: text, and vector or None. scope: what every row that may be found passes.
        depth: candidates per phrase and signal.
    """

    phrases: Sequence[tuple[str, Sequence[float] | None]]
    scope: Sequence[Clause]
    depth: int


@dataclass(frozen=True, slots=True)
class Found:
    """The scores of each phrase, and the segments that came with them by key."""

    scores: list[PhraseScores]
    segments: Mapping[str, Segment]


class _Requests:
    """Searches that go together, and who takes the answer of each."""

    def __init__(self) -> None:
        self.bodies: list[Mapping[str, Any]] = []
        self._takers: list[_Take] = []

    def add(self, body: Mapping[str, Any], take: _Take) -> None:
        self.bodies.append(body)
        self._takers.append(take)

    def send(self, engine: Engine, index: str, deadline: Deadline) -> None:
        if self.bodies:
            answers = engine.searched(index, self.bodies, deadline)
            for take, answer in zip(self._takers, answers, strict=True):
                take(answer)


def search(engine: Engine, index: str, asked: Asked) -> Found:
    """Raises Unavailable when that takes longer than the gateway in front would wait."""
    deadline = Deadline(SEARCH_SECONDS)
    try:
        return _search(engine, index, asked, _WORDS, deadline)
    except faults.TooManyWords:
        return _search(engine, index, asked, _FEWER_WORDS, deadline)


def fetch(engine: Engine, index: str, rows: Sequence[str]) -> dict[str, Segment]:
    """The segments of these rows by key."""
    found: dict[str, Segment] = {}
    for start in range(0, len(rows), bodies.MAX_ASKED):
        some = bodies.sources(rows[start : start + bodies.MAX_ASKED])
        (answer,) = engine.searched(index, [some], Deadline(SEARCH_SECONDS))
        found |= _segments(answer)
    return found


def _search(engine: Engine, index: str, asked: Asked, words: int, deadline: Deadline) -> Found:
    texts = [bodies.first_words(text, words) for text, _ in asked.phrases]
    found = [Candidates(has_vector=vector is not None) for _, vector in asked.phrases]
    first = _Requests()
    for text, (_, vector), candidates in zip(texts, asked.phrases, found, strict=True):
        _ask_for_candidates(first, text, vector, candidates, asked)
    first.send(engine, index, deadline)
    second = _Requests()
    for text, (_, vector), candidates in zip(texts, asked.phrases, found, strict=True):
        _ask_for_the_rest(second, text, vector, candidates, asked.scope)
    segments: dict[str, Segment] = {}
    if second.bodies:
        second.add(bodies.sources(_likely(found)), lambda answer: segments.update(_segments(answer)))
    second.send(engine, index, deadline)
    return Found([each.scores() for each in found], segments)


def _ask_for_candidates(
    requests: _Requests, text: str, vector: Sequence[float] | None, found: Candidates, asked: Asked
) -> None:
    requests.add(bodies.by_words(text, asked.scope, asked.depth), _complete(found, asked.depth))
    if vector is not None:
        requests.add(bodies.by_meaning(vector, asked.scope, asked.depth), found.add_near)
        requests.add(bodies.by_windows(vector, asked.scope, asked.depth, None), found.add_windows)


def _complete(found: Candidates, depth: int) -> _Take:
    """A list that is shorter than it might be lacks nothing that matches."""

    def take(answer: Mapping[str, Any]) -> None:
        found.add_matching(answer)
        found.all_matching = len(answer["hits"]["hits"]) < depth

    return take


def _ask_for_the_rest(
    requests: _Requests, text: str, vector: Sequence[float] | None, found: Candidates, scope: Sequence[Clause]
) -> None:
    """A search among few rows, for as many as they are, is exact."""
    if rows := found.without_words:
        requests.add(bodies.by_words(text, [*scope, bodies.among(rows)], len(rows)), found.add_matching)
    if vector is None:
        return
    if rows := found.without_nearness:
        requests.add(bodies.by_meaning(vector, [*scope, bodies.among(rows)], len(rows)), found.add_near)
    if rows := found.without_window:
        body = bodies.by_windows(vector, [*scope, bodies.among(rows)], len(rows), found.windows_of(rows))
        requests.add(body, found.add_windows)


def _likely(found: Sequence[Candidates]) -> list[str]:
    """Rows that will be read, by the scores that are known so far."""
    scores = [each.scores() for each in found]
    weights = {name: DEFAULT_BM25_WEIGHT for each in scores for name in each.collections}
    return [str(ranked.key) for ranked in fuse(scores, weights, _LIKELY)]


def _segments(answer: Mapping[str, Any]) -> dict[str, Segment]:
    return {hit["fields"]["row"][0]: to_segment(hit["_source"]["segment"]) for hit in answer["hits"]["hits"]}
