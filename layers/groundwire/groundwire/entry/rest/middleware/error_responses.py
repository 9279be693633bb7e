"""Error responses of the routes that need a key, all in one format."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final, cast

from fastapi import Response
from fastapi.responses import JSONResponse

from groundwire.dialects.declaration.routes import ErrorReply
from groundwire.domain.error_codes import ROUTE_HINTS, error_to_members
from groundwire.domain.errors import DomainError, InvalidInput, LimitExceeded, NotFound, Unavailable
from groundwire_mcp.jsonrpc.errors import ERROR_CODES, RETRYABLE_CODE, ResultCode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundwire_mcp.transport.http import HttpResponse

UNAVAILABLE_MESSAGE: Final = "A part of the service does not answer. Try again after the stated seconds."
FAILED_MESSAGE: Final = "The service failed. Its operator can find the cause in the log."
UNRECORDED_MESSAGE: Final = "The call could not be recorded in the audit log. Try again after the stated seconds."
UNRECORDED: Final = ErrorReply(
    Unavailable.http_status, RETRYABLE_CODE, UNRECORDED_MESSAGE, {"retry-after": str(Unavailable("").retry_after_s)}
)
FAILED: Final = ErrorReply(
    HTTPStatus.INTERNAL_SERVER_ERROR, ERROR_CODES[ResultCode.INTERNAL_ERROR][0], FAILED_MESSAGE, {}
)

_MAX_ERRORS_SHOWN: Final = 5


def error_response(
    error: DomainError, status: int | None = None, headers: "Mapping[str, str] | None" = None
) -> JSONResponse:
    """Return the error in the API's format; `status` overrides the error's own."""
    retry_headers = {"retry-after": str(error.retry_after_s)} if isinstance(error, (LimitExceeded, Unavailable)) else {}
    body = {"error": error_to_members(error, ROUTE_HINTS)}
    return JSONResponse(body, status or error.http_status, headers={**(headers or {}), **retry_headers})


def unavailable_response(message: str = UNAVAILABLE_MESSAGE) -> JSONResponse:
    """Return the response for a failure after which a repeat may succeed; the operator's log has the reason."""
    return error_response(Unavailable(message))


def failed_response() -> JSONResponse:
    """Return the response for an internal error."""
    return error_response(DomainError(FAILED_MESSAGE))


def unknown_route_response(status: int, headers: "Mapping[str, str] | None") -> JSONResponse:
    """Return the response for an unknown route, or for a method that the route does not have."""
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        return error_response(InvalidInput("The route does not support this method."), status, headers)
    return error_response(NotFound("There is no such route. /v1/openapi.json lists the routes."), HTTPStatus.NOT_FOUND)


def invalid_request(errors: "Sequence[Mapping[str, object]]") -> InvalidInput:
    """Return the error for a request that does not fit the route's model: the locations, without the sent values."""
    details = "; ".join(
        f"{_location_text(each.get('loc', ()))}: {each.get('msg')}" for each in errors[:_MAX_ERRORS_SHOWN]
    )
    return InvalidInput(f"The request is not valid. {details}.")


def _location_text(location: object) -> str:
    parts = cast("tuple[object, ...]", location) if isinstance(location, tuple) else ()
    return ".".join(str(part) for part in parts) or "request"


def to_response(response: "HttpResponse") -> Response:
    """Return a buffered response as one of this framework."""
    return Response(response.body, response.status, dict(response.headers))
