"""Types and base models that requests and responses share."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from groundwire.domain.documents.ids import MAX_ID_CHARACTERS
from groundwire.domain.limits import (
    MAX_TAG_CHARACTERS,
    MAX_TAGS_PER_CALL,
    MAX_TAGS_PER_POLICY,
    MAX_USER_CHARACTERS,
    MAX_USERS_PER_POLICY,
)

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
NewTagsAllowed = Annotated[
    bool, Field(strict=True, description="Accept a tag that nobody has although it resembles a tag in use.")
]
Tag = Annotated[str, Field(min_length=1, max_length=MAX_TAG_CHARACTERS, examples=["department:sales"])]
Tags = Annotated[list[Tag], Field(max_length=MAX_TAGS_PER_CALL)]
PolicyTags = Annotated[list[Tag], Field(max_length=MAX_TAGS_PER_POLICY)]
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
    """An error with its remedy."""

    code: ErrorCode
    message: str = Field(examples=["There is no document 'handbook-2025'. GET /v1/documents lists them."])
    retry_after_s: int | None = Field(default=None, description="Seconds to wait, where a repeat can succeed.")


class ErrorAnswer(ResponseModel):
    """The answer of a call that failed."""

    error: Fault


class StatusMeaning(NamedTuple):
    """Meaning of an error status, with the code and an example of the message of its answer."""

    code: ErrorCode
    meaning: str
    message: str


STATUS_MEANINGS: Final[Mapping[int, StatusMeaning]] = {
    400: StatusMeaning(
        "invalid",
        "A value of the request is invalid, or a field is unknown.",
        "The request is not valid. body.top_n: Input should be less than or equal to 20.",
    ),
    401: StatusMeaning(
        "unauthenticated",
        "The key is missing or not valid.",
        "A valid API key is required: send it as `Authorization: Bearer KEY`.",
    ),
    403: StatusMeaning(
        "denied",
        "The key does not have the scope, or not the collection.",
        "This route needs a key with the scope `admin`.",
    ),
    404: StatusMeaning(
        "not_found",
        "The name does not exist, or the key may not know it.",
        "There is no document 'handbook-2025'. GET /v1/documents lists them.",
    ),
    409: StatusMeaning(
        "conflict",
        "The resource changed meanwhile, or its state does not allow the call.",
        "The key 4fGh7Kq2LmNp is revoked: create a new one.",
    ),
    413: StatusMeaning("invalid", "The body is too large.", "Send a smaller request."),
    429: StatusMeaning(
        "too_much",
        "The calls are over the rate of the key or the tenant.",
        "Too many calls. Try again after the stated seconds.",
    ),
    500: StatusMeaning(
        "failed", "The server failed.", "The service failed. Its operator can find the cause in the log."
    ),
    503: StatusMeaning(
        "unavailable",
        "A service that the server needs does not answer.",
        "A part of the service does not answer. Try again after the stated seconds.",
    ),
}
EVERY_ROUTE_ERRORS: Final = (400, 401, 403, 429, 500, 503)
"""Statuses that every route can have."""
_RETRYABLE: Final = frozenset({429, 503})


def declared_errors(*statuses: int) -> dict[int | str, dict[str, object]]:
    """Return the declaration of these error statuses for a route, with an example of each answer."""
    return {status: _declaration(status) for status in statuses}


def _declaration(status: int) -> dict[str, object]:
    code, meaning, message = STATUS_MEANINGS[status]
    error = {"code": code, "message": message, **({"retry_after_s": 5} if status in _RETRYABLE else {})}
    return {
        "model": ErrorAnswer,
        "description": meaning,
        "content": {"application/json": {"example": {"error": error}}},
    }


class PolicyBody(RequestModel):
    """Readers of a document: all users if `public`, the named users, and users by tags.

    A user by tags has one of `any_tags`, if there are any, and all of `all_tags`. Send every field. Without any value,
    nobody can read the document.
    """

    public: StrictBoolean
    users: list[User] = Field(max_length=MAX_USERS_PER_POLICY)
    any_tags: PolicyTags
    all_tags: PolicyTags


class PolicyRecord(ResponseModel):
    """Readers of a document."""

    public: bool
    users: list[str]
    any_tags: list[str]
    all_tags: list[str]


class CeilingRecord(ResponseModel):
    """Ceiling of a document, with the decision of the person who set it."""

    policy: PolicyRecord
    decided_by: str | None = Field(description="User of the key, or of the operating system.")
    decided_at: Timestamp
    decided_key: str | None = Field(description="Id of the key; null for an operator.")
    decision_reason: str | None = Field(description="Reason that the person gave.")
