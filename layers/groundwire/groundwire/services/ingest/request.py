"""Requests and results of ingestion."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from groundwire.domain.access.policy import Policy
from groundwire.domain.audit.ingestion import FinishedDocument
from groundwire.domain.documents.metadata import Metadata, Value
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Conflict


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
        policy_from_files: whether the policy comes from policy files, and follows their changes.
        policy_overridden_at: time of the manual override that stays in force; 0 where this request's policy replaces
            it.
        decided_at: time when the policy became that of the file (epoch seconds): a later manual override takes
            precedence. None: it is decided with the request.
        unchanged_since: a document from another source is replaced only if it has not changed since (epoch seconds).
    """

    tenant: str
    collection: str
    source_path: str
    file_name: str
    read: Callable[[], bytes]
    policy: Policy
    doc_id: str | None
    source_url: str | None
    metadata: Metadata = field(default_factory=dict[str, Value])
    language: str | None = None
    parent: str | None = None
    nesting_depth: int = 0
    policy_from_files: bool = False
    policy_overridden_at: float = 0.0
    decided_at: float | None = None
    unchanged_since: float | None = None


class IngestStatus(StrEnum):
    """Status of an ingestion."""

    INDEXED = "indexed"
    UNCHANGED = "unchanged"
    UPDATED = "updated"
    POLICY_CHANGED = "repolicied"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class IngestResult:
    """Result of ingesting one file.

    Attributes:
        document: its record; None when the file was refused before it had one.
        reason: why it was refused, for its owner.
        embedded_count: number of segments that were new to the index; the others reused their vectors.
        enrichment_failure: why enrichment failed; None where it succeeded or there was none.
        images_left_out: how many of its images were left out and why; None where all were kept.
        previous_policy: the policy by which its earlier version was read; None where there was none.
    """

    status: IngestStatus
    file_name: str
    document: Document | None
    reason: str | None = None
    embedded_count: int = 0
    enrichment_failure: str | None = None
    images_left_out: str | None = None
    previous_policy: Policy | None = None

    @property
    def finished_document(self) -> FinishedDocument | None:
        """The document as the audit log names it; None when the file was refused before it had one."""
        if self.document is None:
            return None
        return FinishedDocument.of(self.document, self.status.value, self.previous_policy)


CHANGED_CONCURRENTLY: Final = "the document was changed by somebody else at the same time: ingest the file again"


def raise_on_conflict(outcomes: Iterable[IngestResult]) -> None:
    """Check the results for concurrent changes.

    Raises:
        Conflict: one of the files, or an attachment, has to be ingested again.
    """
    if any(outcome.reason == CHANGED_CONCURRENTLY for outcome in outcomes):
        raise Conflict("the document was changed by somebody else at the same time")
