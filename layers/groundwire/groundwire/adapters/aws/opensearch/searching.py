"""One search: candidates of every phrase by one request, and what is missing of their scores by one more."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from groundwire.adapters.aws.opensearch import bodies, faults
from groundwire.adapters.aws.opensearch.access_filter import Clause
from groundwire.adapters.aws.opensearch.candidates import Candidates
from groundwire.adapters.aws.opensearch.deadlines import SEARCH_SECONDS, Deadline
from groundwire.adapters.aws.opensearch.engine import Engine
from groundwire.domain.fusion import PhraseScores
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL, MAX_PHRASES

_SIGNALS: Final = 3
_MOST_SENT: Final = MAX_PHRASES * _SIGNALS * CANDIDATES_PER_SIGNAL
"""Candidates that a call can have. The segments of all of them come beside the missing scores: which few will be read
is not known before, and to guess would sometimes cost one more request. A measurement may look deeper, and reads by
itself."""

_WORDS: Final = 128
_FEWER_WORDS: Final = 24
"""Different words of a phrase that are searched, and how many when the tenant's languages make too many terms of
them: an engine takes 1,024 in all languages together."""

Stored = Mapping[str, Any]
"""A segment as the engine holds it: of hundreds few are read, and only those are made."""

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
    """The scores of each phrase, and what came with them.

    Attributes:
        segments: by row; empty where no score was missing.
    """

    scores: list[PhraseScores]
    segments: Mapping[str, Stored | None]


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


def fetch(engine: Engine, index: str, rows: Sequence[str]) -> dict[str, Stored | None]:
    """The segments of these rows; None: the row has gone."""
    found: dict[str, Stored | None] = {}
    for start in range(0, len(rows), bodies.MAX_ASKED):
        some = rows[start : start + bodies.MAX_ASKED]
        (answer,) = engine.searched(index, [bodies.sources(some)], Deadline(SEARCH_SECONDS))
        found |= _segments(some, answer)
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
    segments: dict[str, Stored | None] = {}
    rows = sorted({row for each in found for row in each.rows})
    if second.bodies and len(rows) <= _MOST_SENT:
        second.add(bodies.sources(rows), lambda answer: segments.update(_segments(rows, answer)))
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


def _segments(rows: Sequence[str], answer: Mapping[str, Any]) -> dict[str, Stored | None]:
    met = {hit["fields"]["row"][0]: hit["_source"]["segment"] for hit in answer["hits"]["hits"]}
    return {row: met.get(row) for row in rows}
