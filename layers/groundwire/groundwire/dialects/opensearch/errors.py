"""Errors in the form of OpenSearch: type and reason, once as the cause and once as the error."""

import base64
import hashlib
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.domain.error_codes import audit_text
from groundwire.domain.errors import DomainError, InvalidInput, LimitExceeded, Unavailable
from groundwire_mcp.definitions.tools import ToolError, ToolErrorKind

if TYPE_CHECKING:
    from groundwire.dialects.declaration.routes import ErrorReply
    from groundwire.services.call_context import CallContext
    from groundwire_mcp.transport.http import HttpResponse

NODE_ID: Final = base64.urlsafe_b64encode(hashlib.sha256(b"groundwire node").digest()[:16]).decode().rstrip("=")
"""Id of the only node, 22 characters as the engine's own."""
JSON_TYPE: Final = "application/json; charset=UTF-8"
ILLEGAL_ARGUMENT: Final = "illegal_argument_exception"
QUERY_SHARD: Final = "query_shard_exception"
_CHALLENGE: Final = "www-authenticate"
_BASIC: Final = 'Basic realm="groundwire"'
_KEY_OR_BASIC: Final = (
    "A valid API key is required: send it as `Authorization: Bearer KEY`, or a personal key by HTTP Basic as the "
    "password of the user `key`."
)
_PARSING: Final = "parsing_exception"
_SECURITY: Final = "security_exception"
_UNAVAILABLE: Final = "a part of the service does not answer: try again"
_FAILED: Final = "the service does not work until its operator repairs it"
# `security_exception` is the name that the engine's security plugin gives a refused right.
_TYPES: Final[Mapping[int, str]] = {
    HTTPStatus.UNAUTHORIZED: _SECURITY,
    HTTPStatus.FORBIDDEN: _SECURITY,
    HTTPStatus.TOO_MANY_REQUESTS: "rejected_execution_exception",
}
_MOST_NAME_CHARACTERS: Final = 128


class OpenSearchError(ToolError):
    """Error of a call, for REST and MCP alike; its text is the bare reason.

    Attributes:
        status: HTTP status of a REST answer.
        type: name of the engine's exception.
        members: further members of the error and of its cause, such as the name of an index.
        is_of_shards: the engine finds the error when its shards search, after it has read the query.
        indexes: the searched indexes of such an error.
    """

    is_of_shards: bool = False
    indexes: Sequence[str] = ()

    def __init__(
        self,
        status: int,
        type_: str,
        reason: str,
        members: Mapping[str, object] | None = None,
        retry_after_s: int | None = None,
    ) -> None:
        kind = ToolErrorKind.RETRYABLE if retry_after_s is not None else ToolErrorKind.ARGUMENTS
        super().__init__(kind, reason, retry_after_s)
        self.status = status
        self.type = type_
        self.members = members or {}


def illegal_argument(reason: str) -> OpenSearchError:
    """Return the error of an argument that is wrong."""
    return OpenSearchError(HTTPStatus.BAD_REQUEST, ILLEGAL_ARGUMENT, reason)


def shard_error(reason: str, type_: str = ILLEGAL_ARGUMENT) -> OpenSearchError:
    """Return the error of a search that is well-formed and that the fields of its indexes do not allow."""
    error = OpenSearchError(HTTPStatus.BAD_REQUEST, type_, reason)
    error.is_of_shards = True
    return error


def parsing_error(reason: str) -> OpenSearchError:
    """Return the error of a body that the query language does not have."""
    # The engine names the place; a decoded body has none, so that it is always the first.
    return OpenSearchError(HTTPStatus.BAD_REQUEST, _PARSING, reason, {"line": 1, "col": 1})


def not_served(what: str, hint: str) -> OpenSearchError:
    """Return the error of a part of the query language that this server refuses; `hint` names what to send instead."""
    return illegal_argument(f"[{what[:_MOST_NAME_CHARACTERS]}] is not supported here: {hint}")


