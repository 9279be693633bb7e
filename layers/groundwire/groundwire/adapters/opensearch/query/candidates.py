"""Candidates of one phrase, collected from the engine's answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.adapters.opensearch.query.row_reader import row_of
from groundwire.adapters.opensearch.schema.packed_segment import StoredSegment, stored_segment
from groundwire.adapters.opensearch.schema.rows import NO_WINDOW
from groundwire.adapters.opensearch.schema.vectors import FieldVector, similarity_from_score
from groundwire.domain.documents.record import UNDETERMINED_LANGUAGE
from groundwire.domain.search.fusion import PhraseScores, semantic_score


@dataclass(slots=True)
class PhraseCandidates:
    """The candidates of one phrase as far as they are known.

    Attributes:
        vector: vector of the phrase; None: its meaning is not searched.
        collections: collection of every candidate, by row.
        passage_similarities: the similarities that are known.
        best_windows: similarity and number of the best window.
        window_counts: number of windows of each passage that was a hit itself.
        bm25: scores of the candidates with a term of the phrase, by row.
        languages: language by row; a row of an earlier release is absent, as is one that was deleted meanwhile.
        requested: rows whose missing similarities were requested; one that has them not was deleted meanwhile.
    """

    vector: FieldVector | None
    collections: dict[str, str] = field(default_factory=dict[str, str])
    passage_similarities: dict[str, float] = field(default_factory=dict[str, float])
    best_windows: dict[str, tuple[float, int]] = field(default_factory=dict[str, tuple[float, int]])
    window_counts: dict[str, int] = field(default_factory=dict[str, int])
    bm25: dict[str, float] = field(default_factory=dict[str, float])
    languages: dict[str, str] = field(default_factory=dict[str, str])
    requested: set[str] = field(default_factory=set[str])

    def add_lexical_hits(self, answer: Mapping[str, Any]) -> None:
        """Add the hits of a lexical search."""
        self.bm25.update(self._record_passages(answer))

    def add_earlier_hits(self, answer: Mapping[str, Any]) -> None:
        """Add the hits of a lexical search among rows of an earlier release, whose score the engine does not know."""
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
    def is_complete(self) -> bool:
        """Truth of each similarity being known or requested."""
        return not (self.rows_without_similarity or self.rows_without_window)

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

    def scores(self, missing: float = 0.0) -> PhraseScores:
        """Return all scores.

        Args:
            missing: similarity where it is unknown: it was not requested yet, or the row was deleted meanwhile.
        """
        rows = self.rows
        passages = [self.passage_similarities.get(row, missing) for row in rows]
        windows = [self.best_windows.get(row, (near, NO_WINDOW)) for row, near in zip(rows, passages, strict=True)]
        return PhraseScores(
            keys=rows,
            collections=[self.collections[row] for row in rows],
            bm25=[self.bm25.get(row, 0.0) for row in rows],
            vector=[semantic_score(near, best) for near, (best, _) in zip(passages, windows, strict=True)],
            passage=passages,
            window=[number for _, number in windows],
            languages=[self.languages.get(row, UNDETERMINED_LANGUAGE) for row in rows],
        )

    def lowest_similarity(self) -> float:
        """Return the lowest similarity of a passage that was found as near; 0 if none was."""
        return min(self.passage_similarities.values(), default=0.0)

    def _record_passages(self, answer: Mapping[str, Any]) -> list[tuple[str, float]]:
        """Record the passages, and return them with their scores."""
        found: list[tuple[str, float]] = []
        for hit in _hits(answer):
            fields = hit["fields"]
            row = fields["row"][0]
            self.collections.setdefault(row, fields["collection"][0])
            self.window_counts[row] = fields["windows"][0]
            if "language" in fields:
                self.languages[row] = fields["language"][0]
            found.append((row, hit["_score"]))
        return found


def segments_of(answer: Mapping[str, Any]) -> dict[str, StoredSegment | None]:
    """Return the stored segments of the hits by row; None where a row has no packed one."""
    return {row_of(hit): stored_segment(hit) for hit in _hits(answer)}


def _hits(answer: Mapping[str, Any]) -> Sequence[Any]:
    return answer["hits"]["hits"]
