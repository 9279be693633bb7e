"""Errors in Google's form: code, message, status, and the fields that are wrong (google.rpc, AIP-193)."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.error_codes import audit_text
from groundwire.domain.errors import DomainError, InvalidInput, LimitExceeded, Unavailable
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind

if TYPE_CHECKING:
    from groundwire.dialects.declaration.routes import ErrorReply
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.transport.http import HttpResponse

_BAD_REQUEST: Final = "type.googleapis.com/google.rpc.BadRequest"
_RETRY_INFO: Final = "type.googleapis.com/google.rpc.RetryInfo"
_UNAVAILABLE_MESSAGE: Final = "A part of the service does not answer: try again."
_FAILED_MESSAGE: Final = "The service does not work until its operator repairs it."


class GoogleStatus(Enum):
    """Canonical code of google.rpc, with its HTTP status."""

    INVALID_ARGUMENT = ("INVALID_ARGUMENT", 400)
    FAILED_PRECONDITION = ("FAILED_PRECONDITION", 400)
    UNAUTHENTICATED = ("UNAUTHENTICATED", 401)
    PERMISSION_DENIED = ("PERMISSION_DENIED", 403)
    NOT_FOUND = ("NOT_FOUND", 404)
    ABORTED = ("ABORTED", 409)
    RESOURCE_EXHAUSTED = ("RESOURCE_EXHAUSTED", 429)
    INTERNAL = ("INTERNAL", 500)
    UNIMPLEMENTED = ("UNIMPLEMENTED", 501)
    UNAVAILABLE = ("UNAVAILABLE", 503)

    @property
    def http_status(self) -> int:
        """HTTP status of a REST answer."""
        return self.value[1]


_BY_HTTP_STATUS: Final = {each.http_status: each for each in reversed(GoogleStatus)}
"""Code of each HTTP status; `INVALID_ARGUMENT` of the two that share one."""
_ARGUMENTS: Final = frozenset(
    {
        GoogleStatus.INVALID_ARGUMENT,
        GoogleStatus.FAILED_PRECONDITION,
        GoogleStatus.NOT_FOUND,
        GoogleStatus.UNIMPLEMENTED,
    }
)
_RETRYABLE: Final = frozenset({GoogleStatus.UNAVAILABLE, GoogleStatus.RESOURCE_EXHAUSTED})


class FieldViolation(NamedTuple):
    """A member that is wrong, by its path in snake_case; an empty path is the request itself."""

    field: str
    description: str


class GoogleError(ToolError):
    """Error of a call, for REST and MCP alike.

    Attributes:
        status: canonical code.
        violations: members that are wrong, in the order in which they were found.
    """

    def __init__(
        self,
        status: GoogleStatus,
        message: str,
        violations: Sequence[FieldViolation] = (),
        retry_after_s: int | None = None,
    ) -> None:
        super().__init__(_kind(status), message, retry_after_s)
        self.status = status
        self.violations = tuple(violations)

    @property
    def body(self) -> dict[str, object]:
        """The error as JSON."""
        return error_body(self.status, str(self), self.violations, self.retry_after_s)


def invalid_field(field: str, description: str) -> GoogleError:
    """Return the error of one member that is wrong."""
    return GoogleError(GoogleStatus.INVALID_ARGUMENT, description, (FieldViolation(field, description),))


def not_found(name: str) -> GoogleError:
    """Return the error for a resource that does not exist for the caller."""
    return GoogleError(
        GoogleStatus.NOT_FOUND, f"The resource {name[:300]!r} does not exist, or this caller may not read it."
    )


def from_domain_error(call: "CallContext", error: DomainError) -> GoogleError:
    """Return the error of a use case; the text of an outage is in the audit record alone."""
    if isinstance(error, (Unavailable, LimitExceeded)):
        call.audit_fields["problem"] = audit_text(error)
        return GoogleError(GoogleStatus.UNAVAILABLE, _UNAVAILABLE_MESSAGE, retry_after_s=error.retry_after_s)
    if isinstance(error, InvalidInput):
        return GoogleError(GoogleStatus.INVALID_ARGUMENT, str(error))
    call.audit_fields["problem"] = audit_text(error)
    return GoogleError(GoogleStatus.INTERNAL, _FAILED_MESSAGE)


def from_tool_error(error: ToolError) -> GoogleError:
    """Return the error of a tool; the only one that is not of Google's form is the rate limit of a key."""
    if isinstance(error, GoogleError):
        return error
    return GoogleError(GoogleStatus.RESOURCE_EXHAUSTED, str(error), retry_after_s=error.retry_after_s)


def error_body(
    status: GoogleStatus,
    message: str,
    violations: Sequence[FieldViolation] = (),
    retry_after_s: int | None = None,
    http_status: int | None = None,
) -> dict[str, object]:
    """Return an error as JSON; its code is the HTTP status of the response, which is that of `status` unless given."""
    details: list[Mapping[str, object]] = []
    if violations:
        details.append({"@type": _BAD_REQUEST, "fieldViolations": [_violation_member(each) for each in violations]})
    if retry_after_s is not None:
        details.append({"@type": _RETRY_INFO, "retryDelay": f"{retry_after_s}s"})
    # Google's Python clients lose the text of an error in any other form.
    error: dict[str, object] = {"code": http_status or status.http_status, "message": message, "status": status.name}
    return {"error": {**error, **({"details": details} if details else {})}}


def error_response(error: GoogleError) -> "HttpResponse":
    """Return the HTTP response of an error."""
    from groundwire_mcp.transport.http import json_response

    retry_after_s = error.retry_after_s
    headers = {} if retry_after_s is None else {"retry-after": str(retry_after_s)}
    return json_response(error.status.http_status, error.body, headers)


def refused_response(reply: "ErrorReply") -> "HttpResponse":
    """Return the response to a call that was refused before this dialect got it."""
    from groundwire_mcp.transport.http import json_response

    other = (
        GoogleStatus.INTERNAL if reply.status >= GoogleStatus.INTERNAL.http_status else GoogleStatus.INVALID_ARGUMENT
    )
    status = _BY_HTTP_STATUS.get(reply.status, other)
    retry_after = reply.headers.get("retry-after")
    retry_after_s = None if retry_after is None else int(retry_after)
    return json_response(
        reply.status, error_body(status, reply.message, (), retry_after_s, reply.status), reply.headers
    )


def _kind(status: GoogleStatus) -> ToolErrorKind:
    if status in _ARGUMENTS:
        return ToolErrorKind.ARGUMENTS
    return ToolErrorKind.RETRYABLE if status in _RETRYABLE else ToolErrorKind.FAILURE


def _violation_member(violation: FieldViolation) -> dict[str, str]:
    field = {"field": violation.field} if violation.field else {}
    return {**field, "description": violation.description}