def index_not_found(name: str) -> OpenSearchError:
    """Return the error of an index that does not exist for the caller."""
    # The engine's 404 has these members in the cause and in the error.
    members = {"index": name, "resource.id": name, "resource.type": "index_or_alias", "index_uuid": "_na_"}
    return OpenSearchError(HTTPStatus.NOT_FOUND, "index_not_found_exception", f"no such index [{name}]", members)


@contextmanager
def domain_errors(call: "CallContext") -> Generator[None]:
    """Have the errors of use cases raised in the engine's form.

    Raises:
        OpenSearchError: a use case failed.
    """
    try:
        yield
    except DomainError as error:
        raise from_domain_error(call, error) from error


def from_domain_error(call: "CallContext", error: DomainError) -> OpenSearchError:
    """Return the error of a use case; the text of an outage is in the audit record alone."""
    if isinstance(error, InvalidInput):
        return illegal_argument(str(error))
    call.audit_fields["problem"] = audit_text(error)
    if isinstance(error, LimitExceeded):
        status = HTTPStatus.TOO_MANY_REQUESTS
        return OpenSearchError(status, _TYPES[status], _UNAVAILABLE, retry_after_s=error.retry_after_s)
    # Clients send a 503 again three times at once, which a part that is overloaded does not bear.
    if isinstance(error, Unavailable):
        status, wait = HTTPStatus.TOO_MANY_REQUESTS, error.retry_after_s
        return OpenSearchError(status, "circuit_breaking_exception", _UNAVAILABLE, retry_after_s=wait or 1)
    # This system's clients do not repeat a 500.
    return OpenSearchError(HTTPStatus.INTERNAL_SERVER_ERROR, "exception", _FAILED)


def error_body(error: OpenSearchError) -> dict[str, object]:
    """Return an error as JSON; one of shards names the first index, since all fail alike."""
    cause: dict[str, object] = {"type": error.type, "reason": str(error), **error.members}
    if not error.is_of_shards or not error.indexes:
        return {"error": {"root_cause": [cause], **cause}, "status": int(error.status)}
    failed = {"shard": 0, "index": error.indexes[0], "node": NODE_ID, "reason": cause}
    found = {
        "root_cause": [cause],
        "type": "search_phase_execution_exception",
        "reason": "all shards failed",
        "phase": "query",
        "grouped": True,
        "failed_shards": [failed],
        "caused_by": cause,
    }
    return {"error": found, "status": int(error.status)}


def error_response(error: OpenSearchError) -> "HttpResponse":
    """Return the HTTP response of an error."""
    from groundwire_mcp.transport.http import json_response

    retry = {} if error.retry_after_s is None else {"retry-after": str(error.retry_after_s)}
    return json_response(error.status, error_body(error), {"content-type": JSON_TYPE, **retry})


def plain_error_response(status: int, reason: str, headers: Mapping[str, str] | None = None) -> "HttpResponse":
    """Return an error whose member `error` is a text: a wrong method, content type or path."""
    from groundwire_mcp.transport.http import json_response

    return json_response(status, {"error": reason, "status": status}, {"content-type": JSON_TYPE, **(headers or {})})


def refused_response(reply: "ErrorReply", *, takes_basic: bool = False) -> "HttpResponse":
    """Return the response to a call that was refused before this dialect got it.

    Args:
        reply: status and message.
        takes_basic: the route's clients may send the key by HTTP Basic, of which a 401 tells them.
    """
    from groundwire_mcp.transport.http import json_response

    # The engine's own clients repeat 503 at once.
    status = HTTPStatus.TOO_MANY_REQUESTS if reply.status == HTTPStatus.SERVICE_UNAVAILABLE else reply.status
    needs_key = takes_basic and status == HTTPStatus.UNAUTHORIZED
    error = OpenSearchError(status, _TYPES.get(status, "exception"), _KEY_OR_BASIC if needs_key else reply.message)
    headers = {**reply.headers, "content-type": JSON_TYPE}
    if needs_key:
        headers[_CHALLENGE] = ", ".join([_BASIC, *filter(None, [headers.get(_CHALLENGE)])])
    return json_response(status, error_body(error), headers)
