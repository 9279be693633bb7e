"""Errors in the form of Azure AI Search: code, message and details."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.domain.error_codes import audit_text
from groundwire.domain.errors import DomainError, InvalidInput, LimitExceeded, Unavailable
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind

if TYPE_CHECKING:
    from groundwire.dialects.declaration.routes import ErrorReply
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.transport.http import HttpResponse

_INVALID_PARAMETER: Final = "InvalidRequestParameter"
_INVALID_REQUEST: Final = "InvalidAgentRetrievalRequest"
_UNAVAILABLE_MESSAGE: Final = "A part of the service does not answer: try again."
_FAILED_MESSAGE: Final = "The service does not work until its operator repairs it."
_KEY_REQUIRED: Final = "A valid API key is required: send it as `api-key: KEY` or `Authorization: Bearer KEY`."
_CREDENTIALS: Final = ("api-key", "authorization")
# Recorded errors of the service have these headers.
_HEADERS: Final = {
    "content-type": "application/json; charset=utf-8",
    "content-language": "en",
    "pragma": "no-cache",
    "expires": "-1",
}
_RETRYABLE: Final = frozenset({HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS})


class AzureError(ToolError):
    """Error of a call, for REST and MCP alike.

    Attributes:
        status: HTTP status of a REST answer.
        code: empty for most errors, as the system's own.
        details: further errors, each with a code and a message.
    """

    def __init__(
        self,
        status: int,
        message: str,
        code: str = "",
        details: "tuple[tuple[str, str], ...]" = (),
        retry_after_s: int | None = None,
    ) -> None:
        kind = ToolErrorKind.RETRYABLE if status in _RETRYABLE else ToolErrorKind.ARGUMENTS
        super().__init__(kind, message, retry_after_s)
        self.status = status
        self.code = code
        self.details = details


def invalid_parameter(message: str) -> AzureError:
    """Return the error of a request that is wrong."""
    # The service gives faults of a parameter these two codes.
    details = ((_INVALID_REQUEST, message),)
    return AzureError(HTTPStatus.BAD_REQUEST, message, _INVALID_PARAMETER, details)


def not_found(what: str, name: str) -> AzureError:
    """Return the error of a resource that does not exist for the caller; `what` such as `Knowledge Base`."""
    return AzureError(
        HTTPStatus.NOT_FOUND, f"No {what} with the name {name[:128]!r} was found in service 'groundwire'."
    )


def from_domain_error(call: "CallContext", error: DomainError) -> AzureError:
    """Return the error of a use case; the text of an outage is in the audit record alone."""
    if isinstance(error, InvalidInput):
        return AzureError(HTTPStatus.BAD_REQUEST, str(error))
    call.audit_fields["problem"] = audit_text(error)
    if isinstance(error, (Unavailable, LimitExceeded)):
        is_limit = isinstance(error, LimitExceeded)
        status = HTTPStatus.TOO_MANY_REQUESTS if is_limit else HTTPStatus.SERVICE_UNAVAILABLE
        return AzureError(status, _UNAVAILABLE_MESSAGE, retry_after_s=error.retry_after_s)
    # Python and JavaScript clients repeat 500 and 503, which a lasting fault does not cure.
    return AzureError(HTTPStatus.NOT_IMPLEMENTED, _FAILED_MESSAGE)


def error_body(message: str, code: str = "", details: "tuple[tuple[str, str], ...]" = ()) -> dict[str, object]:
    """Return an error as JSON."""
    error: dict[str, object] = {"code": code, "message": message}
    if details:
        error["details"] = [{"code": each, "message": text} for each, text in details]
    return {"error": error}


def error_response(error: AzureError) -> "HttpResponse":
    """Return the HTTP response of an error."""
    from groundwire_mcp.transport.http import json_response

    # Clients repeat a 429 only with `Retry-After`.
    retry = {} if error.retry_after_s is None else {"retry-after": str(error.retry_after_s)}
    body = error_body(str(error), error.code, error.details)
    return json_response(error.status, body, {**_HEADERS, **retry})


def refused_response(reply: "ErrorReply", sent: Mapping[str, str]) -> "HttpResponse":
    """Return the response to a call that was refused before this dialect got it.

    Args:
        reply: status and message.
        sent: headers of the call, by lower-case name.
    """
    from groundwire_mcp.transport.http import json_response

    status, message = reply.status, reply.message
    # A token of the user that is refused is no wrong key: it stays 401 with its own message.
    if status == HTTPStatus.UNAUTHORIZED and reply.refused_header is None:
        message = _KEY_REQUIRED
        # A wrong key is 403 in this system.
        status = HTTPStatus.FORBIDDEN if any(sent.get(name) for name in _CREDENTIALS) else status
    elif status == HTTPStatus.INTERNAL_SERVER_ERROR:
        # Clients repeat a 500, which a lasting fault does not cure.
        status = HTTPStatus.NOT_IMPLEMENTED
    return json_response(status, error_body(message), {**reply.headers, **_HEADERS})
