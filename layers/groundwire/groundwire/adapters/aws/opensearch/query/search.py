"""One search: nearest passages beside counts of words, then lexical candidates beside the rest.

Words are scored by how rare they are among what the caller may read, so they are counted before passages are chosen by
them. What only words found has its similarities and its segment from a third request.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from groundwire.adapters.aws.opensearch.connection.client import EngineClient
from groundwire.adapters.aws.opensearch.connection.deadline import SEARCH_SECONDS, Deadline
from groundwire.adapters.aws.opensearch.query import request_bodies, statistics
from groundwire.adapters.aws.opensearch.query.candidates import PhraseCandidates, Source, sources
from groundwire.adapters.aws.opensearch.query.statistics import AccessCounts, PhraseTerms, SeenLanguages
from groundwire.adapters.aws.opensearch.schema.access_filter import Clause
from groundwire.adapters.aws.opensearch.schema.rows import stored_terms, to_segment
from groundwire.adapters.aws.opensearch.schema.terms import RowTerms
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL, MAX_PHRASES
from groundwire.domain.search.fusion import PhraseScores
from groundwire.ports import Hits, SelectRows

_SEMANTIC_SIGNALS: Final = 2
_MAX_PREFETCHED_SEGMENTS: Final = MAX_PHRASES * _SEMANTIC_SIGNALS * CANDIDATES_PER_SIGNAL
"""Maximum number of nearest passages of a call, whose segments the second request reads; measurements may have more."""

_MAX_WORDS: Final = 128
"""Different words of a phrase that are searched."""

_AnswerHandler = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """Phrases, and the rows among which their candidates are chosen.

    Attributes:
        phrases: text, and vector or None.
        rights: filters that every row passes that the caller may read.
        collections: names of the searched collections.
        filters: filters that every found row passes.
        uses_lexical: False: candidates come from semantic search alone.
        depth: candidates per phrase and signal.
    """

    phrases: Sequence[tuple[str, Sequence[float] | None]]
    rights: Sequence[Clause]
    collections: Sequence[str]
    filters: Sequence[Clause]
    uses_lexical: bool
    depth: int


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
    found = _Search(engine, index, query)
    scores = found.run(seen)
    rows = [key for key in dict.fromkeys(select(scores)) if isinstance(key, str)]
    stored = found.stored
    return Hits(scores, {row: to_segment(stored[row]["segment"]) for row in rows if row in stored})


class _Search:
    """State of one search.

    Attributes:
        stored: stored members of the candidates by row; a row that was deleted meanwhile is absent.
    """

    def __init__(self, engine: EngineClient, index: str, query: CandidateQuery) -> None:
        self._engine = engine
        self._index = index
        self._query = query
        self._deadline = Deadline(SEARCH_SECONDS)
        self._texts = [request_bodies.truncate_words(text, _MAX_WORDS) for text, _ in query.phrases]
        self._terms = [PhraseTerms(text) for text in self._texts]
        self._found = [PhraseCandidates(vector) for _, vector in query.phrases]
        self._counts = AccessCounts()
        self.stored: dict[str, Source] = {}

    def run(self, seen: SeenLanguages) -> list[PhraseScores]:
        """Return the candidates of each phrase with all scores."""
        nearest = self._find_nearest(seen)
        self._find_lexical(nearest)
        self._complete(nearest)
        return self._scores()

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
        if len(nearest) <= _MAX_PREFETCHED_SEGMENTS:
            self._add_segments(second, sorted(nearest))
        for text, phrase, found in zip(self._texts, self._terms, self._found, strict=True):
            # Without vectors nothing else is missing, and no third request follows.
            members = request_bodies.PASSAGE_SOURCE if found.vector is None else ()
            handle = self._lexical_handler(found)
            if weighted := phrase.weighted(self._counts):
                second.add(request_bodies.lexical_search(weighted, query.filters, query.depth, members), handle)
            if self._counts.earlier_rows and text.strip():
                second.add(request_bodies.earlier_rows_search(text, query.filters, query.depth, members), handle)
        self._send(second)

    def _complete(self, nearest: set[str]) -> None:
        """Read what the passages lack that only the lexical signal found, and the segments of very many."""
        requested = nearest if len(nearest) <= _MAX_PREFETCHED_SEGMENTS else set[str]()
        rest = sorted(self._rows() - requested - self.stored.keys())
        third = _MultiSearch()
        self._add_missing_similarities(third)
        self._add_segments(third, rest[: request_bodies.MAX_HITS])
        self._send(third)
        for start in range(request_bodies.MAX_HITS, len(rest), request_bodies.MAX_HITS):
            more = _MultiSearch()
            self._add_segments(more, rest[start : start + request_bodies.MAX_HITS])
            self._send(more)

    def _add_segments(self, requests: _MultiSearch, rows: Sequence[str]) -> None:
        """Add the search for the stored members of these rows."""
        if rows:
            requests.add(request_bodies.segments_search(rows), self._store)

    def _rows(self) -> set[str]:
        return {row for found in self._found for row in found.collections}

    def _lexical_handler(self, found: PhraseCandidates) -> _AnswerHandler:
        def take(answer: Mapping[str, Any]) -> None:
            found.add_lexical_hits(answer)
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
        self.stored |= sources(answer)

    def _send(self, requests: _MultiSearch) -> None:
        requests.send(self._engine, self._index, self._deadline)

    def _scores(self) -> list[PhraseScores]:
        languages = {row: str(each["segment"].get("language", "en")) for row, each in self.stored.items()}
        if not self._query.uses_lexical:
            scores = [found.scores(lambda _: 0.0, languages) for found in self._found]
            return [replace(each, readable=self._counts.readable) for each in scores]
        terms = {row: stored_terms(each) for row, each in self.stored.items()}
        return [
            replace(
                found.scores(_row_scorer(phrase.scorer(self._counts), terms), languages),
                bm25_limit=limit,
                term_count=number,
                readable=self._counts.readable,
            )
            for phrase, found in zip(self._terms, self._found, strict=True)
            for limit, number in [phrase.limit(self._counts)]
        ]


def _row_scorer(score: Callable[[RowTerms], float], terms: Mapping[str, RowTerms]) -> Callable[[str], float]:
    """Return the function that gives the BM25 score of a row; 0 for one that was deleted meanwhile."""
    return lambda row: score(terms[row]) if row in terms else 0.0
