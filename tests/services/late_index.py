"""An index that shows rows late: what was put is seen by nobody until its time has come, and cleared by nobody."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from groundwire.domain.access import Policy
from groundwire.domain.documents import Segment
from groundwire.domain.metadata import NONE, Metadata
from groundwire.ports import DocumentVersion, Index, ModelId, SegmentInput, SegmentVectors

DELAY_S: Final = 60


class LateIndex:
    """What `ports.Index` promises of one that tells `visible_after_seconds`, at its worst: no row is seen earlier."""

    visible_after_seconds: Final = DELAY_S

    def __init__(self, index: Index, clock: Callable[[], float]) -> None:
        self._index = index
        self._clock = clock
        self._hidden: list[tuple[float, DocumentVersion, Policy, Sequence[SegmentInput], Metadata]] = []

    @property
    def model(self) -> ModelId:
        return self._index.model

    def put(
        self, document: DocumentVersion, policy: Policy, segments: Sequence[SegmentInput], metadata: Metadata = NONE
    ) -> None:
        self._hidden.append((self._clock() + DELAY_S, document, policy, segments, metadata))

    def prune(self, doc_id: str, keep_version: int | None) -> int:
        return self._seen().prune(doc_id, keep_version)

    def set_policy(self, doc_id: str, policy: Policy) -> None:
        self._seen().set_policy(doc_id, policy)

    def vectors(self, doc_id: str) -> Mapping[str, SegmentVectors]:
        return self._seen().vectors(doc_id)

    def segments(self, document: DocumentVersion) -> list[Segment]:
        return self._seen().segments(document)

    def rows_of(self, document: DocumentVersion) -> int:
        return self._seen().rows_of(document)

    def count(self) -> int:
        return self._seen().count()

    def search(self, *arguments: Any) -> Any:
        return self._seen().search(*arguments)

    def _seen(self) -> Index:
        now = self._clock()
        for _, document, policy, segments, metadata in [each for each in self._hidden if each[0] <= now]:
            self._index.put(document, policy, segments, metadata)
        self._hidden = [each for each in self._hidden if each[0] > now]
        return self._index


class LateIndexes:
    """One for each tenant."""

    def __init__(self, indexes: Any, clock: Callable[[], float]) -> None:
        self._indexes = indexes
        self._clock = clock
        self._late: dict[str, LateIndex] = {}

    def of(self, tenant: str) -> LateIndex:
        if tenant not in self._late:
            self._late[tenant] = LateIndex(self._indexes.of(tenant), self._clock)
        return self._late[tenant]

    def begun(self, tenant: str) -> None:
        """None is."""

    def close(self) -> None:
        self._indexes.close()
