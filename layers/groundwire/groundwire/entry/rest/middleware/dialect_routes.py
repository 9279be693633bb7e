"""REST routes of dialects, as routes of the application: scopes first, then the dialect's own handler."""

from typing import TYPE_CHECKING, Final, NamedTuple

from fastapi import FastAPI, Request, Response
from starlette.routing import compile_path

from groundwire.dialects.dialect import Dialect, ErrorReply, RestRequest, RestRoute
from groundwire.domain.access.scopes import holds_any
from groundwire.entry.rest.middleware import error_responses
from groundwire.entry.rest.middleware.context import RestContext, context_of
from groundwire.protocol.jsonrpc.errors import FORBIDDEN_CODE
from groundwire.protocol.transport.http import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from groundwire.dialects.dialect import DialectServices, RestHandler

_SEPARATED: Final = " or "


def add_dialect_routes(app: FastAPI, dialects: "Sequence[Dialect]", services: "DialectServices") -> None:
    """The application answers the routes of these dialects, too."""
    for dialect in dialects:
        for route in dialect.rest_routes:
            endpoint = _endpoint(dialect, route, route.build(services))
            app.add_route(route.path, endpoint, methods=[route.method], include_in_schema=False)


class FoundRoute(NamedTuple):
    """A route of a dialect, as a call's path found it."""

    dialect: Dialect
    route: RestRoute


def find_route(dialects: "Sequence[Dialect]", path: str) -> FoundRoute | None:
    """Return the first REST route of these dialects that has this path, whatever its method."""
    routes = (FoundRoute(dialect, route) for dialect in dialects for route in dialect.rest_routes)
    return next((found for found in routes if compile_path(found.route.path)[0].match(path)), None)


def dialect_error_response(found: FoundRoute, reply: ErrorReply) -> Response:
    """Return the reply in the dialect's form, or in that of the REST API where it has none."""
    form = found.dialect.error_form
    if form is None:
        return error_responses.refused_response(reply)
    return _to_response(form(HttpRequest(found.route.method, found.route.path, {}, b""), reply))


def _endpoint(dialect: Dialect, route: RestRoute, handle: "RestHandler") -> "Callable[[Request], Awaitable[Response]]":
    async def answer(request: Request) -> Response:
        context = context_of(request)
        context.route = route.key
        message = _missing_right(context, dialect, route)
        if message is not None:
            reply = ErrorReply(FORBIDDEN_CODE, FORBIDDEN_CODE, message, {})
            return dialect_error_response(FoundRoute(dialect, route), reply)
        headers = {name.lower(): value for name, value in request.headers.items()}
        http = HttpRequest(request.method, request.url.path, headers, await request.body())
        parameters = {name: str(value) for name, value in request.path_params.items()}
        return _to_response(handle(context.call, RestRequest(http, parameters, request.url.query)))

    return answer


def _missing_right(context: RestContext, dialect: Dialect, route: RestRoute) -> str | None:
    """Return why the key may not call the route; None where it may."""
    if not context.caller.allows_dialect(dialect.name):
        return f"Forbidden: this key may not use the dialect `{dialect.name}`."
    if holds_any(context.caller.scopes, route.scopes):
        return None
    return f"This needs a key with the scope {_SEPARATED.join(sorted(f'`{each}`' for each in route.scopes))}."


def _to_response(response: HttpResponse) -> Response:
    return Response(response.body, response.status, dict(response.headers))
