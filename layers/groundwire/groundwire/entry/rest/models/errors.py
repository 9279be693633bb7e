"""The one form of every error."""

from typing import Literal

from pydantic import Field

from groundwire.entry.rest.models.form import Told

Code = Literal[
    "invalid",
    "refused",
    "unauthenticated",
    "denied",
    "not_found",
    "conflict",
    "too_much",
    "unavailable",
    "failed",
]


class Fault(Told):
    """What went wrong, and what to do."""

    code: Code
    message: str = Field(examples=["There is no document 'handbook-2025'. GET /v1/documents lists them."])
    retry_after_s: int | None = Field(default=None, description="Where a repeat may succeed: seconds to wait.")


class ErrorAnswer(Told):
    """An answer that is none."""

    error: Fault
