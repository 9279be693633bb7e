"""The index of segments, and the embedder that makes its vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.documents.metadata import NO_METADATA, Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter
from groundwire.domain.search.fusion import PhraseScores
from groundwire.ports.models import ModelId, Vector


@dataclass(frozen=True, slots=True)
class SegmentVectors:
    """What was embedded of a segment.

    Attributes:
        passage: of heading path and text. windows: of each of `domain.passages.windows` with the title before it, then of
            each question; none for a passage that is but one window.
    """

    passage: Vector
    windows: tuple[Vector, ...] = ()


@dataclass(frozen=True, slots=True)
class SegmentInput:
    """A segment to be indexed with its vector (of heading path and text) and those of its windows."""

    segment: Segment
    vector: Vector
    windows: tuple[Vector, ...] = ()


@dataclass(frozen=True, slots=True)
class Phrase:
    """One search phrase and its vector; None where the embedder does not answer: then only its words are searched."""

    text: str
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """Which version of a document an index row belongs to."""

    doc_id: str
    version: int


@dataclass(frozen=True, slots=True)
class Span:
    """The segments of a version of a document with an ordinal from `first` to `last`, both included."""

    document: DocumentVersion
    first: int
    last: int


class Index(Protocol):
    """The segments of one tenant: hybrid search under an access filter.

    Rows are keyed by (segment uid, document version), so that a new version is complete in the index
    before the registry names it current, and a crash in between leaves the old one answering.
    """

    @property
    def model(self) -> ModelId:
        """The model whose vectors it holds; phrases are embedded with no other."""
        ...

    @property
    def visible_after_seconds(self) -> int:
        """How long a write may stay unseen by every method that reads; 0 where it is seen at once."""
        ...

    def put(
        self,
        document: DocumentVersion,
        policy: Policy,
        segments: Sequence[SegmentInput],
        metadata: Metadata = NO_METADATA,
    ) -> None:
        """All rows of this version of the document are in the index, durably; repeating it changes nothing."""
        ...

    def prune(self, doc_id: str, keep_version: int | None, keep_from_version: int | None = None) -> int:
        """Only rows of `keep_version` remain of the document (None: no rows); returns how many went.

        Rows of the version `keep_from_version` and of later ones stay as well; None: there is no such version.
        """
        ...

    def set_policy(self, doc_id: str, policy: Policy) -> None:
        """All rows of the document stand under `policy`."""
        ...

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        """Vectors of the document's rows by segment uid, so that unchanged text is not embedded twice."""
        ...

    def search(
        self,
        principal: Principal,
        collections: Sequence[str],
        phrases: Sequence[Phrase],
        depth: int,
        where: Filter | None = None,
    ) -> list[PhraseScores]:
        """Per phrase, candidates of `collections` that `principal` may read and `where` admits, `depth` per signal.

        The access rule and the filter apply before the candidates are chosen, so a selective one loses no hit.
        No collection means no candidate. Of a phrase without a vector every similarity is 0.

        Raises:
            Superseded: another generation answers by now, perhaps of another model.
        """
        ...

    def read(self, keys: Sequence[int | str]) -> Mapping[int | str, Segment]:
        """The segments of these rows by key; rows that have gone are left out."""
        ...

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """The segments of this version of the document, by ordinal."""
        ...

    def read_spans(self, spans: Sequence[Span]) -> list[list[Segment]]:
        """The segments of each span, by ordinal, all in one look."""
        ...

    def find(self, document: DocumentVersion, uid: str) -> Segment | None:
        """The one of them with this uid; None where this version has none."""
        ...

    def count_version_rows(self, document: DocumentVersion) -> int:
        """How many rows this version of the document has."""
        ...

    def count_rows_by_version(self) -> Mapping[DocumentVersion, int]:
        """How many rows each version of each document has, all in one pass."""
        ...

    def count_rows(self) -> int:
        """How many rows there are."""
        ...


@dataclass(frozen=True, slots=True)
class IndexGeneration:
    """One index of a tenant; numbers count up from 1 and are never used twice."""

    number: int
    model: ModelId


@dataclass(frozen=True, slots=True)
class GenerationState:
    """Which index of a tenant answers, and which one is being made to take its place, if any.

    Attributes:
        highest_number: the highest number that any generation of the tenant ever had, given up or not.
    """

    live: IndexGeneration
    building: IndexGeneration | None
    highest_number: int


class IndexGenerations(Protocol):
    """Which generation of each tenant's index answers, for engines that cannot say it of themselves."""

    def read(self, tenant: str) -> GenerationState | None:
        """As it is now; None where the tenant has no index."""
        ...

    def write(self, tenant: str, state: GenerationState, expected: GenerationState | None) -> None:
        """It is durable; Raises Conflict when what is stored is not `expected` (None: it exists already)."""
        ...

    def delete(self, tenant: str) -> None:
        """The tenant has no index; no error when it had none."""
        ...


class Indexes(Protocol):
    """One index per tenant."""

    def for_tenant(self, tenant: str) -> Index:
        """The tenant's index; one that has none gets it, of the default model, by its first document at the latest."""
        ...

    def start_generation(self, tenant: str, model: ModelId) -> Index:
        """An index of another model beside the one that answers, empty or as far as it was filled before.

        Raises:
            Conflict: the next generation was begun with a third model; `abandon` it first.
        """
        ...

    def building_generation(self, tenant: str) -> Index | None:
        """The next generation where one was begun, so that what changes meanwhile changes there, too."""
        ...

    def swap(self, tenant: str) -> None:
        """The next generation answers from now on, in every process, and the one before is gone; Raises NotFound."""
        ...

    def abandon(self, tenant: str) -> None:
        """There is no next generation any more."""
        ...

    def drop(self, tenant: str) -> int:
        """The tenant's index is gone; returns how many rows it had."""
        ...
