"""Ports of models: embedders of texts, and the optional reranker, enricher, planner and embedder of images."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from groundwire.domain.documents.segment import Segment
from groundwire.domain.search.conversation import Turn
from groundwire.domain.search.model_languages import ModelLanguages


class Reranker(Protocol):
    """Model that scores a question and a passage in one input, as a cross-encoder does."""

    @property
    def name(self) -> str:
        """Name of the model, as it is shown."""
        ...

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return a score per passage; higher answers better, and only the order is meaningful."""
        ...


@dataclass(frozen=True, slots=True)
class Enrichment:
    """Text that a language model adds to a segment.

    Attributes:
        context: the passage's place in its document; searched with it, never shown.
        summary: replaces the extractive one; None keeps that.
        questions: questions that the passage answers; searched with it, never shown.
    """

    context: str = ""
    summary: str | None = None
    questions: tuple[str, ...] = ()


class Enricher(Protocol):
    """Language model that reads the passages of a document before they are indexed."""

    @property
    def version(self) -> str:
        """Version; part of the recipe that decides whether a document is parsed again."""
        ...

    def enrich(self, title: str, segments: Sequence[Segment]) -> list[Enrichment]:
        """Return one enrichment per segment, in order."""
        ...


Vector = bytes
"""Unit vector: float32, little-endian, `4 * dimension` bytes; bytes so that no caller needs numpy."""


@dataclass(frozen=True, slots=True)
class ModelId:
    """Embedding model of a vector; vectors of two models are never compared."""

    name: str
    dimension: int


class Embedder(Protocol):
    """Model that turns texts into unit vectors."""

    @property
    def model(self) -> ModelId:
        """Id of the model."""
        ...

    @property
    def languages(self) -> ModelLanguages:
        """Languages that the model supports."""
        ...

    # Some models want another prefix before a query than before a passage.
    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        """Return one vector per text, in order, in one batched call; texts beyond the model's window are truncated."""
        ...


class Embedders(Protocol):
    """Available embedding models, each loaded on first use."""

    # A tenant keeps the model of its index until it is reindexed, whatever the default is.
    def for_model(self, model: ModelId) -> Embedder:
        """Return the embedder for vectors of `model`.

        Raises:
            NotFound: this machine does not have it; the message tells how to install it.
        """
        ...

    @property
    def default(self) -> Embedder:
        """Embedder of new tenants."""
        ...


class ImageEmbedder(Protocol):
    """Model that turns images and texts about them into unit vectors of one space, as CLIP does.

    Its vectors are never compared with those of an `Embedder`.
    """

    @property
    def model(self) -> ModelId:
        """Id of the model."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector per text, in order; texts beyond the model's window are truncated."""
        ...

    def embed_images(self, thumbnails: Sequence[bytes]) -> list[Vector]:
        """Return one vector per thumbnail of a `ParsedImage`, in order.

        Raises:
            InvalidInput: a thumbnail is not of THUMBNAIL_BYTES bytes.
        """
        ...


class ModelUsage(NamedTuple):
    """Use of a language model for one plan.

    Attributes:
        model: its name. deployment: name under which the service has it.
        input_tokens, output_tokens: as the service counts them; None where it does not state them.
    """

    model: str
    deployment: str
    input_tokens: int | None
    output_tokens: int | None
    elapsed_ms: int


class QueryPlan(NamedTuple):
    """Search queries for the last message of a conversation, the most important first.

    Attributes:
        queries: the searches, in the order of their results; empty only where the user wrote no text.
        usage: None where no model took part.
    """

    queries: tuple[str, ...]
    usage: ModelUsage | None


class QueryPlanner(Protocol):
    """Rules or a language model that turn a conversation into search queries."""

    def plan(self, turns: Sequence[Turn], most: int) -> QueryPlan:
        """Return at most `most` queries, each of at most MAX_PHRASE_CHARACTERS."""
        ...


@dataclass(frozen=True, slots=True)
class ModelDeployment:
    """Language model that a tenant's definition names.

    Attributes:
        resource_uri: address of its service.
        open_key: returns the key of the definition for it; None: it has none that can be read.
    """

    resource_uri: str
    deployment: str
    model: str
    # A function, so that the secret is opened only where a call needs it.
    open_key: Callable[[], str | None] = field(repr=False)


class QueryPlanners(Protocol):
    """Source of the planner that serves a tenant, or a definition that names its models."""

    # The operator allows hosts: a definition must not choose where the server connects to.
    def for_tenant(self, tenant: str, models: Sequence[ModelDeployment]) -> QueryPlanner:
        """Return the planner by the first of these models that the operator allows, else the server's own."""
        ...
