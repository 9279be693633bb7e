"""Re-embeds a tenant's segments with another model in the background, then lets that index answer.

First without the ingest lock, as often as documents move meanwhile; then under it, for the few that are left, up to
the swap. The files are not read again: segments come from the index that answers.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.documents import Document, DocumentState
from groundwire.domain.errors import Conflict, Invalid
from groundwire.ports import WRITTEN_TOGETHER, Documents, Embedder, Embedders, Indexes, IngestLock, ModelId
from groundwire.services.reindex.filling import Filling, Pace

_PASSES: Final = 5
"""Without the lock; each is shorter than the one before, unless documents come faster than they are embedded."""


@dataclass(frozen=True, slots=True)
class Reindexed:
    """What a run came to.

    Attributes:
        before: the model of the index that answered when the run began. after: of the one that answers now.
        embedded: segments that this run embedded; those that an earlier one had done were kept.
    """

    before: ModelId
    after: ModelId
    documents: int
    segments: int
    embedded: int


@dataclass(frozen=True, slots=True)
class ReindexStanding:
    """Which model answers, and how full the index of the next one is.

    Attributes:
        begun: None where no change is under way. filled: its rows. present: those of the index that answers.
    """

    answering: ModelId
    begun: ModelId | None
    filled: int
    present: int


class Reindex:
    """Searching and ingesting go on meanwhile; killed at any moment, the next run goes on from there."""

    def __init__(
        self,
        documents: Documents,
        indexes: Indexes,
        embedders: Embedders,
        lock: IngestLock,
        pause: Callable[[float], None],
    ) -> None:
        """`pause` lets so many seconds pass."""
        self._documents = documents
        self._indexes = indexes
        self._embedders = embedders
        self._lock = lock
        self._pause = pause

    def __call__(self, tenant: str, model: ModelId, pace: Pace) -> Reindexed:
        """The tenant's index is one of `model`; nothing is embedded when it is already.

        Raises:
            NotFound: the model is not on this machine.
            Conflict: a change to a third model was begun, and not abandoned.
            Unavailable: a store does not answer; repeat, and the run goes on.
        """
        before = self._indexes.of(tenant).model
        embedded = 0 if before == model else self._make(tenant, self._embedders.of(model), pace)
        with self._lock.hold(tenant):
            self._name_model(tenant, model)
        documents = self._indexed(tenant)
        return Reindexed(before, model, len(documents), sum(each.segments for each in documents), embedded)

    def abandon(self, tenant: str) -> None:
        """What was re-embedded is thrown away; the index that answers stays."""
        self._indexes.abandon(tenant)

    def standing(self, tenant: str) -> ReindexStanding:
        """How far a change of model is, if one was begun."""
        present, begun = self._indexes.of(tenant), self._indexes.begun(tenant)
        if begun is None:
            return ReindexStanding(present.model, None, 0, present.count())
        return ReindexStanding(present.model, begun.model, begun.count(), present.count())

    def _make(self, tenant: str, embedder: Embedder, pace: Pace) -> int:
        filling = Filling(tenant, self._documents, self._indexes, embedder, pace, self._pause)
        for _ in range(_PASSES):
            if not filling.once():
                break
        # Else the one that answers would begin without what was written last.
        filling.wait()
        with self._lock.hold(tenant):
            if self._indexes.of(tenant).model != embedder.model:  # Else another run was faster.
                while filling.once():
                    pass
                filling.clear()
                self._indexes.swap(tenant)
        return filling.embedded

    def _name_model(self, tenant: str, model: ModelId) -> None:
        """Records say which model made their vectors; one that is changed in this moment is read again."""
        behind = [document for document in self._indexed(tenant) if document.model != model.name]
        for start in range(0, len(behind), WRITTEN_TOGETHER):
            some = behind[start : start + WRITTEN_TOGETHER]
            try:
                self._documents.write_all(tenant, [(replace(each, model=model.name), each) for each in some])
            except (Conflict, Invalid):  # Invalid: too large for one step together.
                for each in some:
                    self._name_one(tenant, each.doc_id, model)

    def _name_one(self, tenant: str, doc_id: str, model: ModelId) -> None:
        now = self._documents.read(tenant, [doc_id]).get(doc_id)
        if now is not None and now.state is DocumentState.INDEXED:
            # Only shown to people: whoever changes the record at the same time is right.
            with suppress(Conflict):
                self._documents.write(tenant, replace(now, model=model.name), now)

    def _indexed(self, tenant: str) -> list[Document]:
        every = self._documents.all(tenant, None)
        return [document for document in every if document.state is DocumentState.INDEXED]
