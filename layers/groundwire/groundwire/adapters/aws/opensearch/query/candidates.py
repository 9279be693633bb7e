"""Candidates of one phrase, collected from the engine's answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.adapters.aws.opensearch.schema.rows import NO_WINDOW
from groundwire.adapters.aws.opensearch.schema.vectors import similarity_from_score
from groundwire.domain.documents.record import UNDETERMINED_LANGUAGE
from groundwire.domain.search.fusion import PhraseScores, semantic_score

Source = Mapping[str, Any]
"""Stored members of a passage, as the engine returns them."""


@dataclass(slots=True)
class PhraseCandidates:
    """The candidates of one phrase as far as they are known.

    Attributes:
        vector: vector of the phrase; None: its meaning is not searched.
        collections: collection of every candidate, by row.
        passage_similarities: the similarities that are known.
        best_windows: similarity and number of the best window.
        window_counts: number of windows of each passage that was a hit itself.
        requested: rows whose missing similarities were requested; one that has them not was deleted meanwhile.
    """

    vector: Sequence[float] | None
    collections: dict[str, str] = field(default_factory=dict[str, str])
    passage_similarities: dict[str, float] = field(default_factory=dict[str, float])
    best_windows: dict[str, tuple[float, int]] = field(default_factory=dict[str, tuple[float, int]])
    window_counts: dict[str, int] = field(default_factory=dict[str, int])
    requested: set[str] = field(default_factory=set[str])

    def add_lexical_hits(self, answer: Mapping[str, Any]) -> None:
        """Add the hits of a lexical search; their scores are computed from the terms of their rows."""
        self._record_passages(answer)

    def add_semantic_hits(self, answer: Mapping[str, Any]) -> None:
        """Add the hits of a search for the nearest passages."""
        for row, score in self._record_passages(answer):
            self.passage_similarities.setdefault(row, similarity_from_score(score))

    def add_window_hits(self, answer: Mapping[str, Any]) -> None:
        """Add the hits of a search for the nearest windows."""
        for hit in _hits(answer):
            row, number = hit["fields"]["row"][0], hit["fields"]["number"][0]
            self.collections.setdefault(row, hit["fields"]["collection"][0])
            self.best_windows.setdefault(row, (similarity_from_score(hit["_score"]), number))

    @property
    def rows(self) -> list[str]:
        """Rows of all candidates, in the order of the result."""
        return sorted(self.collections)

    @property
    def rows_without_similarity(self) -> list[str]:
        """Candidates whose similarity is unknown and was not requested."""
        return [row for row in self._unrequested if row not in self.passage_similarities]

    @property
    def rows_without_window(self) -> list[str]:
        """Candidates with windows whose best window is unknown and was not requested."""
        return [row for row in self._unrequested if row not in self.best_windows and self.window_counts.get(row, 1)]

    @property
    def _unrequested(self) -> list[str]:
        return [] if self.vector is None else [row for row in self.rows if row not in self.requested]

    def window_total(self, rows: Sequence[str]) -> int:
        """Return the number of windows of these passages."""
        return sum(self.window_counts.get(row, 1) for row in rows)

    def scores(self, lexical: Callable[[str], float], languages: Mapping[str, str]) -> PhraseScores:
        """Return all scores; a similarity that is still unknown is absent: no such window, or no such row any more.

        Args:
            lexical: returns the BM25 score of a row.
            languages: language by row; one that is absent was deleted meanwhile.
        """
        rows = self.rows
        passages = [self.passage_similarities.get(row, 0.0) for row in rows]
        windows = [self.best_windows.get(row, (near, NO_WINDOW)) for row, near in zip(rows, passages, strict=True)]
        return PhraseScores(
            keys=rows,
            collections=[self.collections[row] for row in rows],
            bm25=[lexical(row) for row in rows],
            vector=[semantic_score(near, best) for near, (best, _) in zip(passages, windows, strict=True)],
            passage=passages,
            window=[number for _, number in windows],
            languages=[languages.get(row, UNDETERMINED_LANGUAGE) for row in rows],
        )

    def _record_passages(self, answer: Mapping[str, Any]) -> list[tuple[str, float]]:
        """Record the passages, and return them with their scores."""
        found: list[tuple[str, float]] = []
        for hit in _hits(answer):
            row = hit["fields"]["row"][0]
            self.collections.setdefault(row, hit["fields"]["collection"][0])
            self.window_counts[row] = hit["fields"]["windows"][0]
            found.append((row, hit["_score"]))
        return found


def sources(answer: Mapping[str, Any]) -> dict[str, Source]:
    """Return the stored members of the hits by row, where the search requested them."""
    return {hit["fields"]["row"][0]: hit["_source"] for hit in _hits(answer) if hit.get("_source")}


def _hits(answer: Mapping[str, Any]) -> Sequence[Any]:
    return answer["hits"]["hits"]
