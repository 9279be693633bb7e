"""Records that an interrupted run leaves behind: files that it announced and never read, and the one that it read.

Only one run at a time announces files of a tenant, and it holds the tenant's run lock. So a queued file is abandoned as
soon as nobody holds that lock.
"""

from contextlib import AbstractContextManager
from typing import Final, Protocol

from groundwire.domain.documents.record import DocumentState
from groundwire.ports import Documents
from groundwire.services.documents.reconcile import Reconciler, forget_queued, is_queued_file

_ABANDONED_STATES: Final = frozenset({DocumentState.QUEUED, DocumentState.PARSING})


class TryableRunLock(Protocol):
    """Locks of a tenant that are taken only while they are free."""

    def hold_run_if_free(self, tenant: str) -> AbstractContextManager[bool]:
        """Hold off other runs for the block if none is under way, and yield whether that is so."""
        ...

    def hold_if_free(self, tenant: str) -> AbstractContextManager[bool]:
        """Hold the ingest lock for the block if it is free, and yield whether it was."""
        ...


class AbandonedFiles:
    """Removal of the records of files that a run announced or began, and that no run continues."""

    def __init__(self, documents: Documents, reconciler: Reconciler, lock: TryableRunLock) -> None:
        self._documents = documents
        self._reconciler = reconciler
        self._lock = lock

    def forget(self, tenant: str) -> None:
        """Remove what ended runs left; nothing happens while a run or an upload of the tenant is under way."""
        if not self._exist(tenant):
            return
        with self._lock.hold_run_if_free(tenant) as is_run_free, self._lock.hold_if_free(tenant) as is_free:
            if is_run_free and is_free:
                self.forget_within_run(tenant)
                for document in self._documents.stale_documents(tenant):
                    if document.state is DocumentState.PARSING:
                        self._reconciler(tenant, document)

    def forget_within_run(self, tenant: str) -> None:
        """Remove the queued files for a caller who holds the run and has announced none yet."""
        for document in self._documents.stale_documents(tenant):
            if is_queued_file(document):
                forget_queued(self._documents, tenant, document)

    def _exist(self, tenant: str) -> bool:
        return any(each.state in _ABANDONED_STATES for each in self._documents.stale_documents(tenant))
