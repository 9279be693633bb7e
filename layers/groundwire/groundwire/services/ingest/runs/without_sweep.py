"""Reconciliation on one machine, where no sweep completes later what a killed ingestion left."""

from groundwire.domain.documents.record import Document
from groundwire.ports import Documents, Indexes
from groundwire.services.documents.reconcile import Reconciler, TryableLock


class ReconcilerWithoutSweep:
    """Reconciler of single documents where no sweep runs that would complete them later."""

    def __init__(self, reconciler: Reconciler, documents: Documents, indexes: Indexes, lock: TryableLock) -> None:
        self._reconciler = reconciler
        self._documents = documents
        self._indexes = indexes
        self._lock = lock

    def __call__(self, tenant: str, document: Document) -> Document:
        """Reconcile a document; with a free ingest lock, also what a killed ingestion left."""
        after = self._reconciler.reconcile_without_lock(tenant, document)
        if not after.sync.is_stale or self._indexes.for_tenant(tenant).visible_after_seconds:
            # The index does not show recent writes yet, so a second pass would write them again.
            return after
        with self._lock.hold_if_free(tenant) as is_free:
            # The record is read again, since a version published in the meantime must not be removed.
            current = self._documents.read(tenant, [document.doc_id]).get(document.doc_id) if is_free else None
            return after if current is None or not current.sync.is_stale else self._reconciler(tenant, current)
