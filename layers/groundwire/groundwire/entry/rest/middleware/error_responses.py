"""What the routes behind a key answer when they do not do what was asked: one form for everything."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final, cast

from fastapi.responses import JSONResponse

from groundwire.domain.error_codes import ROUTE_HINTS, error_to_members
from groundwire.domain.errors import DomainError, InvalidInput, LimitExceeded, NotFound, Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundwire.entry.http.auth_errors import AuthErrorResponse

UNAVAILABLE_MESSAGE: Final = "The service does not answer just now; try again after the stated seconds."
FAILED_MESSAGE: Final = "The service failed; its operator can see why."
UNRECORDED_MESSAGE: Final = "The call could not be recorded just now; try again after the stated seconds."

_ERROR_CODES: Final["Mapping[int, str]"] = {
    HTTPStatus.UNAUTHORIZED: "unauthenticated",
    HTTPStatus.FORBIDDEN: "denied",
    HTTPStatus.TOO_MANY_REQUESTS: "too_much",
    HTTPStatus.SERVICE_UNAVAILABLE: "unavailable",
}
_MAX_ERRORS_SHOWN: Final = 5


def error_response(
    problem: DomainError, status: int | None = None, headers: "Mapping[str, str] | None" = None
) -> JSONResponse:
    """The problem in the API's form; `status` where it is another than its own."""
    later = {"retry-after": str(problem.retry_after_s)} if isinstance(problem, (LimitExceeded, Unavailable)) else {}
    body = {"error": error_to_members(problem, ROUTE_HINTS)}
    return JSONResponse(body, status or problem.http_status, headers={**(headers or {}), **later})


def unavailable_response(message: str = UNAVAILABLE_MESSAGE) -> JSONResponse:
    """A repeat may succeed; the reason is the operator's."""
    return error_response(Unavailable(message))


def failed_response() -> JSONResponse:
    """Something broke."""
    return error_response(DomainError(FAILED_MESSAGE))


def refused_response(call: "AuthErrorResponse") -> JSONResponse:
    """A call that the edge did not admit, with the status and the headers that it has everywhere."""
    later = call.headers.get("retry-after")
    error: dict[str, object] = {"code": _ERROR_CODES.get(call.status, "invalid"), "message": call.message}
    if later is not None:
        error["retry_after_s"] = int(later)
    return JSONResponse({"error": error}, call.status, headers=dict(call.headers))


def unknown_route_response(status: int, headers: "Mapping[str, str] | None") -> JSONResponse:
    """No such route, or not with this method."""
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        return error_response(InvalidInput("The route does not know this method."), status, headers)
    return error_response(NotFound("There is no such route: /v1/openapi.json names them all."), HTTPStatus.NOT_FOUND)


def invalid_request(errors: "Sequence[Mapping[str, object]]") -> InvalidInput:
    """The request does not have the form that the route asks for; says where, and nothing of what was sent."""
    told = "; ".join(
        f"{_location_text(fault.get('loc', ()))}: {fault.get('msg')}" for fault in errors[:_MAX_ERRORS_SHOWN]
    )
    return InvalidInput(f"The request does not fit. {told}.")


def _location_text(location: object) -> str:
    parts = cast("tuple[object, ...]", location) if isinstance(location, tuple) else ()
    return ".".join(str(part) for part in parts) or "request"
