"""Deletions by persons in the lines of the log: those that were in force at its end.

A collection's deletion has lines of its own before its records change, since it may be interrupted, and since one line
cannot hold all documents of a large one. Its last line, that of the call or command, has no documents.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, cast

from groundwire.domain.access.decision import Decision
from groundwire.domain.audit.ingestion import IngestionPhase
from groundwire.domain.audit.lines import OPERATOR
from groundwire.domain.documents.deletion import DeletionExtent

_DOCUMENT_DELETED: Final = frozenset({"documents.delete", "DELETE /v1/documents/{doc_id}"})
_COLLECTION_DELETING: Final = "collection.deleting"
# The last line of earlier releases has all documents.
_COLLECTION_DELETED: Final = frozenset({_COLLECTION_DELETING, "collection.delete", "DELETE /v1/collections/{name}"})
_COLLECTION_CREATED: Final = frozenset({"collection.set", "PUT /v1/collections/{name}"})
_DELETION_ENDED: Final = frozenset(
    {
        *("documents.restore", "documents.forget"),
        *("POST /v1/deletions/{doc_id}/restore", "DELETE /v1/deletions/{doc_id}"),
    }
)
_FIRST_ERROR_STATUS: Final = 400


@dataclass(frozen=True, slots=True)
class CollectionDeletionLine:
    """Line of documents that are about to be deleted with their collection.

    Attributes:
        documents: id and policy version of each, attachments included; empty in the first line of a deletion.
    """

    tenant: str
    collection: str
    documents: Sequence[str]
    decision: Decision

    def members(self) -> dict[str, object]:
        """Return the stored members."""
        by, key, reason = self.decision.decided_by, self.decision.decided_key, self.decision.decision_reason
        person = {"user": by or None, "kid": key} if key else {"decision": OPERATOR, "os_user": by or None}
        return {
            "action": _COLLECTION_DELETING,
            **person,
            "tenant": self.tenant,
            "collection": self.collection,
            "documents": list(self.documents),
            **({"decision_reason": reason} if reason else {}),
        }


@dataclass(frozen=True, slots=True)
class LaterDeletion:
    """Deletion of a document that was in force at the end of a log, and what it held back."""

    decision: Decision
    extent: DeletionExtent


class _Step(IntEnum):
    """Kind of change in the life of a document, in the order in which one policy version can have them."""

    INGESTED = 0
    DELETED = 1
    RESTORED = 2


@dataclass(frozen=True, slots=True, order=True)
class _LastStep:
    """Latest step of a document.

    A line is written some time after its change, so the order of lines is not that of the changes. The policy version
    is: each deletion and restoration counts it up.

    Attributes:
        deletion: None for another step.
    """

    policy_version: int
    step: _Step
    deletion: LaterDeletion | None = field(default=None, compare=False)


@dataclass(slots=True)
class LaterDeletions:
    """Deletions of an audit log that were still in force at its end, by tenant and document or collection."""

    collections: dict[tuple[str, str], Decision] = field(default_factory=dict[tuple[str, str], Decision])
    _last_steps: dict[tuple[str, str], _LastStep] = field(default_factory=dict[tuple[str, str], _LastStep])
    _members: dict[tuple[str, str], list[tuple[str, int]]] = field(
        default_factory=dict[tuple[str, str], list[tuple[str, int]]]
    )

    @property
    def documents(self) -> dict[tuple[str, str], LaterDeletion]:
        """Deletions of single documents, and of those of a collection that a person created or restored since."""
        return {each: last.deletion for each, last in self._last_steps.items() if last.deletion is not None}

    def add(self, record: Mapping[str, object]) -> None:
        """Take one line of the log; lines of collections are taken in the order of the log."""
        action, tenant = record.get("action", record.get("route")), record.get("tenant")
        status = record.get("status")
        if not isinstance(tenant, str) or (isinstance(status, int) and status >= _FIRST_ERROR_STATUS):
            return
        documents = [_id_and_version(each) for each in _texts(record.get("documents"))]
        name = (tenant, str(record.get("collection")))
        is_restored = record.get("phase") == IngestionPhase.RESTORE
        if action in _COLLECTION_DELETED:
            self.collections[name] = _decision(record)
            # Of an interrupted deletion and its repetition, each has a part.
            self._members.setdefault(name, []).extend(documents)
        elif action in _COLLECTION_CREATED or (is_restored and record.get("is_collection_restored") is True):
            self._end_collection(name)
        if action in _DOCUMENT_DELETED:
            deletion = LaterDeletion(_decision(record), _extent(record))
            self._take(tenant, documents, _Step.DELETED, deletion)
        elif action in _DELETION_ENDED or is_restored:
            self._take(tenant, documents, _Step.RESTORED)
        # A document of an ingestion lives again: somebody has restored it.
        elif "changes" in record:
            self._take(tenant, documents, _Step.INGESTED)

    def _end_collection(self, name: tuple[str, str]) -> None:
        decision = self.collections.pop(name, None)
        if decision is not None:
            # The collection exists again, and its documents are still deleted. The line names them as they were before.
            deleted = [(doc_id, version + 1) for doc_id, version in self._members.pop(name)]
            # The contents were forgotten with the collection.
            self._take(name[0], deleted, _Step.DELETED, LaterDeletion(decision, DeletionExtent.FILE))

    def _take(
        self, tenant: str, documents: Iterable[tuple[str, int]], step: _Step, deletion: LaterDeletion | None = None
    ) -> None:
        for doc_id, version in documents:
            after, key = _LastStep(version, step, deletion), (tenant, doc_id)
            before = self._last_steps.get(key)
            if before is None or before <= after:
                self._last_steps[key] = after


def later_deletions(records: Iterable[Mapping[str, object]], known_hashes: frozenset[str]) -> LaterDeletions:
    """Return the deletions of the lines whose hash is not among the known ones, those of the backup's own log."""
    found = LaterDeletions()
    for record in records:
        if record.get("hash") not in known_hashes:
            found.add(record)
    return found


def _decision(record: Mapping[str, object]) -> Decision:
    by = record.get("user") or record.get("os_user") or ""
    return Decision(str(by), 0.0, str(record.get("kid") or ""), str(record.get("decision_reason") or ""))


def _extent(record: Mapping[str, object]) -> DeletionExtent:
    # A line of an earlier release has no such member: its deletion held for the content.
    return DeletionExtent(record.get("extent", DeletionExtent.CONTENT))


def _texts(value: object) -> list[str]:
    return [each for each in cast("list[object]", value) if isinstance(each, str)] if isinstance(value, list) else []


def _id_and_version(name: str) -> tuple[str, int]:
    """Return id and policy version of a document as a line names it; version 0 where the line has none."""
    doc_id, _, version = name.partition("@")
    return doc_id, int(version) if version.isdecimal() else 0
