"""Re-embeds a tenant's segments with another model in the background, then lets that index answer.

First without the ingest lock, as often as documents move meanwhile; then under it, for the few that are left, up to
the swap. The files are not read again: segments come from the index that answers.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import Conflict, InvalidInput
from groundwire.ports import MAX_ATOMIC_WRITES, Documents, Embedder, Embedders, Indexes, IngestLock, ModelId
from groundwire.services.reindex.generation_builder import GenerationBuilder, ReindexOptions

_MAX_PASSES: Final = 5
"""Without the lock; each is shorter than the one before, unless documents come faster than they are embedded."""


@dataclass(frozen=True, slots=True)
class ReindexResult:
    """What a run came to.

    Attributes:
        previous_model: the model of the index that answered when the run began. current_model: of the one that answers now.
        embedded_count: segments that this run embedded; those that an earlier one had done were kept.
    """

    previous_model: ModelId
    current_model: ModelId
    documents: int
    segments: int
    embedded_count: int


@dataclass(frozen=True, slots=True)
class ReindexStatus:
    """Which model answers, and how full the index of the next one is.

    Attributes:
        next_model: None where no change is under way. next_rows: its rows. live_rows: those of the index that answers.
    """

    live_model: ModelId
    next_model: ModelId | None
    next_rows: int
    live_rows: int


class Reindexer:
    """Searching and ingesting go on meanwhile; killed at any moment, the next run goes on from there."""

    def __init__(
        self,
        documents: Documents,
        indexes: Indexes,
        embedders: Embedders,
        lock: IngestLock,
        sleep: Callable[[float], None],
    ) -> None:
        """`sleep` lets so many seconds pass."""
        self._documents = documents
        self._indexes = indexes
        self._embedders = embedders
        self._lock = lock
        self._sleep = sleep

    def __call__(self, tenant: str, model: ModelId, options: ReindexOptions) -> ReindexResult:
        """The tenant's index is one of `model`; nothing is embedded when it is already.

        Raises:
            NotFound: the model is not on this machine.
            Conflict: a change to a third model was begun, and not abandoned.
            Unavailable: a store does not answer; repeat, and the run goes on.
        """
        before = self._indexes.for_tenant(tenant).model
        embedded = 0 if before == model else self._build(tenant, self._embedders.for_model(model), options)
        with self._lock.hold(tenant):
            self._record_model(tenant, model)
        documents = self._indexed(tenant)
        return ReindexResult(before, model, len(documents), sum(each.segments for each in documents), embedded)

    def abandon(self, tenant: str) -> None:
        """What was re-embedded is thrown away; the index that answers stays."""
        self._indexes.abandon(tenant)

    def status(self, tenant: str) -> ReindexStatus:
        """How far a change of model is, if one was begun."""
        present, begun = self._indexes.for_tenant(tenant), self._indexes.building_generation(tenant)
        if begun is None:
            return ReindexStatus(present.model, None, 0, present.count_rows())
        return ReindexStatus(present.model, begun.model, begun.count_rows(), present.count_rows())

    def _build(self, tenant: str, embedder: Embedder, options: ReindexOptions) -> int:
        filling = GenerationBuilder(tenant, self._documents, self._indexes, embedder, options, self._sleep)
        for _ in range(_MAX_PASSES):
            if not filling.run_pass():
                break
        # Else the one that answers would begin without what was written last.
        filling.wait_until_visible()
        with self._lock.hold(tenant):
            if self._indexes.for_tenant(tenant).model != embedder.model:  # Else another run was faster.
                while filling.run_pass():
                    pass
                filling.prune_orphaned_rows()
                self._indexes.swap(tenant)
        return filling.embedded_count

    def _record_model(self, tenant: str, model: ModelId) -> None:
        """Records say which model made their vectors; one that is changed in this moment is read again."""
        behind = [document for document in self._indexed(tenant) if document.model != model.name]
        for start in range(0, len(behind), MAX_ATOMIC_WRITES):
            some = behind[start : start + MAX_ATOMIC_WRITES]
            try:
                self._documents.write_all(tenant, [(replace(each, model=model.name), each) for each in some])
            except (Conflict, InvalidInput):  # Invalid: too large for one step together.
                for each in some:
                    self._record_model_of(tenant, each.doc_id, model)

    def _record_model_of(self, tenant: str, doc_id: str, model: ModelId) -> None:
        now = self._documents.read(tenant, [doc_id]).get(doc_id)
        if now is not None and now.state is DocumentState.INDEXED:
            # Only shown to people: whoever changes the record at the same time is right.
            with suppress(Conflict):
                self._documents.write(tenant, replace(now, model=model.name), now)

    def _indexed(self, tenant: str) -> list[Document]:
        every = self._documents.all(tenant, None)
        return [document for document in every if document.state is DocumentState.INDEXED]
