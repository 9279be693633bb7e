"""Index that shows rows with a delay: searches do not see a new row, and no call removes it, before the delay ends."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from groundwire.domain.access.policy import Readers
from groundwire.domain.documents.metadata import NO_METADATA, Metadata
from groundwire.domain.documents.segment import Segment
from groundwire.ports import (
    DocumentVersion,
    Hits,
    IndexQuery,
    LexicalIndex,
    ModelId,
    SegmentInput,
    SegmentVectors,
    SelectRows,
    VectorIndex,
)

DELAY_S: Final = 60


class LaggingIndexDouble:
    """Implementation of `ports.VectorIndex` with the longest delay of `visible_after_seconds` for every row."""

    visible_after_seconds: Final = DELAY_S

    def __init__(self, index: VectorIndex, clock: Callable[[], float]) -> None:
        self._index = index
        self._clock = clock
        self._hidden: list[tuple[float, DocumentVersion, Readers, Sequence[SegmentInput], Metadata]] = []

    @property
    def model(self) -> ModelId:
        return self._index.model

    def put(
        self,
        document: DocumentVersion,
        readers: Readers,
        segments: Sequence[SegmentInput],
        metadata: Metadata = NO_METADATA,
    ) -> None:
        self._hidden.append((self._clock() + DELAY_S, document, readers, segments, metadata))

    def prune(self, doc_id: str, keep_version: int | None, below: int | None = None) -> int:
        return self._seen().prune(doc_id, keep_version, below)

    def set_readers(self, doc_id: str, readers: Readers) -> None:
        self._seen().set_readers(doc_id, readers)

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        return self._seen().vectors(doc_id)

    def segments(self, document: DocumentVersion) -> list[Segment]:
        return self._seen().segments(document)

    def count_version_rows(self, document: DocumentVersion) -> int:
        return self._seen().count_version_rows(document)

    def count_rows_by_version(self) -> Mapping[DocumentVersion, int]:
        return self._seen().count_rows_by_version()

    def outdated_documents(self, after: str, most: int) -> Sequence[str]:
        return self._seen().outdated_documents(after, most)

    def count_rows(self) -> int:
        return self._seen().count_rows()

    @property
    def lexical(self) -> LexicalIndex | None:
        return self._seen().lexical

    def nearest(self, query: IndexQuery, select: SelectRows) -> Hits:
        return self._seen().nearest(query, select)

    def _seen(self) -> VectorIndex:
        now = self._clock()
        for _, document, readers, segments, metadata in [each for each in self._hidden if each[0] <= now]:
            self._index.put(document, readers, segments, metadata)
        self._hidden = [each for each in self._hidden if each[0] > now]
        return self._index


class LaggingIndexDoubles:
    """Indexes of all tenants with the same delay, that of another model included."""

    def __init__(self, indexes: Any, clock: Callable[[], float]) -> None:
        self._indexes = indexes
        self._clock = clock
        self._delayed: dict[tuple[str, ModelId], LaggingIndexDouble] = {}

    def for_tenant(self, tenant: str) -> LaggingIndexDouble:
        return self._as_delayed(tenant, self._indexes.for_tenant(tenant))

    def exists(self, tenant: str) -> bool:
        return bool(self._indexes.exists(tenant)) or any(key[0] == tenant for key in self._delayed)

    def start_generation(self, tenant: str, model: ModelId) -> LaggingIndexDouble:
        return self._as_delayed(tenant, self._indexes.start_generation(tenant, model))

    def building_generation(self, tenant: str) -> LaggingIndexDouble | None:
        started = self._indexes.building_generation(tenant)
        return None if started is None else self._as_delayed(tenant, started)

    def swap(self, tenant: str) -> None:
        self._indexes.swap(tenant)

    def drop(self, tenant: str) -> int:
        self._delayed = {key: each for key, each in self._delayed.items() if key[0] != tenant}
        return self._indexes.drop(tenant)

    def close(self) -> None:
        self._indexes.close()

    def _as_delayed(self, tenant: str, index: VectorIndex) -> LaggingIndexDouble:
        return self._delayed.setdefault((tenant, index.model), LaggingIndexDouble(index, self._clock))
