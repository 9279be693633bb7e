"""Types and base models that requests and responses share."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from groundwire.domain.documents.ids import MAX_ID_CHARACTERS
from groundwire.domain.limits import MAX_TAG_CHARACTERS, MAX_TAGS_PER_CALL, MAX_USER_CHARACTERS

ID_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9_.-]*$"


class RequestModel(BaseModel):
    """A request: an unknown field is refused, so that a typing error never means a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ResponseModel(BaseModel):
    """An answer: no other fields, each always there."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Timestamp = Annotated[str, Field(json_schema_extra={"format": "date-time"}, examples=["2026-10-01T12:00:00Z"])]
"""Time in UTC, to the second."""
StrictInteger = Annotated[int, Field(strict=True)]
StrictBoolean = Annotated[bool, Field(strict=True)]
Tag = Annotated[str, Field(min_length=1, max_length=MAX_TAG_CHARACTERS, examples=["department:sales"])]
Tags = Annotated[list[Tag], Field(max_length=MAX_TAGS_PER_CALL)]
User = Annotated[str, Field(min_length=1, max_length=MAX_USER_CHARACTERS, examples=["maria@acme.example"])]
DocId = Annotated[str, Field(max_length=MAX_ID_CHARACTERS, pattern=ID_PATTERN, examples=["handbook-2026"])]
CollectionName = Annotated[str, Field(max_length=MAX_ID_CHARACTERS, pattern=ID_PATTERN, examples=["handbook"])]


ErrorCode = Literal[
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


class Fault(ResponseModel):
    """What went wrong, and what to do."""

    code: ErrorCode
    message: str = Field(examples=["There is no document 'handbook-2025'. GET /v1/documents lists them."])
    retry_after_s: int | None = Field(default=None, description="Where a repeat may succeed: seconds to wait.")


class ErrorAnswer(ResponseModel):
    """An answer that is none."""

    error: Fault
