"""Requests and results of ingestion."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_source import DeclaredPolicy, PolicySource, SourcedPolicy, effective_policy
from groundwire.domain.audit.ingestion import FinishedDocument
from groundwire.domain.documents.metadata import Metadata, Value
from groundwire.domain.documents.record import (
    TOMBSTONE_STATES,
    Document,
    DocumentState,
    Refusal,
    RefusalCause,
)
from groundwire.domain.documents.source_file import NO_CONTRIBUTOR, Contributor, SourceFile
from groundwire.domain.errors import Conflict
from groundwire.services.ingest.source_objects.display_names import file_type


@dataclass(frozen=True, slots=True)
class IngestRequest:
    """Request to ingest one file.

    Attributes:
        source_path: path of the file, the identity of a file without a chosen id.
        file_name: original name; it is normalised before it is stored and shown.
        read: returns the bytes when the file is processed; may raise DocumentRefused.
        doc_id: chosen by the owner; None: the path decides, or unchanged content under a new name.
        source_url: the document's own URL; None makes search results link to the stored original.
        metadata: takes precedence over the file's own front matter.
        language: ISO 639-1, of all documents of its collection; None: detected.
        parent: the document whose attachment this is. nesting_depth: number of its ancestors.
        policy: what option and policy file declare; or the policy itself, where it follows another document.
        declare_again: returns what they declare at the moment of the call, since a run may wait for a long time after
            it has read them; may raise InvalidInput. None: `policy` applies.
        decided_at: time when the policy became that of the file (epoch seconds): a later manual override takes
            precedence. None: it is decided with the request.
        unchanged_since: a document from another source is replaced only if it has not changed since (epoch seconds).
        restores: a person with the right to decide wants the file back although its document was deleted.
        restores_content: and although the same content was deleted elsewhere in the collection, by whomever.
        contributor: who brings the file in; without one, no key has a right over a new document of it.
    """

    tenant: str
    collection: str
    source_path: str
    file_name: str
    read: Callable[[], bytes]
    policy: DeclaredPolicy | SourcedPolicy
    doc_id: str | None
    source_url: str | None
    metadata: Metadata = field(default_factory=dict[str, Value])
    language: str | None = None
    parent: str | None = None
    nesting_depth: int = 0
    decided_at: float | None = None
    unchanged_since: float | None = None
    declare_again: Callable[[], DeclaredPolicy] | None = None
    restores: bool = False
    restores_content: bool = False
    contributor: Contributor = NO_CONTRIBUTOR

    def restores_after(self, deleted_at: float) -> bool:
        """Return whether the request restores what was deleted then (epoch seconds).

        A deletion after the person's decision to restore holds.
        """
        return self.restores and (self.decided_at is None or deleted_at < self.decided_at)

    def restores_content_after(self, deleted_at: float) -> bool:
        """Return whether the request restores content that was deleted then at another path (epoch seconds)."""
        return self.restores_content and self.restores_after(deleted_at)

    def with_present_policy(self) -> "IngestRequest":
        """Return the request with the policy that is declared now.

        Raises:
            InvalidInput: a policy file is not valid.
        """
        return self if self.declare_again is None else replace(self, policy=self.declare_again())

    def policy_for(self, current: Document | None) -> SourcedPolicy:
        """Return the policy that the document `current` gets; None: a new document."""
        if isinstance(self.policy, SourcedPolicy):
            if current is None or (self.parent is not None and current.state in TOMBSTONE_STATES):
                return self.policy
            # A person may have decided since the request was made.
            return replace(self.policy, ceiling=current.ceiling)
        return effective_policy(self.policy, self.decided_at, None if current is None else _known_policy(current))

    def source_file(self, current: Document | None) -> SourceFile:
        """Return the file as the record of the document `current` takes it over; None: a new document."""
        return SourceFile(
            self.collection,
            self.source_path,
            self.file_name,
            file_type(self.file_name),
            self.source_url,
            self.parent,
            self.policy_for(current),
            self._contributor_of(current),
        )

    def _contributor_of(self, current: Document | None) -> Contributor:
        # A deleted document has ended: what comes under its id belongs to whoever brings it.
        return self.contributor if current is None or current.state in TOMBSTONE_STATES else current.contributor


def _known_policy(current: Document) -> SourcedPolicy:
    """Return the policy of the record; what an option gave a deleted document is no longer meant."""
    policy = current.sourced_policy
    return replace(policy, source=PolicySource.UNKNOWN) if current.state in TOMBSTONE_STATES else policy


def policy_of_readers(document: Document) -> Policy | None:
    """Return the policy by which a version of the document is read; None where nobody has read one."""
    return document.policy if document.state is DocumentState.INDEXED else None


def present_policy(document: Document | None) -> SourcedPolicy:
    """Return the policy that a document keeps while its policy file is refused; nobody, where none was ever chosen."""
    if document is None:
        return _NOBODY
    is_chosen = document.state is DocumentState.INDEXED or document.policy_source is PolicySource.MANUAL
    return document.sourced_policy if is_chosen else replace(_NOBODY, ceiling=document.ceiling)


_NOBODY: Final = SourcedPolicy(NO_READERS, PolicySource.FILE, 0.0, None)


class IngestStatus(StrEnum):
    """Status of an ingestion."""

    INDEXED = "indexed"
    UNCHANGED = "unchanged"
    UPDATED = "updated"
    POLICY_CHANGED = "repolicied"
    REFUSED = "refused"
    CONFLICT = "conflict"
    HELD_BACK = "held_back"

    @property
    def is_failure(self) -> bool:
        """Return whether the file has to be ingested again, as it is or changed."""
        return self in {IngestStatus.REFUSED, IngestStatus.CONFLICT}


@dataclass(frozen=True, slots=True)
class IngestResult:
    """Result of ingesting one file.

    Attributes:
        document: its record; None when the file was refused before it had one.
        reason: why it was refused, for its owner.
        cause: cause of a refusal.
        source_path: path of a file that is held back; None for all others.
        previous_policy: the policy by which its earlier version was read; None where there was none.
        embedded_count: number of segments that were new to the index; the others reused their vectors.
        enrichment_failure: why enrichment failed; None where it succeeded or there was none.
        images_left_out: how many of its images were left out and why; None where all were kept.
    """

    status: IngestStatus
    file_name: str
    document: Document | None
    reason: str | None = None
    embedded_count: int = 0
    enrichment_failure: str | None = None
    images_left_out: str | None = None
    previous_policy: Policy | None = None
    cause: RefusalCause = RefusalCause.CONTENT
    source_path: str | None = None

    @property
    def finished_document(self) -> FinishedDocument | None:
        """The document as the audit log names it; None when the file was refused before it had one."""
        if self.document is None:
            return None
        return FinishedDocument.of(self.document, self.status.value, self.previous_policy)


CHANGED_CONCURRENTLY: Final = "another process changed the document at the same time: ingest the file again"


def conflict_result(request: IngestRequest) -> IngestResult:
    """Return the result of a file whose document somebody else changed meanwhile."""
    return IngestResult(IngestStatus.CONFLICT, request.file_name, None, CHANGED_CONCURRENTLY)


def refused_result(
    request: IngestRequest, refusal: Refusal, record: Document | None = None, previous_policy: Policy | None = None
) -> IngestResult:
    """Return the result of a refused file.

    Args:
        request: the file.
        refusal: why it was refused.
        record: the record that says so; None: the file has none of its own.
        previous_policy: the policy by which its earlier version was read; None where there was none.
    """
    reason = refusal.reason if record is None else record.reason
    status, name = IngestStatus.REFUSED, request.file_name
    return IngestResult(status, name, record, reason, previous_policy=previous_policy, cause=refusal.cause)


def held_back_result(request: IngestRequest, reason: str) -> IngestResult:
    """Return the result of a file that a person deleted earlier; it names no document."""
    path = request.source_path
    return IngestResult(IngestStatus.HELD_BACK, request.file_name, None, reason, source_path=path)


def finished_documents(results: Iterable[IngestResult]) -> list[FinishedDocument]:
    """Return the documents of the results, as the audit log names them."""
    return [each.finished_document for each in results if each.finished_document is not None]


def raise_on_conflict(outcomes: Iterable[IngestResult]) -> None:
    """Check the results for concurrent changes.

    Raises:
        Conflict: one of the files, or an attachment, has to be ingested again.
    """
    if any(outcome.status is IngestStatus.CONFLICT for outcome in outcomes):
        raise Conflict("another process changed the document at the same time")


def unchanged_content_status(current: Document, record: Document) -> IngestStatus:
    """Return the status of unchanged content: a changed source of an equal policy counts as unchanged."""
    if record.policy_version != current.policy_version:
        return IngestStatus.POLICY_CHANGED
    expected = replace(current, policy_source=record.policy_source, policy_overridden_at=record.policy_overridden_at)
    return IngestStatus.UNCHANGED if expected == record else IngestStatus.UPDATED
