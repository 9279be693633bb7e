"""What the routes behind a key answer when they do not do what was asked: one form for everything."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final, cast

from fastapi.responses import JSONResponse

from groundwire.domain.advice import ROUTES
from groundwire.domain.errors import Invalid, NotFound, Problem, TooMuch, Unavailable
from groundwire.domain.problem_codes import problem_members

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundwire.entry.refusals import RefusedCall

NOT_NOW: Final = "The service does not answer just now; try again after the stated seconds."
FAILED: Final = "The service failed; its operator can see why."
UNRECORDED: Final = "The call could not be recorded just now; try again after the stated seconds."

_REFUSED: Final["Mapping[int, str]"] = {
    HTTPStatus.UNAUTHORIZED: "unauthenticated",
    HTTPStatus.FORBIDDEN: "denied",
    HTTPStatus.TOO_MANY_REQUESTS: "too_much",
    HTTPStatus.SERVICE_UNAVAILABLE: "unavailable",
}
_MOST_FAULTS_SHOWN: Final = 5


def answer(problem: Problem, status: int | None = None, headers: "Mapping[str, str] | None" = None) -> JSONResponse:
    """The problem in the API's form; `status` where it is another than its own."""
    later = {"retry-after": str(problem.retry_after_s)} if isinstance(problem, (TooMuch, Unavailable)) else {}
    body = {"error": problem_members(problem, ROUTES)}
    return JSONResponse(body, status or problem.http_status, headers={**(headers or {}), **later})


def not_now(message: str = NOT_NOW) -> JSONResponse:
    """A repeat may succeed; the reason is the operator's."""
    return answer(Unavailable(message))


def failed() -> JSONResponse:
    """Something broke."""
    return answer(Problem(FAILED))


def refused(call: "RefusedCall") -> JSONResponse:
    """A call that the edge did not admit, with the status and the headers that it has everywhere."""
    later = call.headers.get("retry-after")
    error: dict[str, object] = {"code": _REFUSED.get(call.status, "invalid"), "message": call.message}
    if later is not None:
        error["retry_after_s"] = int(later)
    return JSONResponse({"error": error}, call.status, headers=dict(call.headers))


def unknown_route(status: int, headers: "Mapping[str, str] | None") -> JSONResponse:
    """No such route, or not with this method."""
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        return answer(Invalid("The route does not know this method."), status, headers)
    return answer(NotFound("There is no such route: /v1/openapi.json names them all."), HTTPStatus.NOT_FOUND)


def unfit(faults: "Sequence[Mapping[str, object]]") -> Invalid:
    """The request does not have the form that the route asks for; says where, and nothing of what was sent."""
    told = "; ".join(f"{_place(fault.get('loc', ()))}: {fault.get('msg')}" for fault in faults[:_MOST_FAULTS_SHOWN])
    return Invalid(f"The request does not fit. {told}.")


def _place(location: object) -> str:
    parts = cast("tuple[object, ...]", location) if isinstance(location, tuple) else ()
    return ".".join(str(part) for part in parts) or "request"
