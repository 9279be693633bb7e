"""What ingestion is asked for, and what came of it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.metadata import Metadata, Value
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Conflict


@dataclass(frozen=True, slots=True)
class IngestRequest:
    """One file that waits for its turn.

    Attributes:
        source_path: where it lies, the identity of a file without a chosen id.
        file_name: as it was found; what is kept and shown of it is made harmless first.
        read: gives its bytes when its turn has come; Raises DocumentRefused.
        doc_id: chosen by the owner; None lets the path, or unchanged content under a new name, decide.
        source_url: the document's own URL; None makes answers link to the stored original.
        metadata: goes before what the file says of itself.
        language: ISO 639-1, of all documents of its collection; None: detected.
        parent: the document that carries it as an attachment. nesting_depth: how many carry it, one within the other.
        policy_from_files: whether the policy is that of policy files, and follows when they change.
        policy_overridden_at: of the document's policy, where that stands; 0 where this one takes its place.
        decided_at: when the policy became that of the file (epoch seconds): one that was given to its document by hand
            since then stands. None: it is decided with the request.
        unchanged_since: a document that did not come from this file is replaced only if nobody has changed it since.
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
    """What an ingestion did."""

    INDEXED = "indexed"
    UNCHANGED = "unchanged"
    UPDATED = "updated"
    POLICY_CHANGED = "repolicied"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What came of one file.

    Attributes:
        document: its record; None when a file was refused before it could have one.
        reason: why it was refused, in words for its owner.
        embedded_count: how many segments were new to the index; the others kept their vectors.
        enrichment_failure: why they are without what an enricher adds; None where none was asked, or it answered.
    """

    status: IngestStatus
    file_name: str
    document: Document | None
    reason: str | None = None
    embedded_count: int = 0
    enrichment_failure: str | None = None


CHANGED_CONCURRENTLY: Final = "the document was changed by somebody else at the same time: ingest the file again"


def raise_on_conflict(outcomes: Iterable[IngestResult]) -> None:
    """Raises Conflict where one of the files, or what it carries, has to be brought in once more."""
    if any(outcome.reason == CHANGED_CONCURRENTLY for outcome in outcomes):
        raise Conflict("the document was changed by somebody else at the same time")
