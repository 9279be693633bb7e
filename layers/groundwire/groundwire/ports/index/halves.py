"""The two halves of one tenant's index: a store of vectors, and the words of its rows."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from groundwire.domain.access.policy import Readers
from groundwire.domain.documents.metadata import NO_METADATA, Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import InvalidInput
from groundwire.ports.index.row_queries import RowQuery
from groundwire.ports.index.rows import DocumentVersion, SegmentInput, SegmentVectors, Span
from groundwire.ports.index.searches import Hits, IndexQuery, SelectRows
from groundwire.ports.models import ModelId

A = TypeVar("A")


class VectorIndex(Protocol):
    """The segments of one tenant with their vectors: what a store offers that knows no words.

    Rows are keyed by (segment uid, document version), so that a new version is complete in the index
    before the registry publishes it, and a crash in between leaves the old one published.
    """

    @property
    def model(self) -> ModelId:
        """The model of the stored vectors; phrases are embedded with no other."""
        ...

    @property
    # OpenSearch Serverless refreshes every 10 or 60 s, and no request can force it.
    def visible_after_seconds(self) -> int:
        """Seconds until every method that reads sees a write; 0: at once."""
        ...

    @property
    def lexical(self) -> "LexicalIndex | None":
        """The other half of this index; None for a store of vectors alone."""
        ...

    def put(
        self,
        document: DocumentVersion,
        readers: Readers,
        segments: Sequence[SegmentInput],
        metadata: Metadata = NO_METADATA,
    ) -> None:
        """Store all rows of this version of the document durably; repeating it changes nothing.

        Args:
            document: version of the document.
            readers: readers of all its rows.
            segments: its passages.
            metadata: fields by which its rows are filtered: `domain.documents.indexed_fields`.
        """
        ...

    def prune(self, doc_id: str, keep_version: int | None, keep_from_version: int | None = None) -> int:
        """Delete the document's rows but those of `keep_version` (None: all of them), and return the number deleted.

        Rows of the version `keep_from_version` and of later ones stay as well; None: there is no such version.
        """
        ...

    def set_readers(self, doc_id: str, readers: Readers) -> None:
        """Set the readers of all rows of the document."""
        ...

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        """Return the vectors of the document's rows by segment uid, so that unchanged text is not embedded twice."""
        ...

    def nearest(self, query: IndexQuery, select: SelectRows) -> Hits:
        """Find the nearest candidates by vectors, and read the segments of those that `select` chooses.

        Words are ignored, as under `SearchMode.SEMANTIC`, whatever the mode of the query: every BM25 score is 0.
        A store without statistics leaves `readable` of the scores at 0.

        Raises:
            Forbidden: the principal belongs to another tenant.
            InvalidInput: a phrase's vector is not of the index's model.
            Superseded: another generation is live, perhaps of another model.
        """
        ...

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """Return the segments of this version of the document, by ordinal."""
        ...

    # All spans at once, because each request to a remote engine costs a round trip.
    def read_spans(self, spans: Sequence[Span]) -> list[list[Segment]]:
        """Return the segments of each span, by ordinal, all in one read."""
        ...

    def find(self, document: DocumentVersion, uid_start: str) -> Segment | None:
        """Return the first segment of this version whose uid begins so, or is this; None if no uid does."""
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

    # In pages, because an engine bounds the size of an answer.
    def outdated_documents(self, after: str, most: int) -> Sequence[str]:
        """Return ids of documents with rows whose fields have an earlier form, ascending; `put` rewrites them.

        Args:
            after: ids up to this one are left out.
            most: maximum of ids, at least 1.
        """
        ...


class LexicalIndex(Protocol):
    """Lexical half of an index: words of the rows, statistics and catalogue queries, under an access filter."""

    def search(self, query: IndexQuery, select: SelectRows) -> Hits:
        """Find and score candidates of both signals, and read the segments of those that `select` chooses.

        Writes that follow the scoring are not seen, where the engine has transactions.

        Raises:
            Forbidden: the principal belongs to another tenant.
            InvalidInput: a phrase's vector is not of the index's model.
            Superseded: another generation is live, perhaps of another model.
        """
        ...

    def select(self, query: RowQuery[A]) -> A:
        """Return the answer to a catalogue query, in one read.

        Raises:
            Forbidden: the principal belongs to another tenant.
            Superseded: another generation is live.
        """
        ...


class Index(VectorIndex, LexicalIndex, Protocol):
    """Engine with both halves."""

    @property
    def lexical(self) -> LexicalIndex:
        """Return the engine's lexical half."""
        ...


def lexical_half(index: VectorIndex) -> LexicalIndex:
    """Return the half that lists and counts passages.

    Raises:
        InvalidInput: the index is a store of vectors alone.
    """
    if index.lexical is None:
        raise InvalidInput("This index stores vectors alone: its passages can be searched, but not listed or counted.")
    return index.lexical
