"""REST routes of dialects, as routes of the application: scopes first, then the dialect's own handler."""

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI, Request, Response
from starlette.routing import Route, compile_path

from groundwire.dialects.declaration.routes import ErrorReply, RestRequest
from groundwire.domain.access.scopes import holds_any
from groundwire.domain.errors import DomainError, Unavailable
from groundwire.entry.rest.middleware import error_responses
from groundwire.entry.rest.middleware.context import RestContext, context_of
from groundwire.entry.rest.middleware.found_route import FoundRoute, refusal
from groundwire.entry.rest.telemetry import telemetry
from groundwire_mcp.jsonrpc.errors import FORBIDDEN_CODE, RETRYABLE_CODE
from groundwire_mcp.transport.http import HttpRequest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from groundwire.dialects.declaration.dialect import Dialect
    from groundwire.dialects.declaration.routes import RestHandler
    from groundwire.dialects.declaration.services import DialectServices

_SEPARATED: Final = " or "
_ANY: Final = "ANY"
_REST_OF_GATEWAY: Final = "+}"
_REST_OF_STARLETTE: Final = ":path}"
"""Ends of a parameter for the rest of a path."""


def add_dialect_routes(app: FastAPI, dialects: "Sequence[Dialect]", services: "DialectServices") -> None:
    """The application answers the routes of these dialects, too."""
    for dialect in dialects:
        for route in dialect.rest_routes:
            endpoint = _endpoint(FoundRoute(dialect, route), route.build(services))
            added = Route(_starlette_path(route.path), endpoint, include_in_schema=False)
            # Starlette answers HEAD where there is GET, which no declaration and no audit line would name. Without
            # methods it leaves all of them to the handler, which answers the unknown ones in its system's form.
            added.methods = None if route.method == _ANY else {route.method}
            added.path_regex = _pattern(route.path)
            app.router.routes.append(added)


@cache
def _pattern(path: str) -> re.Pattern[str]:
    """Return the compiled pattern of a route; declarations are few and constant."""
    # Starlette's own pattern of the rest of a path ends at a line end, which `%0A` is.
    return re.compile(compile_path(_starlette_path(path))[0].pattern, re.DOTALL)


def _starlette_path(path: str) -> str:
    return path.replace(_REST_OF_GATEWAY, _REST_OF_STARLETTE)


def _endpoint(found: FoundRoute, handle: "RestHandler") -> "Callable[[Request], Awaitable[Response]]":
    async def answer(request: Request) -> Response:
        context = context_of(request)
        context.route = found.route.key
        message = _missing_right(context, found)
        if message is not None:
            return _refuse(found, ErrorReply(FORBIDDEN_CODE, FORBIDDEN_CODE, message, {}), request)
        parameters = {name: str(value) for name, value in request.path_params.items()}
        call = RestRequest(await _http_request(request), parameters, request.scope["query_string"].decode("latin-1"))
        try:
            return error_responses.to_response(handle(context.call, call))
        except DomainError as error:
            if found.dialect.error_form is None:
                raise
            return _refuse(found, _error_reply(error), request)

    return answer


def _refuse(found: FoundRoute, reply: ErrorReply, request: Request) -> Response:
    return error_responses.to_response(refusal(found, reply, request.headers))


async def _http_request(request: Request) -> HttpRequest:
    """Return the request with the path by which its route was found."""
    headers = {name.lower(): value for name, value in request.headers.items()}
    return HttpRequest(request.method, request.scope["path"], headers, await request.body())


def _error_reply(error: DomainError) -> ErrorReply:
    """Return the reply to an error of a handler, without the text of an outage, which may name folders and settings."""
    if isinstance(error, Unavailable):
        telemetry().error(str(error))
        headers = {"retry-after": str(error.retry_after_s)}
        return ErrorReply(error.http_status, RETRYABLE_CODE, error_responses.UNAVAILABLE_MESSAGE, headers)
    return ErrorReply(error.http_status, error.http_status, str(error), {})


def _missing_right(context: RestContext, found: FoundRoute) -> str | None:
    """Return why the key may not call the route; None where it may."""
    if not context.caller.options.allows_dialect(found.dialect.name):
        return f"Forbidden: this key may not use the dialect `{found.dialect.name}`."
    if holds_any(context.caller.scopes, found.route.scopes):
        return None
    if not found.route.scopes:
        return "No key may use this route."
    return (
        f"This route needs a key with the scope {_SEPARATED.join(sorted(f'`{each}`' for each in found.route.scopes))}."
    )
