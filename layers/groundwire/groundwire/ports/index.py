"""The index of segments."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.documents.metadata import NO_METADATA, Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter
from groundwire.domain.filters.field_types import FieldType
from groundwire.domain.keys.grants import CollectionGrant
from groundwire.domain.passages.value_counts import ValueCounts
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.request import DocumentSelection, SearchMode
from groundwire.ports.models import ModelId, Vector


@dataclass(frozen=True, slots=True)
class SegmentVectors:
    """The vectors of one segment.

    Attributes:
        passage: vector of the heading path and the text.
        windows: vectors of each of `domain.passages.windows` after the title, then of each question; none for a
            passage that is one window.
    """

    passage: Vector
    windows: tuple[Vector, ...] = ()


@dataclass(frozen=True, slots=True)
class SegmentInput:
    """A segment to index, the vector of its heading path and text, and the vectors of its windows."""

    segment: Segment
    vector: Vector
    windows: tuple[Vector, ...] = ()


@dataclass(frozen=True, slots=True)
class Phrase:
    """One search phrase and its vector; without a vector only the words of the phrase are searched."""

    text: str
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """One version of a document, to which index rows belong."""

    doc_id: str
    version: int


@dataclass(frozen=True, slots=True)
class Span:
    """The segments of a version of a document with an ordinal from `first` to `last`, both included."""

    document: DocumentVersion
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class IndexQuery:
    """A search of one tenant's index.

    The access rule and every narrowing apply before candidates are chosen, so a narrow filter does not reduce recall.

    Attributes:
        principal: only rows whose policy admits it are found.
        granted: collections that the caller's key covers. Statistics count the rows that principal and grant admit, and
            no others; narrowing by the members below changes no statistic.
        collections: names of the collections to search; none: no candidate.
        documents: ids of the documents to search, or `ALL_DOCUMENTS`; none: no candidate.
        where: filter over metadata; None: no filter. Rows that cannot decide it are found as well: the search evaluates
            it again on the records.
        phrases: at least one.
        mode: signals that choose the candidates. Under `LEXICAL` vectors are ignored, and under `SEMANTIC` words are.
        depth: candidates per phrase and signal.
    """

    principal: Principal
    granted: CollectionGrant
    collections: Sequence[str]
    documents: DocumentSelection
    where: Filter | None
    phrases: Sequence[Phrase]
    mode: SearchMode
    depth: int


RowKey = int | str
"""An opaque key of an index row."""

SelectRows = Callable[[Sequence[PhraseScores]], Sequence[RowKey]]
"""Chooses the rows whose segments are read, and calls no index; of several calls, the last has the final scores."""


@dataclass(frozen=True, slots=True)
class Hits:
    """The result of one search, all of one state of the index.

    Attributes:
        scores: candidates of each phrase, in the order of the phrases. A signal that was not searched scores 0.
        segments: segments of the selected rows, by key; a row that the index no longer has is absent.
    """

    scores: Sequence[PhraseScores]
    segments: Mapping[RowKey, Segment]


@dataclass(frozen=True, slots=True)
class RowSelection:
    """The rows that access rule and narrowing leave; the members have the meaning of those of `IndexQuery`."""

    principal: Principal
    collections: Sequence[str]
    documents: DocumentSelection
    where: Filter | None


@dataclass(frozen=True, slots=True)
class RowListing:
    """The first segments of a selection by document, version, ordinal and uid; `total` counts those left out, too."""

    segments: Sequence[Segment]
    total: int


class Index(Protocol):
    """The segments of one tenant: hybrid search under an access filter.

    Rows are keyed by (segment uid, document version), so that a new version is complete in the index
    before the registry publishes it, and a crash in between leaves the old one published.
    """

    @property
    def model(self) -> ModelId:
        """The model of the stored vectors; phrases are embedded with no other."""
        ...

    @property
    def visible_after_seconds(self) -> int:
        """Seconds until every method that reads sees a write; 0: at once."""
        ...

    def put(
        self,
        document: DocumentVersion,
        policy: Policy,
        segments: Sequence[SegmentInput],
        metadata: Metadata = NO_METADATA,
    ) -> None:
        """Store all rows of this version of the document durably; repeating it changes nothing.

        Args:
            document: version of the document.
            policy: policy of all its rows.
            segments: its passages.
            metadata: fields by which its rows are filtered: `domain.documents.indexed_fields`.
        """
        ...

    def prune(self, doc_id: str, keep_version: int | None, keep_from_version: int | None = None) -> int:
        """Delete the document's rows but those of `keep_version` (None: all of them), and return the number deleted.

        Rows of the version `keep_from_version` and of later ones stay as well; None: there is no such version.
        """
        ...

    def set_policy(self, doc_id: str, policy: Policy) -> None:
        """Set the policy of all rows of the document."""
        ...

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        """Return the vectors of the document's rows by segment uid, so that unchanged text is not embedded twice."""
        ...

    def search(self, query: IndexQuery, select: SelectRows) -> Hits:
        """Find and score candidates, and read the segments of those that `select` chooses, in one transaction.

        Writes that follow the scoring are not seen, where the engine has transactions.

        Raises:
            Forbidden: the principal belongs to another tenant.
            InvalidInput: a phrase's vector is not of the index's model.
            Superseded: another generation is live, perhaps of another model.
        """
        ...

    def sample_documents(
        self, principal: Principal, collections: Sequence[str], excluded: frozenset[str], most: int
    ) -> Mapping[str, Sequence[str]]:
        """Return ids of documents of each collection of which a row's policy admits the principal, in one read.

        Args:
            principal: as in `IndexQuery`.
            collections: a name without such a document is absent from the answer.
            excluded: ids that are not returned; another document is returned instead, if there is one.
            most: maximum of ids per collection, at least 1.

        Raises:
            Forbidden: the principal belongs to another tenant.
            Superseded: another generation is live.
        """
        ...

    def sample_fields(
        self, principal: Principal, collections: Sequence[str], most: int
    ) -> Mapping[str, Mapping[FieldType, Sequence[str]]]:
        """Return the metadata fields of documents of which a row's policy admits the principal, in one read.

        Args:
            principal: as in `IndexQuery`.
            collections: names of the collections of the documents.
            most: maximum of ids per field and type, at least 1.

        Returns:
            By field and type ids of documents that have such a value. Rows of an earlier form may be left out.

        Raises:
            Forbidden: the principal belongs to another tenant.
            Superseded: another generation is live.
        """
        ...

    def list_rows(self, selection: RowSelection, most: int) -> RowListing:
        """Return the first segments of a selection, at most `most`, and the number of all.

        Raises:
            Forbidden: the principal belongs to another tenant.
            Superseded: another generation is live.
        """
        ...

    def count_selected(self, selection: RowSelection) -> Mapping[str, int]:
        """Return the number of selected rows by collection; one without such a row is absent.

        While a document has rows of two versions, those of both count.

        Raises:
            Forbidden: the principal belongs to another tenant.
            Superseded: another generation is live.
        """
        ...

    def count_values(self, selection: RowSelection, field: str, most: int) -> ValueCounts:
        """Return the most frequent values of a field of selected rows, at most `most`; rows count as above.

        Rows of an earlier form lack the document's own fields.

        Raises:
            Forbidden: the principal belongs to another tenant.
            Superseded: another generation is live.
        """
        ...

    def outdated_documents(self, after: str, most: int) -> Sequence[str]:
        """Return ids of documents with rows whose fields have an earlier form, ascending; `put` writes them anew.

        Args:
            after: ids up to this one are left out.
            most: maximum of ids, at least 1.
        """
        ...

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """Return the segments of this version of the document, by ordinal."""
        ...

    def read_spans(self, spans: Sequence[Span]) -> list[list[Segment]]:
        """Return the segments of each span, by ordinal, all in one read."""
        ...

    def find(self, document: DocumentVersion, uid_start: str) -> Segment | None:
        """Return the first segment of this version whose uid begins so, or is this; None if it is missing."""
        ...

    def count_version_rows(self, document: DocumentVersion) -> int:
        """Return the number of rows of this version of the document."""
        ...

    def count_rows_by_version(self) -> Mapping[DocumentVersion, int]:
        """Return the number of rows of each version of each document, in one pass."""
        ...

    def count_rows(self) -> int:
        """Return the number of rows."""
        ...
