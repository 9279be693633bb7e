"""Decision of a person about a document or a user: who made it, when, by which key, and why."""

from dataclasses import dataclass
from typing import Final

from groundwire.domain.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Decision:
    """Record of a person's decision, as it is stored and shown.

    Attributes:
        decided_by: user of the key, or of the operating system where there was no key; empty if unknown.
        decided_at: epoch seconds.
        decided_key: id of the key; empty for an operator.
        decision_reason: text of the person; empty without one.
    """

    decided_by: str
    decided_at: float
    decided_key: str
    decision_reason: str


def earlier_decision(decided_at: float) -> Decision:
    """Return the decision of a person in an earlier release, which stored the time alone."""
    return Decision("", decided_at, "", "")


MAX_REASON_CHARACTERS: Final = 500
"""Limit of a person's reason."""


def clean_reason(text: str) -> str:
    """Return the reason on one line.

    Raises:
        InvalidInput: it is longer than `MAX_REASON_CHARACTERS`, or cannot be printed.
    """
    reason = " ".join(text.split())
    if len(reason) > MAX_REASON_CHARACTERS or not reason.isprintable():
        raise InvalidInput(f"A reason has at most {MAX_REASON_CHARACTERS} characters, all of them visible.")
    return reason
