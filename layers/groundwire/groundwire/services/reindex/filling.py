"""The next generation of an index, filled with the documents as the registry has them.

Nothing here waits for ingestion, policy changes or deletions: after each document is written its record is read again,
and whatever changes a document later settles both generations (`Settle`). So the next generation never says
anything else than the registry for longer than the present one does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from groundwire.domain.documents import Document, DocumentState
from groundwire.ports import Documents, DocumentVersion, Embedder, Index, Indexes
from groundwire.services.ingest.passages import embed_segments
from groundwire.services.settle import agree

Progress = Callable[[int, int], None]
"""Told how many of the tenant's segments are in the next generation, and of how many."""
Between = Callable[[str], None]
"""Told each document that was brought, by id; what it raises ends the run there."""

_Stand = tuple[int, int]


def go_on(_doc_id: str) -> None:
    """Between documents of a run that nobody paces."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How a run goes.

    Attributes:
        progress, between: told of it. after: the last document of the run before this one, which had paused: what it
            brought is believed without a look at each.
    """

    progress: Progress
    between: Between = go_on
    after: str = ""


class Filling:
    """Goes on where an earlier run was interrupted, document by document."""

    def __init__(
        self,
        tenant: str,
        documents: Documents,
        indexes: Indexes,
        embedder: Embedder,
        pace: Pace,
        pause: Callable[[float], None],
    ) -> None:
        """Raises Conflict when the next generation was begun with another model."""
        self._tenant = tenant
        self._documents = documents
        self._indexes = indexes
        self._embedder = embedder
        self._pace = pace
        self._pause = pause
        self._next = indexes.next_generation(tenant, embedder.model)
        self._brought: dict[str, _Stand] = {}
        self._awaited: dict[str, _Stand] = {}
        self.embedded = 0

    def once(self) -> int:
        """Every document that has moved since the last time is brought over; returns how many those were."""
        present = self._indexes.of(self._tenant)
        documents = self._indexed()
        held = self._held(documents)
        total = sum(document.segments for document in documents)
        moved = [document for document in documents if self._brought.get(document.doc_id) != _stand(document)]
        done = total - sum(document.segments for document in moved)
        for document in moved:
            self._bring(present, document, held, lambda part, _all, before=done: self._report(before + part, total))
            done += document.segments
            self._report(done, total)
            self._pace.between(document.doc_id)
        if any(document.doc_id in self._awaited for document in moved):
            self.wait()
        return len(moved)

    def wait(self) -> None:
        """Whatever was written before is seen in both generations."""
        if delay := self._next.visible_after_seconds:
            self._pause(delay)

    def clear(self) -> None:
        """It holds rows of living documents and no others.

        A run that was killed while a document was being deleted may have left some that no record leads to.
        """
        living = {document.doc_id: document.version for document in self._indexed()}
        for doc_id in {each.doc_id for each in self._next.versions() if living.get(each.doc_id) != each.version}:
            self._next.prune(doc_id, living.get(doc_id))

    def _report(self, done: int, total: int) -> None:
        self._pace.progress(done, total)

    def _indexed(self) -> list[Document]:
        every = self._documents.all(self._tenant, None)
        indexed = [document for document in every if document.state is DocumentState.INDEXED]
        return sorted(indexed, key=lambda document: document.doc_id)

    def _held(self, documents: list[Document]) -> Mapping[DocumentVersion, int]:
        """Rows of the next generation; what stands there since an earlier run counts as brought by this one."""
        held = self._next.versions()
        for document in documents:
            if document.doc_id <= self._pace.after and held.get(_version(document)) == document.segments:
                self._brought.setdefault(document.doc_id, _stand(document))
        return held

    def _bring(
        self, present: Index, document: Document, held: Mapping[DocumentVersion, int], progress: Progress
    ) -> None:
        version = _version(document)
        if held.get(version, 0) != document.segments:
            segments = present.segments(version)
            if len(segments) < document.segments and self._may_be_seen_later(document):
                return
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

    def _may_be_seen_later(self, document: Document) -> bool:
        """Once: what is not seen a whole delay later is not there."""
        if not self._next.visible_after_seconds or self._awaited.pop(document.doc_id, None) == _stand(document):
            return False
        self._awaited[document.doc_id] = _stand(document)
        return True


def _stand(document: Document) -> _Stand:
    return document.version, document.policy_version


def _version(document: Document) -> DocumentVersion:
    return DocumentVersion(document.doc_id, document.version)
