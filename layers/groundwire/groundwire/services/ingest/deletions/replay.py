"""Repetition of deletions after the restoration of a backup, from the audit log that was written since."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from groundwire.domain.access.decision import Decision
from groundwire.domain.errors import NotFound
from groundwire.services.documents.admin import DocumentAdmin

_DOCUMENT_DELETED: Final = frozenset({"documents.delete", "DELETE /v1/documents/{doc_id}"})
_COLLECTION_DELETED: Final = frozenset({"collection.delete", "DELETE /v1/collections/{name}"})
_COLLECTION_CREATED: Final = frozenset({"collection.set", "PUT /v1/collections/{name}"})
_DELETION_ENDED: Final = frozenset(
    {
        *("documents.restore", "documents.forget"),
        *("POST /v1/deletions/{doc_id}/restore", "DELETE /v1/deletions/{doc_id}"),
    }
)
_FIRST_ERROR_STATUS: Final = 400


@dataclass(slots=True)
class LaterDeletions:
    """Deletions of an audit log that were still in force at its end, by tenant and document or collection."""

    documents: dict[tuple[str, str], Decision] = field(default_factory=dict[tuple[str, str], Decision])
    collections: dict[tuple[str, str], Decision] = field(default_factory=dict[tuple[str, str], Decision])

    def add(self, record: Mapping[str, object]) -> None:
        """Take one line of the log, in the order of the log."""
        action, tenant = record.get("action", record.get("route")), record.get("tenant")
        status = record.get("status")
        if not isinstance(tenant, str) or (isinstance(status, int) and status >= _FIRST_ERROR_STATUS):
            return
        ids = [(tenant, each.partition("@")[0]) for each in _texts(record.get("documents"))]
        name = (tenant, str(record.get("collection")))
        if action in _DOCUMENT_DELETED:
            self.documents |= dict.fromkeys(ids, _decision(record))
        elif action in _COLLECTION_DELETED:
            self.collections[name] = _decision(record)
        elif action in _COLLECTION_CREATED:
            self.collections.pop(name, None)
        # A document of an ingestion lives again: somebody has restored it.
        elif action in _DELETION_ENDED or "changes" in record:
            for each in ids:
                self.documents.pop(each, None)


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """Result of a repetition: ids of the deleted documents and names of the deleted collections.

    Attributes:
        unknown: ids of documents that are not in the backup, or are deleted there.
    """

    documents: tuple[str, ...]
    collections: tuple[str, ...]
    unknown: tuple[str, ...]


def later_deletions(records: Iterable[Mapping[str, object]], known_hashes: frozenset[str]) -> LaterDeletions:
    """Return the deletions of the lines whose hash is not among the known ones, those of the backup's own log."""
    found = LaterDeletions()
    for record in records:
        if record.get("hash") not in known_hashes:
            found.add(record)
    return found


def repeat_deletions(admin: DocumentAdmin, later: LaterDeletions) -> ReplayResult:
    """Delete again what the restored registry still has."""
    documents, collections, unknown = list[str](), list[str](), list[str]()
    for (tenant, doc_id), decision in later.documents.items():
        try:
            admin.delete(tenant, doc_id, decision)
            documents.append(doc_id)
        except NotFound:
            unknown.append(doc_id)
    for (tenant, name), decision in later.collections.items():
        try:
            admin.delete_collection(tenant, name, decision)
            collections.append(name)
        except NotFound:
            unknown.append(name)
    return ReplayResult(tuple(documents), tuple(collections), tuple(unknown))


def _decision(record: Mapping[str, object]) -> Decision:
    by = record.get("user") or record.get("os_user") or ""
    return Decision(str(by), 0.0, str(record.get("kid") or ""), str(record.get("decision_reason") or ""))


def _texts(value: object) -> list[str]:
    return [each for each in cast("list[object]", value) if isinstance(each, str)] if isinstance(value, list) else []
