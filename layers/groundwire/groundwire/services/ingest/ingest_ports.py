"""Ports that the ingestion of files uses."""

from collections.abc import Callable
from dataclasses import dataclass

from groundwire.domain.audit.ingestion import RestorationLine
from groundwire.domain.documents.record import Document
from groundwire.ports import (
    Blobs,
    Clock,
    Documents,
    DocumentVersion,
    Embedders,
    Enricher,
    ImageEmbedder,
    Indexes,
    Parsers,
)
from groundwire.services.documents.images.embedding import has_pictures_of
from groundwire.services.ingest.deletions.memory import DeletionMemory


@dataclass(frozen=True, slots=True)
class IngestPorts:
    """Ports and functions that ingestion uses.

    Attributes:
        new_id: returns a new document id. path_exists: returns whether a source path still exists.
        deletions: memory of what persons deleted.
        record_restoration: writes the audit line of deletions that are about to end.
        enricher: adds text to passages before they are embedded; None without one.
        image_embedder: embeds pictures; None without one.
    """

    documents: Documents
    indexes: Indexes
    image_indexes: Indexes
    blobs: Blobs
    parser: Parsers
    embedders: Embedders
    clock: Clock
    new_id: Callable[[], str]
    path_exists: Callable[[str], bool]
    deletions: DeletionMemory
    record_restoration: Callable[[RestorationLine], None]
    enricher: Enricher | None = None
    image_embedder: ImageEmbedder | None = None

    def image_model(self, tenant: str) -> str:
        """Return the name of the model whose vectors of pictures the tenant's index takes; empty without one."""
        embedder = self.image_embedder
        if embedder is None or not has_pictures_of(self.image_indexes.for_tenant(tenant).model, embedder):
            return ""
        return embedder.model.name

    def is_in_index(self, tenant: str, current: Document) -> bool:
        """Return whether the index still has the record's rows; otherwise the document is indexed again."""
        index = self.indexes.for_tenant(tenant)
        if self.clock() < current.sync.rows_written_at + index.visible_after_seconds:
            return True
        version = DocumentVersion(current.doc_id, current.version)
        if index.count_version_rows(version) != current.segments:
            return False
        images = self.image_indexes.for_tenant(tenant) if current.images else None
        return images is None or images.count_version_rows(version) == current.images
