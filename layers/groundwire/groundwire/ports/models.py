"""Models that are used only where one is configured: a reranker for answers, an enricher for what is ingested."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from groundwire.domain.documents import Segment


class Reranker(Protocol):
    """Reads a question and a passage together, as a cross-encoder does."""

    @property
    def name(self) -> str:
        """The model, as it is shown."""
        ...

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """How well each passage answers; higher is better, and only the order means anything."""
        ...


@dataclass(frozen=True, slots=True)
class Enrichment:
    """What a language model adds to a segment.

    Attributes:
        context: where the passage stands in its document; searched with it, never shown.
        summary: in place of the extractive one; None keeps that.
        questions: that the passage answers; searched with it, never shown.
    """

    context: str = ""
    summary: str | None = None
    questions: tuple[str, ...] = ()


class Enricher(Protocol):
    """A language model that reads the passages of a document before they are indexed."""

    @property
    def version(self) -> str:
        """Part of the recipe that decides whether a document is read again."""
        ...

    def enrich(self, title: str, segments: Sequence[Segment]) -> list[Enrichment]:
        """One enrichment per segment, in order."""
        ...
