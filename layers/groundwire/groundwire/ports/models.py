"""Models that are used only where one is configured: a reranker for answers, an enricher for what is ingested."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from groundwire.domain.documents.segment import Segment


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


Vector = bytes
"""A unit vector: float32, little-endian, `4 * dimension` bytes; bytes so that no caller needs numpy."""


@dataclass(frozen=True, slots=True)
class ModelId:
    """Which embedding model made a vector; vectors of two models are never compared."""

    name: str
    dimension: int


class Embedder(Protocol):
    """Texts to unit vectors."""

    @property
    def model(self) -> ModelId:
        """The model whose vectors these are."""
        ...

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        """One vector per text, in order, in one batched call; texts beyond the model's window are cut."""
        ...


class Embedders(Protocol):
    """The models at hand, each loaded when it is first asked for."""

    def for_model(self, model: ModelId) -> Embedder:
        """The embedder whose vectors are those of `model`.

        Raises:
            NotFound: this machine does not have it, with how to get it.
        """
        ...

    @property
    def default(self) -> Embedder:
        """The one that new tenants begin with."""
        ...
