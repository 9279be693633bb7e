"""The index of segments, and the embedder that makes its vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from groundwire.domain.access import Policy, Principal
from groundwire.domain.documents import Segment
from groundwire.domain.fusion import PhraseScores

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


@dataclass(frozen=True, slots=True)
class SegmentInput:
    """A segment to be indexed with its vector (of heading path and text)."""

    segment: Segment
    vector: Vector


@dataclass(frozen=True, slots=True)
class Phrase:
    """One search phrase and its vector."""

    text: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """Which version of a document an index row belongs to."""

    doc_id: str
    version: int


class Index(Protocol):
    """The segments of one tenant: hybrid search under an access filter.

    Rows are keyed by (segment uid, document version), so that a new version is complete in the index
    before the registry names it current, and a crash in between leaves the old one answering.
    """

    def put(self, document: DocumentVersion, policy: Policy, segments: Sequence[SegmentInput]) -> None:
        """All rows of this version of the document are in the index, durably; repeating it changes nothing."""
        ...

    def prune(self, doc_id: str, keep_version: int | None) -> int:
        """Only rows of `keep_version` remain of the document (None: no rows); returns how many went."""
        ...

    def set_policy(self, doc_id: str, policy: Policy) -> None:
        """All rows of the document stand under `policy`."""
        ...

    def vectors(self, doc_id: str) -> Mapping[str, Vector]:
        """Vectors of the document's rows by segment uid, so that unchanged text is not embedded twice."""
        ...

    def search(
        self, principal: Principal, collections: Sequence[str], phrases: Sequence[Phrase], depth: int
    ) -> list[PhraseScores]:
        """Per phrase, candidates of `collections` that `principal` may read, `depth` per signal.

        The access rule filters before the candidates are chosen, so a selective filter loses no hit. No
        collection means no candidate.
        """
        ...

    def read(self, keys: Sequence[int | str]) -> Mapping[int | str, Segment]:
        """The segments of these rows by key; rows that have gone are left out."""
        ...

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """The segments of this version of the document, by ordinal."""
        ...

    def rows_of(self, document: DocumentVersion) -> int:
        """How many rows this version of the document has."""
        ...

    def count(self) -> int:
        """How many rows there are."""
        ...


class Indexes(Protocol):
    """One index per tenant."""

    def of(self, tenant: str) -> Index:
        """The tenant's index, made on first use.

        Raises:
            Conflict: the index was built with another embedding model.
        """
        ...

    def drop(self, tenant: str) -> int:
        """The tenant's index is gone; returns how many rows it had."""
        ...
