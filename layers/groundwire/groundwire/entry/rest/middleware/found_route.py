"""Route of a dialect that a call is for, and the form of refusals there; nothing of it needs a web framework."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final, NamedTuple

from groundwire.dialects.declaration.dialect import Dialect
from groundwire.dialects.declaration.routes import ErrorReply, RestRoute, covers_path
from groundwire.domain.access.scopes import ROUTE_SCOPES
from groundwire.entry.rest.telemetry import telemetry
from groundwire_mcp.jsonrpc.errors import FORBIDDEN_CODE
from groundwire_mcp.transport.http import HttpRequest, HttpResponse, json_response
from groundwire_mcp.transport.origins import FORBIDDEN_ORIGIN_MESSAGE

FORBIDDEN_ORIGIN: Final = ErrorReply(FORBIDDEN_CODE, FORBIDDEN_CODE, FORBIDDEN_ORIGIN_MESSAGE, {})
_REST_API: Final = "/v1/"
_ERROR_CODES: Final[Mapping[int, str]] = {
    HTTPStatus.UNAUTHORIZED: "unauthenticated",
    HTTPStatus.FORBIDDEN: "denied",
    HTTPStatus.TOO_MANY_REQUESTS: "too_much",
    HTTPStatus.SERVICE_UNAVAILABLE: "unavailable",
    HTTPStatus.INTERNAL_SERVER_ERROR: "failed",
}


class FoundRoute(NamedTuple):
    """A route of a dialect, as a call's path found it."""

    dialect: Dialect
    route: RestRoute


def find_route(dialects: Sequence[Dialect], path: str) -> FoundRoute | None:
    """Return the first REST route of these dialects that has this path, whatever its method."""
    routes = (FoundRoute(dialect, route) for dialect in dialects for route in dialect.rest_routes)
    return next((found for found in routes if covers_path(found.route.path, path)), None)


def has_route(found: FoundRoute | None, path: str) -> bool:
    """Return whether a path is one of a dialect or of the REST API; a route of the gateway may cover others."""
    # The added slash makes `/v1` itself a path of the API.
    return f"{path}/".startswith(_REST_API) if found is None else found.route.serves(path)


def denied_route(found: FoundRoute | None, method: str, path: str) -> str:
    """Return the route of a call without rights, as the tables of routes have it, with nothing that the caller wrote.

    A method or path of the REST API that no route has is `/v1`.
    """
    if found is not None:
        return found.route.path
    routes = (route for route in ROUTE_SCOPES if route.startswith(f"{method} {_REST_API}"))
    return next((route for route in routes if covers_path(route.partition(" ")[2], path)), _REST_API.rstrip("/"))


def refusal(found: FoundRoute | None, reply: ErrorReply, sent: Mapping[str, str]) -> HttpResponse:
    """Return the reply in the dialect's form; in that of the REST API where it has none, or where its form fails.

    Args:
        found: route of the call; None: one of the REST API.
        reply: status and message.
        sent: headers of the call, by lower-case name; without them nothing of the call shows.
    """
    form = None if found is None else found.dialect.error_form
    if found is None or form is None:
        return _rest_refusal(reply)
    try:
        return form(HttpRequest(found.route.method, found.route.path, sent, b""), reply)
    except Exception:  # noqa: BLE001 - whatever a dialect's form does, the call gets its answer and its audit line
        telemetry().exception("an error could not be converted to the form of its dialect")
        return _rest_refusal(reply)


def _rest_refusal(reply: ErrorReply) -> HttpResponse:
    """Return the response to a call that was not admitted, with the status and headers of all interfaces."""
    retry_after = reply.headers.get("retry-after")
    error: dict[str, object] = {
        "code": _ERROR_CODES.get(reply.status, "invalid"),
        "message": reply.message,
        **(reply.data or {}),
    }
    if retry_after is not None:
        error["retry_after_s"] = int(retry_after)
    return json_response(reply.status, {"error": error}, reply.headers)
