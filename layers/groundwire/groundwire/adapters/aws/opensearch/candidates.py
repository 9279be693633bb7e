"""What answers say of one phrase's candidates, and what they leave open."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.adapters.aws.opensearch.rows import NO_WINDOW
from groundwire.adapters.aws.opensearch.vectors import inner_product
from groundwire.domain.fusion import PhraseScores, meaning


@dataclass(slots=True)
class Candidates:
    """The candidates of one phrase as far as they are known.

    Attributes:
        collections: of every candidate, by row.
        bm25, passages: the scores that are known. windows: the best one, and its number.
        counts: windows that a passage has; only of passages that were met themselves.
        has_vector: the phrase can be near to something.
        all_matching: every row that matches is among them.
    """

    has_vector: bool
    collections: dict[str, str] = field(default_factory=dict[str, str])
    bm25: dict[str, float] = field(default_factory=dict[str, float])
    passages: dict[str, float] = field(default_factory=dict[str, float])
    windows: dict[str, tuple[float, int]] = field(default_factory=dict[str, tuple[float, int]])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    all_matching: bool = False

    def add_matching(self, answer: Mapping[str, Any]) -> None:
        """The passages that match by words."""
        for row, score in self._met(answer):
            self.bm25.setdefault(row, score)

    def add_near(self, answer: Mapping[str, Any]) -> None:
        """The passages that are near."""
        for row, score in self._met(answer):
            self.passages.setdefault(row, inner_product(score))

    def add_windows(self, answer: Mapping[str, Any]) -> None:
        """The best windows of passages."""
        for hit in _hits(answer):
            row, number = hit["fields"]["row"][0], hit["fields"]["number"][0]
            self.collections.setdefault(row, hit["fields"]["collection"][0])
            self.windows.setdefault(row, (inner_product(hit["_score"]), number))

    @property
    def rows(self) -> list[str]:
        """Of every candidate, in the one order in which they are given."""
        return sorted(self.collections)

    @property
    def without_words(self) -> list[str]:
        """Those of which it is open how they match."""
        return [] if self.all_matching else [row for row in self.rows if row not in self.bm25]

    @property
    def without_nearness(self) -> list[str]:
        """Those of which it is open how near they are."""
        return [row for row in self.rows if row not in self.passages] if self.has_vector else []

    @property
    def without_window(self) -> list[str]:
        """Those that have windows of which none is known."""
        if not self.has_vector:
            return []
        return [row for row in self.rows if row not in self.windows and self.counts.get(row, 1)]

    def windows_of(self, rows: Sequence[str]) -> int:
        """How many windows these passages have."""
        return sum(self.counts.get(row, 1) for row in rows)

    def scores(self) -> PhraseScores:
        """All of them; what is not known by now is not there: no word, or no window."""
        rows = self.rows
        passages = [self.passages.get(row, 0.0) for row in rows]
        windows = [self.windows.get(row, (near, NO_WINDOW)) for row, near in zip(rows, passages, strict=True)]
        return PhraseScores(
            keys=rows,
            collections=[self.collections[row] for row in rows],
            bm25=[self.bm25.get(row, 0.0) for row in rows],
            vector=[meaning(near, best) for near, (best, _) in zip(passages, windows, strict=True)],
            passage=passages,
            window=[number for _, number in windows],
        )

    def _met(self, answer: Mapping[str, Any]) -> Iterable[tuple[str, float]]:
        for hit in _hits(answer):
            row = hit["fields"]["row"][0]
            self.collections.setdefault(row, hit["fields"]["collection"][0])
            self.counts[row] = hit["fields"]["windows"][0]
            yield row, hit["_score"]


def _hits(answer: Mapping[str, Any]) -> Sequence[Any]:
    return answer["hits"]["hits"]
