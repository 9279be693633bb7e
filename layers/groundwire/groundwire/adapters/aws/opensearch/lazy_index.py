"""The index of a tenant that has none yet: empty to whoever reads it, made by the first document that is put."""

from collections.abc import Callable, Mapping, Sequence

from groundwire.adapters.aws.opensearch.index import NO_CANDIDATES, OpenSearchIndex
from groundwire.domain import errors
from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.documents.metadata import NO_METADATA, Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.domain.filters.expression import Filter
from groundwire.domain.search.fusion import PhraseScores
from groundwire.ports import DocumentVersion, ModelId, Phrase, SegmentInput, SegmentVectors, Span


class LazyIndex:
    """An `Index` that asks the engine nothing until there is one: who only searches may not make any.

    Args:
        model: that it will be of. find: the index where one was made meanwhile. make: that index, made.
    """

    def __init__(
        self,
        tenant: str,
        model: ModelId,
        visible_after_seconds: int,
        find: Callable[[], OpenSearchIndex | None],
        make: Callable[[], OpenSearchIndex],
    ) -> None:
        self._tenant = tenant
        self._model = model
        self._visible_after_seconds = visible_after_seconds
        self._find = find
        self._make = make
        self._index: OpenSearchIndex | None = None

    @property
    def model(self) -> ModelId:
        """The model whose vectors it takes."""
        return self._model if self._index is None else self._index.model

    @property
    def visible_after_seconds(self) -> int:
        """As of every index of the service."""
        return self._visible_after_seconds

    def put(
        self,
        document: DocumentVersion,
        policy: Policy,
        segments: Sequence[SegmentInput],
        metadata: Metadata = NO_METADATA,
    ) -> None:
        """All rows of this version of the document are in an index that is there from now on."""
        if self._index is None:
            self._index = self._make()
        self._index.put(document, policy, segments, metadata)

    def prune(self, doc_id: str, keep_version: int | None, keep_from_version: int | None = None) -> int:
        """As of an index, where there is one."""
        index = self._existing()
        return 0 if index is None else index.prune(doc_id, keep_version, keep_from_version)

    def set_policy(self, doc_id: str, policy: Policy) -> None:
        """As of an index, where there is one."""
        if (index := self._existing()) is not None:
            index.set_policy(doc_id, policy)

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        """As of an index, where there is one."""
        index = self._existing()
        return {} if index is None else index.vectors(doc_id)

    def search(
        self,
        principal: Principal,
        collections: Sequence[str],
        phrases: Sequence[Phrase],
        depth: int,
        where: Filter | None = None,
    ) -> list[PhraseScores]:
        """As of an index, where there is one; Raises Denied for a principal of another tenant in any case."""
        if principal.tenant != self._tenant:
            raise errors.Forbidden("This index belongs to another tenant.")
        index = self._existing()
        if index is None:
            return [NO_CANDIDATES] * len(phrases)
        return index.search(principal, collections, phrases, depth, where)

    def read(self, keys: Sequence[int | str]) -> Mapping[int | str, Segment]:
        """As of an index, where there is one."""
        index = self._existing()
        return {} if index is None else index.read(keys)

    def segments(self, document: DocumentVersion) -> list[Segment]:
        """As of an index, where there is one."""
        index = self._existing()
        return [] if index is None else index.segments(document)

    def read_spans(self, spans: Sequence[Span]) -> list[list[Segment]]:
        """As of an index, where there is one."""
        index = self._existing()
        return [[] for _ in spans] if index is None else index.read_spans(spans)

    def find(self, document: DocumentVersion, uid: str) -> Segment | None:
        """As of an index, where there is one."""
        index = self._existing()
        return None if index is None else index.find(document, uid)

    def count_version_rows(self, document: DocumentVersion) -> int:
        """As of an index, where there is one."""
        index = self._existing()
        return 0 if index is None else index.count_version_rows(document)

    def count_rows_by_version(self) -> Mapping[DocumentVersion, int]:
        """As of an index, where there is one."""
        index = self._existing()
        return {} if index is None else index.count_rows_by_version()

    def count_rows(self) -> int:
        """As of an index, where there is one."""
        index = self._existing()
        return 0 if index is None else index.count_rows()

    def _existing(self) -> OpenSearchIndex | None:
        if self._index is None:
            self._index = self._find()
        return self._index
