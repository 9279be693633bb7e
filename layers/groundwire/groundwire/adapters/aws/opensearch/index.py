"""One tenant's index of one generation."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from groundwire.adapters.aws.opensearch.connection.client import EngineClient
from groundwire.adapters.aws.opensearch.connection.errors import IndexMissing
from groundwire.adapters.aws.opensearch.query import request_bodies
from groundwire.adapters.aws.opensearch.query import search as searching
from groundwire.adapters.aws.opensearch.query.row_reader import RowReader, document_filters, span_filters
from groundwire.adapters.aws.opensearch.schema.rows import to_rows, to_segment
from groundwire.adapters.aws.opensearch.schema.vectors import to_numbers
from groundwire.adapters.aws.opensearch.service_rules import ServiceRules
from groundwire.adapters.aws.opensearch.write.index_mapping import IndexMapping
from groundwire.adapters.aws.opensearch.write.writer import IndexWriter
from groundwire.domain import errors
from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.documents.metadata import NO_METADATA, Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter
from groundwire.domain.search.fusion import PhraseScores
from groundwire.ports import DocumentVersion, ModelId, Phrase, SegmentInput, SegmentVectors, Span

NO_CANDIDATES = PhraseScores((), (), (), ())


T = TypeVar("T")


class OpenSearchIndex:
    """An `Index` in an index of OpenSearch; every method raises Unavailable, and Superseded when another answers.

    It remembers the segments of its last search, so one object serves one call.

    Args:
        name: of the engine's index. check_generation: raises Superseded when this generation neither answers nor is
            being made. mapping: of that index.
    """

    def __init__(
        self,
        engine: EngineClient,
        rules: ServiceRules,
        tenant: str,
        name: str,
        model: ModelId,
        check_generation: Callable[[], None],
        mapping: IndexMapping,
    ) -> None:
        self._engine = engine
        self._rules = rules
        self._tenant = tenant
        self._name = name
        self._model = model
        self._check_generation = check_generation
        self._mapping = mapping
        self._reader = RowReader(engine, name)
        self._writer = IndexWriter(engine, rules, name, mapping)
        self._last_segments: Mapping[str, searching.StoredSegment | None] = {}

    @property
    def model(self) -> ModelId:
        """The model whose vectors it holds."""
        return self._model

    @property
    def visible_after_seconds(self) -> int:
        """The service's refresh interval; 0 for an ordinary cluster, where a write waits for it."""
        return self._rules.visible_after_seconds

    def put(
        self,
        document: DocumentVersion,
        policy: Policy,
        segments: Sequence[SegmentInput],
        metadata: Metadata = NO_METADATA,
    ) -> None:
        """All rows of this version of the document are in the index, durably; repeating it changes nothing.

        Other rows of the version go as far as they are visible.

        Raises:
            Invalid: a vector is not of the index's model, or a segment not of `document`.
        """
        rows = to_rows(document, segments, metadata, self._model.dimension)
        with self._open_writer() as writer:
            writer.put(document, policy, rows)

    def prune(self, doc_id: str, keep_version: int | None, keep_from_version: int | None = None) -> int:
        """Of the visible rows of the document those of `keep_version` and from `keep_from_version` on remain; how many went."""
        with self._open_writer() as writer:
            return self._empty_if_missing(lambda: writer.prune(doc_id, keep_version, keep_from_version), 0)

    def set_policy(self, doc_id: str, policy: Policy) -> None:
        """All visible rows of the document stand under `policy`."""
        with self._open_writer() as writer:
            self._empty_if_missing(lambda: writer.set_policy(doc_id, policy), None)

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        """By segment uid, exactly as they were put."""
        return self._empty_if_missing(lambda: self._reader.vectors(doc_id), {})

    def search(
        self,
        principal: Principal,
        collections: Sequence[str],
        phrases: Sequence[Phrase],
        depth: int,
        where: Filter | None = None,
    ) -> list[PhraseScores]:
        """Per phrase, candidates of `collections` that `principal` may read and `where` admits, `depth` per signal.

        Nearness of passages and nearness of windows are two signals: of either the `depth` best passages.

        Raises:
            Denied: the principal is of another tenant.
            Invalid: a phrase's vector is not of the index's model.
        """
        if principal.tenant != self._tenant:
            raise errors.Forbidden("This index belongs to another tenant.")
        asked = [(phrase.text, self._vector_numbers(phrase)) for phrase in phrases]
        if not asked or not collections or depth < 1:
            return [NO_CANDIDATES] * len(asked)
        scope = request_bodies.scope_filters(principal, collections, where)
        with self._checking_generation():
            found = searching.search(self._engine, self._name, searching.CandidateQuery(asked, scope, depth))
        self._last_segments = found.segments
        return found.scores

    def read(self, keys: Sequence[int | str]) -> Mapping[int | str, Segment]:
        """The segments of these rows by key; rows that have gone are left out."""
        wanted = [key for key in dict.fromkeys(keys) if isinstance(key, str)]
        found = dict(self._last_segments)
        if unmet := [key for key in wanted if key not in found]:
            with self._checking_generation():
                found |= searching.fetch_segments(self._engine, self._name, unmet)
        return {key: to_segment(stored) for key in wanted if (stored := found[key]) is not None}

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """The segments of this version of the document, by ordinal."""
        return self._empty_if_missing(lambda: self._reader.segments(*document_filters(document)), [])

    def read_spans(self, spans: Sequence[Span]) -> list[list[Segment]]:
        """The segments of each span, by ordinal, by one request."""
        with self._checking_generation():
            return self._reader.segments_for_each([span_filters(span) for span in spans])

    def find(self, document: DocumentVersion, uid: str) -> Segment | None:
        """The one of them with this uid; None where this version has none."""
        with self._checking_generation():
            return next(iter(self._reader.segments(*document_filters(document), {"term": {"uid": uid}})), None)

    def count_version_rows(self, document: DocumentVersion) -> int:
        """How many visible rows this version of the document has."""
        return self._empty_if_missing(lambda: self._count_version_rows(document), 0)

    def count_rows_by_version(self) -> Mapping[DocumentVersion, int]:
        """How many visible rows each version of each document has."""
        return self._empty_if_missing(self._reader.versions, {})

    def count_rows(self) -> int:
        """How many visible rows there are; where the service gives the ids, a row may count twice for a while."""
        return self._empty_if_missing(self._reader.count, 0)

    def _count_version_rows(self, document: DocumentVersion) -> int:
        if self._rules.custom_ids:
            return self._reader.count(*document_filters(document))
        return len({each.key for each in self._reader.stored_rows(*document_filters(document)) if each.is_passage})

    def _vector_numbers(self, phrase: Phrase) -> list[float] | None:
        return None if phrase.vector is None else to_numbers(phrase.vector, self._model.dimension)

    def _empty_if_missing(self, ask: Callable[[], T], nothing: T) -> T:
        """An index that should answer and was lost holds nothing: whoever brings documents in makes it anew.

        Nor does one that is so new that it is not searched yet.
        """
        try:
            return ask()
        except IndexMissing:
            self._check_generation()
            return nothing

    @contextmanager
    def _checking_generation(self) -> Generator[None]:
        """An index that is absent has been replaced, as a rule."""
        try:
            yield
        except IndexMissing:
            self._check_generation()
            raise

    @contextmanager
    def _open_writer(self) -> Generator[IndexWriter]:
        """Nothing is written where nobody reads it any more: a bulk would make an index that is absent anew."""
        self._check_generation()
        self._mapping.check()
        self._last_segments = {}
        try:
            with self._checking_generation():
                yield self._writer
        except errors.Unavailable:
            self._mapping.forget()
            raise
