"""The next generation of an index, filled with the documents as the registry has them.

Nothing here waits for ingestion, policy changes or deletions: after each document is written its record is read again,
and whatever changes a document later settles both generations (`Settle`). So the next generation never says
anything else than the registry for longer than the present one does.
"""

from collections.abc import Callable
from typing import Final

from groundwire.domain.documents import Document, DocumentState
from groundwire.ports import Documents, DocumentVersion, Embedder, Index, Indexes
from groundwire.services.ingest.passages import embed_segments
from groundwire.services.settle import agree

Progress = Callable[[int, int], None]
"""Told how many of the tenant's segments are in the next generation, and of how many."""
Between = Callable[[int], None]
"""Told after each document how many segments this run has embedded; what it raises ends the run there."""

_COUNTED: Final = 3
"""Times that rows are counted: a deletion may come between two counts."""

_Stand = tuple[int, int]


def go_on(_embedded: int) -> None:
    """Between documents of a run that nobody paces."""


class Filling:
    """Goes on where an earlier run was interrupted, document by document."""

    def __init__(
        self,
        tenant: str,
        documents: Documents,
        indexes: Indexes,
        embedder: Embedder,
        progress: Progress,
        between: Between = go_on,
    ) -> None:
        """Raises Conflict when the next generation was begun with another model."""
        self._tenant = tenant
        self._documents = documents
        self._indexes = indexes
        self._embedder = embedder
        self._progress = progress
        self._between = between
        self._next = indexes.next_generation(tenant, embedder.model)
        self._brought: dict[str, _Stand] = {}
        self.embedded = 0

    def once(self) -> int:
        """Every document that has moved since the last time is brought over; returns how many those were."""
        present = self._indexes.of(self._tenant)
        documents = self._indexed()
        total = sum(document.segments for document in documents)
        moved = [document for document in documents if self._brought.get(document.doc_id) != _stand(document)]
        done = total - sum(document.segments for document in moved)
        for document in moved:
            self._bring(present, document, lambda part, _all, before=done: self._progress(before + part, total))
            done += document.segments
            self._progress(done, total)
            self._between(self.embedded)
        return len(moved)

    def is_whole(self) -> bool:
        """Whether it holds the rows of living documents and no others.

        A run that was killed while a document was being deleted may leave some that no record leads to.
        """
        return any(self._counts_agree() for _ in range(_COUNTED))

    def _counts_agree(self) -> bool:
        counted = self._next.count()
        return counted == sum(self._next.rows_of(_version(document)) for document in self._indexed())

    def _indexed(self) -> list[Document]:
        every = self._documents.all(self._tenant, None)
        return [document for document in every if document.state is DocumentState.INDEXED]

    def _bring(self, present: Index, document: Document, progress: Progress) -> None:
        version = _version(document)
        if self._next.rows_of(version) != present.rows_of(version):
            segments = present.segments(version)
            embedded = embed_segments(self._embedder, segments, {}, progress)
            self._next.put(version, document.policy, embedded.inputs, document.metadata)
            self.embedded += embedded.fresh
        now = self._documents.read(self._tenant, [document.doc_id]).get(document.doc_id)
        if now is None:
            self._next.prune(document.doc_id, None)
            return
        agree(self._next, now)
        if _stand(now) == _stand(document):
            self._brought[document.doc_id] = _stand(document)


def _stand(document: Document) -> _Stand:
    return document.version, document.policy_version


def _version(document: Document) -> DocumentVersion:
    return DocumentVersion(document.doc_id, document.version)
