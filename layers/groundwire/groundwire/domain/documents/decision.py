"""Decisions of persons about documents: who decided, with which key and why; and what a deletion leaves in a record."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from groundwire.domain.errors import InvalidInput

MAX_REASON_CHARACTERS: Final = 500


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decided, and why; empty texts where that is unknown.

    Attributes:
        decided_by: user of the call, or user of the operating system for a command on the machine.
        key_id: public part of the key of the call; empty without a key.
        decision_reason: in the person's own words.
    """

    decided_by: str
    key_id: str
    decision_reason: str


UNKNOWN_DECISION: Final = Decision("", "", "")
"""Decision of a release that did not record who decided."""


@dataclass(frozen=True, slots=True)
class Deletion:
    """What a tombstone remembers of the deletion by a person; empty in every other record.

    Attributes:
        source_digest: `names_digest` of collection and source path; empty for an attachment. A restored document keeps
            it, so that its file returns under its id.
        deleted_at: epoch seconds; 0: the deletion is not, or no longer, in force.
        content_mark: keyed digest of collection and content; empty where the content is not, or no longer, remembered.
    """

    source_digest: str = ""
    deleted_at: float = 0.0
    content_mark: str = ""
    decision: Decision = UNKNOWN_DECISION


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
"""Reasons for whoever brings the file; they name no document, which that person may not be allowed to know."""


def clean_reason(text: str) -> str:
    """Return the reason on one line.

    Raises:
        InvalidInput: it is longer than `MAX_REASON_CHARACTERS`, or cannot be printed.
    """
    reason = " ".join(text.split())
    if len(reason) > MAX_REASON_CHARACTERS or not reason.isprintable():
        raise InvalidInput(f"A reason has at most {MAX_REASON_CHARACTERS} characters, all of them visible.")
    return reason
