"""Deletions by persons: what a tombstone remembers of one, and why it holds a file back."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from groundwire.domain.access.decision import Decision

UNKNOWN_DECISION: Final = Decision("", 0.0, "", "")
"""Decision of which neither person nor time is known."""


class DeletionExtent(StrEnum):
    """Extent of a deletion by a person: the files that it holds back.

    `CONTENT`: the file, and its content at other paths of the collection. `FILE`: the file. `OWN`: the file where it
    comes from the person who contributed the document, as a key without the right over the documents of others deletes.
    """

    CONTENT = "content"
    FILE = "file"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class Deletion:
    """Facts that a tombstone keeps of a deletion by a person, or of a vanished file with a ceiling; else empty.

    A living document with a ceiling has the mark of its former content, which may have moved to another path.

    Attributes:
        source_digest: `names_digest` of collection and source path; empty for an attachment. A restored document keeps
            it, so that its file returns under its id; so does one with a ceiling whose file was removed.
        content_mark: keyed digest of collection and content; empty where the content is not, or no longer, remembered.
        decision: who deleted it, when and why; a time of 0: the deletion is not, or no longer, in force.
        is_own: it holds back only what the contributor of the document brings in (`DeletionExtent.OWN`).
    """

    source_digest: str = ""
    content_mark: str = ""
    decision: Decision = UNKNOWN_DECISION
    is_own: bool = False

    @property
    def deleted_at(self) -> float:
        """Time of the deletion in epoch seconds; 0: it is not, or no longer, in force."""
        return self.decision.decided_at


NO_DELETION: Final = Deletion()


class HoldCause(StrEnum):
    """Part of a file that a deletion concerns: its document, its content at any path, or its whole collection."""

    DOCUMENT = "document"
    CONTENT = "content"
    COLLECTION = "collection"


HOLD_REASONS: Final[Mapping[HoldCause, str]] = {
    HoldCause.DOCUMENT: "a person deleted this document earlier, so it is left out until it is restored",
    HoldCause.CONTENT: "a person deleted this content earlier, so it is left out until it is restored",
    HoldCause.COLLECTION: "a person deleted this collection earlier, so its files are left out until it is restored",
}
"""Reasons for whoever ingests the file; they name no document, which that person may not be allowed to know."""
