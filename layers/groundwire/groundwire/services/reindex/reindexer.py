"""Reindexer: embeds a tenant's segments with another model in the background, then swaps the index generations.

It first runs passes without the ingest lock, as documents change meanwhile; then one under the lock for the few
remaining ones, until the swap. Files are not parsed again: segments come from the live index.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import Conflict, InvalidInput
from groundwire.ports import MAX_ATOMIC_WRITES, Documents, Embedders, ImageEmbedder, Indexes, IngestLock, ModelId
from groundwire.services.documents.images.embedding import ImageTextEmbedders, image_index_model
from groundwire.services.reindex.generation_builder import GenerationBuilder, ReindexOptions, RowCount

_MAX_PASSES: Final = 5
"""Maximum of passes without the lock; each is shorter than the previous one, unless documents change too fast."""


@dataclass(frozen=True, slots=True)
class ReindexResult:
    """Result of a run.

    Attributes:
        previous_model: model of the live index at the start. current_model: model of the live index at the end.
        embedded_count: segments and images that this run embedded; those of an earlier run were reused.
    """

    previous_model: ModelId
    current_model: ModelId
    documents: int
    segments: int
    embedded_count: int


@dataclass(frozen=True, slots=True)
class ReindexStatus:
    """Status of a change of model: the live model and the rows of the next generation.

    Attributes:
        next_model: None where no change is in progress. next_rows: its rows. live_rows: rows of the live index.
    """

    live_model: ModelId
    next_model: ModelId | None
    next_rows: int
    live_rows: int


class Reindexer:
    """Change of a tenant's model while search and ingestion continue; a run continues where a killed one stopped."""

    def __init__(
        self,
        documents: Documents,
        indexes: Indexes,
        image_indexes: Indexes,
        embedders: Embedders,
        image_embedder: ImageEmbedder | None,
        lock: IngestLock,
        sleep: Callable[[float], None],
    ) -> None:
        """Initialise; `sleep` waits for so many seconds."""
        self._documents = documents
        self._indexes = indexes
        self._image_indexes = image_indexes
        self._embedders = embedders
        self._image_embedder = image_embedder
        self._image_text_embedders = ImageTextEmbedders(embedders, image_embedder)
        self._lock = lock
        self._sleep = sleep

    def __call__(self, tenant: str, model: ModelId, options: ReindexOptions) -> ReindexResult:
        """Change the tenant's indexes to `model`; nothing is embedded in one that has that model already.

        Raises:
            NotFound: the model is not on this machine.
            Conflict: a change to a third model was started, and not abandoned.
            Unavailable: a store does not respond; a repeat continues the run.
        """
        previous_model = self._indexes.for_tenant(tenant).model
        documents = self._indexed(tenant)
        segments, images = sum(map(_segment_count, documents)), sum(map(_image_count, documents))
        embedded_count = self._change(
            tenant, self._indexes, _segment_count, self._embedders, model, _counting(options, 0, images)
        )
        embedded_count += self._change_images(tenant, model, _counting(options, segments, 0))
        with self._lock.hold(tenant):
            self._record_model(tenant, model)
        documents = self._indexed(tenant)
        return ReindexResult(
            previous_model, model, len(documents), sum(each.segments for each in documents), embedded_count
        )

    def abandon(self, tenant: str) -> None:
        """Delete the next generation; the live index stays."""
        for indexes in (self._indexes, self._image_indexes):
            indexes.abandon(tenant)

    def status(self, tenant: str) -> ReindexStatus:
        """Return the status of a change of model: of the passages, and once theirs is complete of the images."""
        model = self._indexes.for_tenant(tenant).model
        for indexes in (self._indexes, self._image_indexes):
            building = indexes.building_generation(tenant)
            if building is not None:
                live_rows = indexes.for_tenant(tenant).count_rows()
                return ReindexStatus(model, building.model, building.count_rows(), live_rows)
        return ReindexStatus(model, None, 0, self._indexes.for_tenant(tenant).count_rows())

    def _change_images(self, tenant: str, model: ModelId, options: ReindexOptions) -> int:
        """Change the index of images; if it is missing, the first image creates it."""
        if not self._image_indexes.exists(tenant):
            return 0
        image_model = image_index_model(model, self._image_embedder)
        return self._change(tenant, self._image_indexes, _image_count, self._image_text_embedders, image_model, options)

    def _change(
        self,
        tenant: str,
        indexes: Indexes,
        row_count: RowCount,
        embedders: Embedders,
        model: ModelId,
        options: ReindexOptions,
    ) -> int:
        """Change these indexes to `model`; return the number of rows that were embedded."""
        if indexes.for_tenant(tenant).model == model:
            return 0
        embedder = embedders.for_model(model)
        builder = GenerationBuilder(tenant, self._documents, indexes, row_count, embedder, options, self._sleep)
        for _ in range(_MAX_PASSES):
            if not builder.run_pass():
                break
        # Otherwise the swapped generation would lack the rows written last.
        builder.wait_until_visible()
        with self._lock.hold(tenant):
            if indexes.for_tenant(tenant).model != model:  # Otherwise another run was faster.
                while builder.run_pass():
                    pass
                builder.prune_orphaned_rows()
                indexes.swap(tenant)
        return builder.embedded_count

    def _record_model(self, tenant: str, model: ModelId) -> None:
        """Record the model in all indexed documents; a concurrently changed record is read again."""
        outdated = [document for document in self._indexed(tenant) if document.model != model.name]
        for start in range(0, len(outdated), MAX_ATOMIC_WRITES):
            batch = outdated[start : start + MAX_ATOMIC_WRITES]
            try:
                self._documents.write_all(tenant, [(replace(each, model=model.name), each) for each in batch])
            except (Conflict, InvalidInput):  # InvalidInput: too large for one atomic write.
                for each in batch:
                    self._record_model_of(tenant, each.doc_id, model)

    def _record_model_of(self, tenant: str, doc_id: str, model: ModelId) -> None:
        current = self._documents.read(tenant, [doc_id]).get(doc_id)
        if current is not None and current.state is DocumentState.INDEXED:
            # The field is only shown to people, so a concurrent change takes precedence.
            with suppress(Conflict):
                self._documents.write(tenant, replace(current, model=model.name), current)

    def _indexed(self, tenant: str) -> list[Document]:
        documents = self._documents.all(tenant, None)
        return [document for document in documents if document.state is DocumentState.INDEXED]


def _segment_count(document: Document) -> int:
    return document.segments


def _image_count(document: Document) -> int:
    return document.images


def _counting(options: ReindexOptions, before: int, after: int) -> ReindexOptions:
    """Return the options with a progress that counts so many rows of another index before, and after, these."""

    def progress(done: int, total: int) -> None:
        options.progress(before + done, before + total + after)

    return replace(options, progress=progress)
