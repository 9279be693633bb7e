"""One tenant's index of one generation."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, TypeVar

from groundwire.adapters.opensearch.backing_indexes import BackingIndex
from groundwire.adapters.opensearch.connection.client import EngineClient
from groundwire.adapters.opensearch.query import row_answers
from groundwire.adapters.opensearch.query.candidate_query import candidate_query
from groundwire.adapters.opensearch.query.row_reader import PASSAGES, RowReader, document_filters, span_filters
from groundwire.adapters.opensearch.query.search import search
from groundwire.adapters.opensearch.schema.metadata_terms import has_earlier_form
from groundwire.adapters.opensearch.schema.rows import to_rows
from groundwire.adapters.opensearch.service_rules import ServiceRules
from groundwire.adapters.opensearch.write.writer import IndexWriter
from groundwire.domain import errors
from groundwire.domain.access.policy import Principal, Readers
from groundwire.domain.documents.metadata import NO_METADATA, Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.domain.search.fusion import PhraseScores
from groundwire.domain.search.request import SearchMode
from groundwire.ports import (
    DocumentVersion,
    Hits,
    IndexQuery,
    ModelId,
    RowQuery,
    SegmentInput,
    SegmentVectors,
    SelectRows,
    Span,
)

_NO_CANDIDATES: Final = PhraseScores((), (), (), ())

A = TypeVar("A")
T = TypeVar("T")


class OpenSearchIndex:
    """An `Index` in an index of OpenSearch; every method raises Unavailable, and Superseded after a swap.

    A tenant without documents has no backing index. Then every method that reads returns nothing without a request
    to the engine, and `put` creates the backing index.

    Args:
        engine: client of the engine.
        rules: rules of the service.
        tenant: tenant of the index.
        model: model of the backing index, or of the one that `create` creates.
        find: returns the backing index; None while there is none.
        create: returns the backing index, and creates it where there is none.
    """

    def __init__(
        self,
        engine: EngineClient,
        rules: ServiceRules,
        tenant: str,
        model: ModelId,
        find: Callable[[], BackingIndex | None],
        create: Callable[[], BackingIndex],
    ) -> None:
        self._engine = engine
        self._rules = rules
        self._tenant = tenant
        self._default_model = model
        self._find_backing = find
        self._create_backing = create
        self._backing: BackingIndex | None = None

    @property
    def model(self) -> ModelId:
        """Model of the stored vectors."""
        return self._default_model if self._backing is None else self._backing.model

    @property
    def visible_after_seconds(self) -> int:
        """Refresh interval of the service; 0 for an ordinary cluster, where a write waits for the refresh."""
        return self._rules.visible_after_seconds

    @property
    def lexical(self) -> "OpenSearchIndex":
        """The index itself, which has both halves."""
        return self

    def put(
        self,
        document: DocumentVersion,
        readers: Readers,
        segments: Sequence[SegmentInput],
        metadata: Metadata = NO_METADATA,
    ) -> None:
        """Store all rows of this version of the document durably; repeating it changes nothing.

        Other visible rows of the version are deleted.

        Raises:
            InvalidInput: a vector is not of the index's model, or a segment not of `document`.
        """
        if self._backing is None:
            self._backing = self._create_backing()
        rows = to_rows(document, segments, metadata, self._backing.model)
        with self._open_writer(self._backing) as writer:
            writer.put(document, readers, rows)

    def prune(self, doc_id: str, keep_version: int | None, keep_from_version: int | None = None) -> int:
        """Delete the document's visible rows but those of `keep_version` and from `keep_from_version` on.

        Returns the number of deleted rows.
        """
        return self._change(lambda writer: writer.prune(doc_id, keep_version, keep_from_version), 0)

    def set_readers(self, doc_id: str, readers: Readers) -> None:
        """Set the readers of all visible rows of the document."""
        self._change(lambda writer: writer.set_readers(doc_id, readers), None)

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        """Return vectors by segment uid, exactly as they were put; joint ones to the precision of their weights."""
        return self._read(lambda reader: reader.vectors(doc_id, self.model), {})

    def nearest(self, query: IndexQuery, select: SelectRows) -> Hits:
        """Find candidates by vectors alone; otherwise as `search`."""
        return self.search(replace(query, mode=SearchMode.SEMANTIC), select)

    def search(self, query: IndexQuery, select: SelectRows) -> Hits:
        """Find and score candidates, and read the segments of those that `select` chooses, mostly by three requests.

        Two are enough for one signal alone. A fourth one is needed where the similarities of passages that only words
        found change the choice, and one more when this process first meets a language of the index.

        The similarities of passages and of windows are two signals: the `depth` best passages of either are candidates.

        Raises:
            Forbidden: the principal belongs to another tenant.
            InvalidInput: a phrase's vector is not of the index's model.
        """
        self._check_tenant(query.principal)
        backing = self._existing()
        if backing is None:
            return _no_hits(query)
        candidates = candidate_query(query, backing.model)
        if candidates is None:
            return _no_hits(query)
        with backing.checking_generation():
            return search(self._engine, backing.name, backing.mapping.languages, candidates, select)

    def select(self, query: RowQuery[A]) -> A:
        """Return the answer to a catalogue query, by one request.

        A row that the service stores twice for a while counts twice, in a listing only beyond its `most` rows.

        Raises:
            Forbidden: the principal belongs to another tenant.
        """
        self._check_tenant(query.rows.principal)
        nothing = row_answers.no_rows(query)
        if row_answers.is_void(query):
            return nothing
        return self._read(lambda reader: row_answers.answer(query, reader), nothing)

    def outdated_documents(self, after: str, most: int) -> Sequence[str]:
        """Return ids of documents with visible rows whose fields have an earlier form, ascending."""
        scope = [has_earlier_form(), {"range": {"doc_id": {"gt": after}}}]
        nothing: list[list[str]] = [[]]
        [found] = self._read(lambda reader: reader.documents_for_each([scope], most), nothing)
        return found

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """Return the segments of this version of the document, by ordinal."""
        return self._read(lambda reader: reader.segments(*document_filters(document)), [])

    def read_spans(self, spans: Sequence[Span]) -> list[list[Segment]]:
        """Return the segments of each span, by ordinal, by one request."""
        backing = self._existing()
        if backing is None:
            return [[] for _ in spans]
        with backing.checking_generation():
            return self._reader(backing).segments_for_each([span_filters(span) for span in spans])

    def find(self, document: DocumentVersion, uid_start: str) -> Segment | None:
        """Return the first segment of this version whose uid begins so, or is this; None if it is missing."""
        backing = self._existing()
        if backing is None:
            return None
        with backing.checking_generation():
            found = self._reader(backing).segments(*document_filters(document), {"prefix": {"uid": uid_start}})
            return next(iter(found), None)

    def count_version_rows(self, document: DocumentVersion) -> int:
        """Return the number of visible rows of this version of the document."""
        return self._read(lambda reader: self._count_version_rows(reader, document), 0)

    def count_rows_by_version(self) -> Mapping[DocumentVersion, int]:
        """Return the number of visible rows of each version of each document."""
        return self._read(lambda reader: reader.versions(), {})

    def count_rows(self) -> int:
        """Return the number of visible rows; where the service assigns the ids, a row may count twice for a while."""
        return self._read(lambda reader: reader.count(), 0)

    def _count_version_rows(self, reader: RowReader, document: DocumentVersion) -> int:
        if self._rules.custom_ids and not self._rules.may_refuse_ids:
            return reader.count(*document_filters(document))
        return len({each.key for each in reader.stored_rows(*document_filters(document), PASSAGES)})

    def _check_tenant(self, principal: Principal) -> None:
        if principal.tenant != self._tenant:
            raise errors.Forbidden("This index belongs to another tenant.")

    def _existing(self) -> BackingIndex | None:
        """Return the backing index; None if it is missing."""
        if self._backing is None:
            self._backing = self._find_backing()
        return self._backing

    def _reader(self, backing: BackingIndex) -> RowReader:
        return RowReader(self._engine, backing.name)

    def _read(self, ask: Callable[[RowReader], T], nothing: T) -> T:
        """Return what `ask` reads; `nothing` where there is no backing index."""
        backing = self._existing()
        return nothing if backing is None else backing.ask(lambda: ask(self._reader(backing)), nothing)

    def _change(self, write: Callable[[IndexWriter], T], nothing: T) -> T:
        """Return the result of `write`; `nothing` where there is no backing index."""
        backing = self._existing()
        if backing is None:
            return nothing
        with self._open_writer(backing) as writer:
            return backing.ask(lambda: write(writer), nothing)

    @contextmanager
    def _open_writer(self, backing: BackingIndex) -> Generator[IndexWriter]:
        """Check generation and mapping before any write, because a bulk request creates an index that is missing."""
        backing.check_generation()
        backing.mapping.check()
        try:
            with backing.checking_generation():
                yield IndexWriter(self._engine, self._rules, backing.name, backing.mapping)
        except errors.Unavailable:
            backing.mapping.forget()
            raise


def _no_hits(query: IndexQuery) -> Hits:
    return Hits([_NO_CANDIDATES] * len(query.phrases), {})
