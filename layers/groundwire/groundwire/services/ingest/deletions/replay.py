"""Repetition of deletions after the restoration of a backup, from the audit log that was written since."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from groundwire.domain.audit.deletions import LaterDeletion, LaterDeletions
from groundwire.domain.documents.changes.tombstones import is_in_force
from groundwire.domain.documents.record import TOMBSTONE_STATES
from groundwire.domain.errors import DomainError, NotFound
from groundwire.ports import Documents
from groundwire.services.documents.admin import DocumentAdmin
from groundwire.services.ingest.deletions.administration import everybody_decides


@dataclass(frozen=True, slots=True)
class FailedDeletion:
    """Document or collection that could not be deleted again, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """Result of a repetition: ids of the deleted documents and names of the deleted collections.

    Attributes:
        unknown: ids of documents that are not in the backup, or whose file had vanished there.
        failed: entries that could not be deleted; the others were.
    """

    documents: tuple[str, ...]
    collections: tuple[str, ...]
    unknown: tuple[str, ...]
    failed: tuple[FailedDeletion, ...]


class DeletionReplay:
    """Repetition of deletions in a restored registry."""

    def __init__(self, admin: DocumentAdmin, documents: Documents) -> None:
        self._admin = admin
        self._documents = documents

    def __call__(self, later: LaterDeletions) -> ReplayResult:
        """Delete again what the restored registry still has; an entry that fails does not end the others."""
        documents, collections, unknown = list[str](), list[str](), list[str]()
        failed: list[FailedDeletion] = []

        def attempt(name: str, deleted: list[str], delete: Callable[[], object]) -> None:
            try:
                delete()
                deleted.append(name)
            except NotFound:
                unknown.append(name)
            except DomainError as error:
                failed.append(FailedDeletion(name, str(error)))

        for (tenant, doc_id), deletion in self._outermost_first(later.documents):
            if not self._is_done(tenant, doc_id):
                attempt(doc_id, documents, partial(self._delete, tenant, doc_id, deletion))
        for (tenant, name), decision in later.collections.items():
            attempt(name, collections, partial(self._admin.delete_collection, tenant, name, decision))
        return ReplayResult(tuple(documents), tuple(collections), tuple(unknown), tuple(failed))

    def _delete(self, tenant: str, doc_id: str, deletion: LaterDeletion) -> None:
        # What held less back before must not hold back the files of others now.
        self._admin.delete_if(tenant, doc_id, deletion.decision, everybody_decides, lambda _document: deletion.extent)

    def _outermost_first(
        self, deletions: Mapping[tuple[str, str], LaterDeletion]
    ) -> list[tuple[tuple[str, str], LaterDeletion]]:
        """Return the deletions with those of attachments at the end: most are done with their mail."""
        return sorted(deletions.items(), key=lambda each: self._parent(*each[0]) is not None)

    def _is_done(self, tenant: str, doc_id: str) -> bool:
        """Return whether a deletion is in force, or the document is an attachment, which exists as long as its mail."""
        stored = self._documents.read(tenant, [doc_id]).get(doc_id)
        if stored is None:
            return False
        if stored.parent is None:
            return is_in_force(stored)
        mail = self._documents.read(tenant, [stored.parent]).get(stored.parent)
        return is_in_force(stored) or (mail is not None and mail.state not in TOMBSTONE_STATES)

    def _parent(self, tenant: str, doc_id: str) -> str | None:
        stored = self._documents.read(tenant, [doc_id]).get(doc_id)
        return None if stored is None else stored.parent
