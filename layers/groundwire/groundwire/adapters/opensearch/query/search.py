"""One search: nearest passages and word counts, then lexical candidates, then their missing scores.

Words are scored by how rare they are among what the caller may read, so they are counted before passages are chosen by
them. What only words found has its similarities from a third request. It also reads the segments that are likely to be
chosen; a fourth one is needed where the last similarities change the choice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any, Final

from groundwire.adapters.lexical.weighting import passage_terms
from groundwire.adapters.opensearch.connection.client import EngineClient
from groundwire.adapters.opensearch.connection.deadline import SEARCH_SECONDS, Deadline
from groundwire.adapters.opensearch.query import request_bodies, statistics
from groundwire.adapters.opensearch.query.candidate_query import CandidateQuery
from groundwire.adapters.opensearch.query.candidates import PhraseCandidates, segments_of
from groundwire.adapters.opensearch.query.statistics import AccessCounts, PhraseTerms, SeenLanguages
from groundwire.adapters.opensearch.schema.packed_segment import StoredSegment, to_segment
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL, MAX_PHRASES
from groundwire.domain.search.fusion import PhraseScores
from groundwire.ports import Hits, RowKey, SelectRows

_FEW_SEGMENTS: Final = 2 * CANDIDATES_PER_SIGNAL
"""Number of nearest passages up to which the second request reads all their segments: those of one phrase."""

_MAX_NEAREST: Final = MAX_PHRASES * _FEW_SEGMENTS
"""Maximum number of nearest passages of a call; measurements may have more."""

_MAX_WORDS: Final = 128
"""Different words of a phrase that are searched."""

_AnswerHandler = Callable[[Mapping[str, Any]], None]


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


def search(engine: EngineClient, index: str, seen: SeenLanguages, query: CandidateQuery, select: SelectRows) -> Hits:
    """Score the candidates, and read the segments of those that `select` chooses.

    Raises:
        Unavailable: it takes longer than the gateway in front waits.
    """
    found = _Search(engine, index, query, select)
    scores = found.run(seen)
    rows = _row_keys(select(scores))
    found.read_segments(rows)
    stored = found.stored
    return Hits(scores, {row: to_segment(stored[row]) for row in rows if row in stored})


class _Search:
    """State of one search.

    Attributes:
        stored: segments of candidates by row, as the engine stores them; one that was deleted meanwhile is absent.
    """

    def __init__(self, engine: EngineClient, index: str, query: CandidateQuery, select: SelectRows) -> None:
        self._engine = engine
        self._index = index
        self._query = query
        self._select = select
        self._deadline = Deadline(SEARCH_SECONDS)
        self._texts = [request_bodies.truncate_words(text, _MAX_WORDS) for text, _ in query.phrases]
        self._terms = [PhraseTerms(text) for text in self._texts]
        self._found = [PhraseCandidates(vector) for _, vector in query.phrases]
        self._counts = AccessCounts()
        self._requested: set[str] = set()
        self.stored: dict[str, StoredSegment] = {}
        self._unpacked: set[str] = set()
        """Rows without a packed segment."""

    def run(self, seen: SeenLanguages) -> list[PhraseScores]:
        """Return the candidates of each phrase with all scores."""
        nearest = self._find_nearest(seen)
        self._find_lexical(nearest)
        self._complete()
        self._score_earlier_rows()
        return self._scores()

    def read_segments(self, rows: Sequence[str]) -> None:
        """Read the segments of these rows that were not read yet."""
        rest = self._unrequested(rows)
        for start in range(0, len(rest), request_bodies.MAX_HITS):
            more = _MultiSearch()
            self._add_segments(more, rest[start : start + request_bodies.MAX_HITS])
            self._send(more)
        sources = _MultiSearch()
        if unread := sorted(self._unpacked.intersection(rows) - self.stored.keys()):
            sources.add(request_bodies.segments_search(unread, from_source=True), self._store)
        self._send(sources)

    def _find_nearest(self, seen: SeenLanguages) -> set[str]:
        """Find the nearest passages, count the words of the phrases, and return the rows."""
        first, query = _MultiSearch(), self._query
        for found in self._found:
            if found.vector is not None:
                nearest = request_bodies.semantic_search(found.vector, query.filters, query.depth)
                windows = request_bodies.window_search(found.vector, query.filters, query.depth, None)
                first.add(nearest, found.add_semantic_hits)
                first.add(windows, found.add_window_hits)
        counted = seen.codes
        first.add(statistics.language_search(query.rights, query.collections), self._counts.add_languages)
        if query.uses_lexical:
            self._add_term_counts(first, counted)
        self._send(first)
        seen.add(self._counts.rows)
        # Words of a language that occurs for the first time are not counted yet.
        again = _MultiSearch()
        if query.uses_lexical:
            self._add_term_counts(again, self._counts.searched - counted)
        self._send(again)
        return self._rows()

    def _add_term_counts(self, requests: _MultiSearch, languages: Iterable[str]) -> None:
        terms = [term for code in languages for phrase in self._terms for term in phrase.of(code)]
        for body in statistics.term_searches(self._query.rights, terms):
            requests.add(body, self._counts.add_terms)

    def _find_lexical(self, nearest: set[str]) -> None:
        """Find the best passages of the lexical signal, and read what the nearest passages lack."""
        second, query = _MultiSearch(), self._query
        self._add_missing_similarities(second)
        if len(nearest) <= (_FEW_SEGMENTS if query.uses_lexical else _MAX_NEAREST):
            self._add_segments(second, sorted(nearest))
        for text, phrase, found in zip(self._texts, self._terms, self._found, strict=True):
            if weighted := phrase.weighted(self._counts):
                body = request_bodies.lexical_search(weighted, query.filters, query.depth)
                if found.vector is None:
                    # Nothing else is missing, and no third request follows.
                    second.add(request_bodies.with_segments(body), self._storing(found.add_lexical_hits))
                else:
                    second.add(body, found.add_lexical_hits)
                    self._add_lexical_scores(second, weighted, found)
            if self._counts.earlier_rows and text.strip():
                body = request_bodies.earlier_rows_search(text, query.filters, query.depth)
                second.add(body, found.add_earlier_hits)
        self._send(second)

    def _add_lexical_scores(
        self, requests: _MultiSearch, weighted: Sequence[tuple[int, float]], found: PhraseCandidates
    ) -> None:
        """Add the search for the lexical scores of the nearest passages."""
        if rows := found.rows:
            among = [*self._query.filters, request_bodies.rows_filter(rows)]
            requests.add(request_bodies.lexical_search(weighted, among, len(rows)), found.add_lexical_hits)

    def _complete(self) -> None:
        """Read the similarities of passages found only lexically, and the segments that are likely to be chosen."""
        third = _MultiSearch()
        likely = set(self._earlier_rows())
        if not all(found.is_complete for found in self._found):
            likely.update(self._likely_rows())
            self._add_missing_similarities(third)
        elif self._query.uses_lexical:
            likely.update(_row_keys(self._select(self._scores())))
        # One search returns no more, and `read_segments` reads the rest.
        self._add_segments(third, self._unrequested(sorted(likely))[: request_bodies.MAX_HITS])
        self._send(third)
        self.read_segments(self._earlier_rows())

    def _likely_rows(self) -> Iterable[str]:
        """Return the passages found only lexically, and those whose selection depends on their similarity."""
        for found in self._found:
            yield from found.rows_without_similarity
        yield from _row_keys(self._select(self._scores()))
        yield from _row_keys(self._select(self._scores([found.lowest_similarity() for found in self._found])))

    def _earlier_rows(self) -> list[str]:
        """Return the candidates that an earlier release wrote: their words are scored by their segments."""
        if not self._counts.earlier_rows:
            return []
        return sorted({row for found in self._found for row in found.rows if row not in found.languages})

    def _score_earlier_rows(self) -> None:
        for row in [row for row in self._earlier_rows() if row in self.stored]:
            segment = to_segment(self.stored[row])
            terms = passage_terms(segment)
            for phrase, found in zip(self._terms, self._found, strict=True):
                if row in found.collections:
                    found.languages[row] = segment.language
                    found.bm25[row] = phrase.score(terms, self._counts) if self._query.uses_lexical else 0.0

    def _add_segments(self, requests: _MultiSearch, rows: Sequence[str]) -> None:
        """Add the searches for the segments of these rows; those of an earlier release are in the source alone."""
        earlier = set(self._earlier_rows())
        self._requested.update(rows)
        for from_source in (False, True):
            if some := [row for row in rows if (row in earlier) is from_source]:
                requests.add(request_bodies.segments_search(some, from_source=from_source), self._store)

    def _unrequested(self, rows: Sequence[str]) -> list[str]:
        known = self._requested | self._unpacked | self.stored.keys()
        return [row for row in rows if row not in known]

    def _rows(self) -> set[str]:
        return {row for found in self._found for row in found.collections}

    def _storing(self, add: _AnswerHandler) -> _AnswerHandler:
        def take(answer: Mapping[str, Any]) -> None:
            add(answer)
            self._store(answer)

        return take

    def _add_missing_similarities(self, requests: _MultiSearch) -> None:
        """Add a search among the rows that lack a similarity; with a size of all these rows it is exact."""
        for found in self._found:
            if found.vector is None:
                continue
            lacking, windowless = found.rows_without_similarity, found.rows_without_window
            if lacking:
                narrowed = [*self._query.filters, request_bodies.rows_filter(lacking)]
                body = request_bodies.semantic_search(found.vector, narrowed, len(lacking))
                requests.add(body, found.add_semantic_hits)
            if windowless:
                narrowed = [*self._query.filters, request_bodies.rows_filter(windowless)]
                number = found.window_total(windowless)
                body = request_bodies.window_search(found.vector, narrowed, len(windowless), number)
                requests.add(body, found.add_window_hits)
            found.requested.update(lacking, windowless)

    def _store(self, answer: Mapping[str, Any]) -> None:
        for row, segment in segments_of(answer).items():
            if segment is None:
                self._unpacked.add(row)
            else:
                self.stored[row] = segment

    def _send(self, requests: _MultiSearch) -> None:
        requests.send(self._engine, self._index, self._deadline)

    def _scores(self, missing: Sequence[float] | None = None) -> list[PhraseScores]:
        """Return the scores of each phrase; `missing` has a phrase's similarity where it is unknown, else 0."""
        candidates = [found.scores(near) for found, near in zip(self._found, missing or repeat(0.0), strict=False)]
        counts = self._counts
        if not self._query.uses_lexical:
            return [replace(each, readable=counts.readable) for each in candidates]
        return [
            replace(each, bm25_limit=limit, term_count=number, readable=counts.readable)
            for phrase, each in zip(self._terms, candidates, strict=True)
            for limit, number in [phrase.limit(counts)]
        ]


def _row_keys(keys: Iterable[RowKey]) -> list[str]:
    return [key for key in dict.fromkeys(keys) if isinstance(key, str)]
