"""An index of vectors alone, in memory: the first half of the port, as a store without words offers it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.domain.access.policy import Readers, decide
from groundwire.domain.documents.indexed_fields import ROWS_FIELD, ROWS_FORM
from groundwire.domain.documents.metadata import NO_METADATA, Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import Forbidden, InvalidInput
from groundwire.domain.filters.expression import Filter, matches
from groundwire.domain.filters.index.index_filter import index_filter
from groundwire.domain.search.fusion import PhraseScores, semantic_score
from groundwire.domain.search.request import ALL_DOCUMENTS
from groundwire.ports import (
    DocumentVersion,
    Hits,
    IndexQuery,
    ModelId,
    SegmentInput,
    SegmentVectors,
    SelectRows,
    Span,
    Vector,
)
from tests.support.documents.index_documents import numbers


@dataclass(frozen=True, slots=True)
class VectorRow:
    """A segment with its vectors, and what decides who finds it."""

    stored: SegmentInput
    readers: Readers
    metadata: Metadata

    @property
    def segment(self) -> Segment:
        """The segment."""
        return self.stored.segment

    @property
    def document(self) -> DocumentVersion:
        """The version of the document that the row belongs to."""
        return DocumentVersion(self.segment.doc_id, self.segment.version)

    def similarities(self, question: Vector) -> tuple[float, float, int]:
        """Return the vector signal, the similarity of the passage, and the number of the best window."""
        passage = _cosine(question, self.stored.vector)
        windows = [_cosine(question, window) for window in self.stored.windows]
        best = max(windows, default=passage)
        return semantic_score(passage, best), passage, windows.index(best) if windows else -1


class InMemoryVectorIndex:
    """A `VectorIndex` without a lexical half."""

    lexical = None
    visible_after_seconds = 0

    def __init__(self, tenant: str, model: ModelId) -> None:
        self.model = model
        self._tenant = tenant
        self._rows: dict[int, VectorRow] = {}
        self._last = 0

    def put(
        self,
        document: DocumentVersion,
        readers: Readers,
        segments: Sequence[SegmentInput],
        metadata: Metadata = NO_METADATA,
    ) -> None:
        """Store all rows of this version of the document."""
        rows = {each.segment.uid: VectorRow(each, readers, metadata) for each in segments}
        for row in rows.values():
            if row.document != document:
                raise InvalidInput("A segment is of another document.")
            self._check_vectors([row.stored.vector, *row.stored.windows])
        before = {row.segment.uid: key for key, row in self._rows.items() if row.document == document}
        for uid in before.keys() - rows.keys():
            del self._rows[before[uid]]
        for uid, row in rows.items():
            self._rows[before.get(uid) or self._next_key()] = row

    def prune(self, doc_id: str, keep_version: int | None, keep_from_version: int | None = None) -> int:
        """Delete the rows of other versions of the document, and return their number."""
        pruned = [
            key
            for key, row in self._rows.items()
            if row.segment.doc_id == doc_id
            and row.segment.version != keep_version
            and (keep_from_version is None or row.segment.version < keep_from_version)
        ]
        for key in pruned:
            del self._rows[key]
        return len(pruned)

    def set_readers(self, doc_id: str, readers: Readers) -> None:
        """Set the readers of all rows of the document."""
        for key, row in self._rows.items():
            if row.segment.doc_id == doc_id:
                self._rows[key] = replace(row, readers=readers)

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        """Return the vectors of the newest row of each segment."""
        rows = sorted((row for row in self._rows.values() if row.segment.doc_id == doc_id), key=_version_of)
        return {row.segment.uid: SegmentVectors(row.stored.vector, row.stored.windows) for row in rows}

    def nearest(self, query: IndexQuery, select: SelectRows) -> Hits:
        """Find the nearest rows, and read the segments of those that `select` chooses."""
        if query.principal.tenant != self._tenant:
            raise Forbidden("This index belongs to another tenant.")
        vectors = [phrase.vector for phrase in query.phrases]
        self._check_vectors([each for each in vectors if each is not None])
        rows = {key: row for key, row in self._rows.items() if _may_find(query, row)}
        scores = [_candidates({} if each is None else rows, each or b"", query.depth) for each in vectors]
        # Rows that are written while `select` runs are not seen.
        return Hits(scores, {key: rows[key].segment for key in select(scores) if isinstance(key, int) and key in rows})

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """Return the segments of this version of the document, by ordinal."""
        return sorted((each.segment for each in self._of(document)), key=lambda each: each.ordinal)

    def read_spans(self, spans: Sequence[Span]) -> list[list[Segment]]:
        """Return the segments of each span, by ordinal."""
        return [
            [each for each in self.segments(span.document) if span.first <= each.ordinal <= span.last] for span in spans
        ]

    def find(self, document: DocumentVersion, uid_start: str) -> Segment | None:
        """Return the first segment of this version whose uid begins so."""
        return next((each for each in self.segments(document) if each.uid.startswith(uid_start)), None)

    def count_version_rows(self, document: DocumentVersion) -> int:
        """Return the number of rows of this version of the document."""
        return sum(1 for _ in self._of(document))

    def count_rows_by_version(self) -> Mapping[DocumentVersion, int]:
        """Return the number of rows of each version of each document."""
        return Counter(row.document for row in self._rows.values())

    def count_rows(self) -> int:
        """Return the number of rows."""
        return len(self._rows)

    def outdated_documents(self, after: str, most: int) -> Sequence[str]:
        """Return ids of documents with rows whose fields have an earlier form, ascending."""
        outdated = {row.segment.doc_id for row in self._rows.values() if row.metadata.get(ROWS_FIELD) != ROWS_FORM}
        return sorted(doc_id for doc_id in outdated if doc_id > after)[:most]

    def _of(self, document: DocumentVersion) -> Iterable[VectorRow]:
        return (row for row in self._rows.values() if row.document == document)

    def _next_key(self) -> int:
        self._last += 1
        return self._last

    def _check_vectors(self, vectors: Iterable[Vector]) -> None:
        if any(len(numbers(each)) != self.model.dimension for each in vectors):
            raise InvalidInput("A vector is not of the index's model.")


def _may_find(query: IndexQuery, row: VectorRow) -> bool:
    """Return whether a search may find the row: access rule, collections, documents, metadata."""
    return (
        bool(decide(query.principal, row.readers))
        and row.segment.collection in query.collections
        and (query.documents == ALL_DOCUMENTS or row.segment.doc_id in query.documents)
        and (query.where is None or _may_pass(query.where, row.metadata))
    )


def _may_pass(where: Filter, metadata: Metadata) -> bool:
    """Return whether a row may pass the filter; a row that cannot decide it may."""
    return matches(where, metadata) or not index_filter(where).is_exact


def _candidates(rows: Mapping[int, VectorRow], question: Vector, depth: int) -> PhraseScores:
    signals = {key: row.similarities(question) for key, row in rows.items()}
    chosen = sorted(sorted(signals, key=lambda key: -signals[key][0])[:depth])
    return PhraseScores(
        keys=chosen,
        collections=[rows[key].segment.collection for key in chosen],
        bm25=[0.0] * len(chosen),
        vector=[signals[key][0] for key in chosen],
        passage=[signals[key][1] for key in chosen],
        window=[signals[key][2] for key in chosen],
        languages=[rows[key].segment.language for key in chosen],
    )


def _version_of(row: VectorRow) -> int:
    return row.segment.version


def _cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(numbers(one), numbers(other), strict=True))
