"""Decision of a person about a document or a user: who made it, when, by which key, and why."""

from dataclasses import dataclass
from typing import Final


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
