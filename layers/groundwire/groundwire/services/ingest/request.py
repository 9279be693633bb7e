"""What ingestion is asked for, and what came of it."""

from dataclasses import dataclass
from enum import StrEnum

from groundwire.domain.access import Policy
from groundwire.domain.documents import Document


@dataclass(frozen=True, slots=True)
class IngestRequest:
    """One file.

    Attributes:
        source_path: where it lies, the identity of a file without a chosen id.
        file_name: as it was found; what is kept and shown of it is made harmless first.
        doc_id: chosen by the owner; None lets the path, or unchanged content under a new name, decide.
        source_url: the document's own URL; None makes answers link to the stored original.
    """

    tenant: str
    collection: str
    source_path: str
    file_name: str
    content: bytes
    policy: Policy
    doc_id: str | None
    source_url: str | None


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
    """

    status: IngestStatus
    file_name: str
    document: Document | None
    reason: str | None = None
    embedded: int = 0
