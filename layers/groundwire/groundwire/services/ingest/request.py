"""What ingestion is asked for, and what came of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from groundwire.domain.access import Policy
from groundwire.domain.documents import Document
from groundwire.domain.metadata import Metadata, Value


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
        parent: the document that carries it as an attachment. nested: how many carry it, one within the other.
        policy_from_files: whether the policy is that of policy files, and follows when they change.
        policy_given_at: of the document's policy, where that stands; 0 where this one takes its place.
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
    nested: int = 0
    policy_from_files: bool = False
    policy_given_at: float = 0.0
    decided_at: float | None = None
    unchanged_since: float | None = None


class IngestStatus(StrEnum):
    """What an ingestion did."""

    INDEXED = "indexed"
    UNCHANGED = "unchanged"
    UPDATED = "updated"
    REPOLICIED = "repolicied"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class IngestOutcome:
    """What came of one file.

    Attributes:
        document: its record; None when a file was refused before it could have one.
        reason: why it was refused, in words for its owner.
        embedded: how many segments were new to the index; the others kept their vectors.
        unenriched: why they are without what an enricher adds; None where none was asked, or it answered.
    """

    status: IngestStatus
    file_name: str
    document: Document | None
    reason: str | None = None
    embedded: int = 0
    unenriched: str | None = None
