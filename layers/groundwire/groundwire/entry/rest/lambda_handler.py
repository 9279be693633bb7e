"""Lambda entry point: public routes, routes that need a key, and whatever no other route of the gateway covers.

What needs no web framework is answered without importing one: constants, links, preflights and unknown paths.
"""

import re
from functools import cache, lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import unquote

from groundwire import wiring
from groundwire.domain.errors import DomainError
from groundwire.entry.http.api_gateway_event import http_request, lambda_response
from groundwire.entry.http.event_paths import PREFLIGHT_METHOD, full_path, is_greedy, route_key, with_plain_path
from groundwire.entry.rest.public_routes import public_response
from groundwire.entry.rest.telemetry import telemetry

if TYPE_CHECKING:
    from mangum import Mangum
    from mangum.types import LambdaContext
    from starlette.types import ASGIApp

    from groundwire.dialects.declaration.dialect import Dialect
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.entry.http.api_gateway_event import LambdaResponse
    from groundwire.entry.mcp import InvocationContext
    from groundwire.wiring import ApiServices
    from groundwire_mcp.transport.http import HttpRequest, HttpResponse

_HOST: Final = re.compile(r"[^:]+(:[0-9]{1,5})?")


def handler(event: dict[str, object], context: "InvocationContext") -> "LambdaResponse":
    """Answer one event of API Gateway."""
    if _is_mcp_call(event):
        # The route of an MCP path leads to the mcp function; a slash at the end of the path may lead past that route.
        from groundwire.entry import mcp

        return mcp.handler(event, context)
    request = http_request(event)._replace(path=full_path(event))
    if request.method == PREFLIGHT_METHOD:
        return lambda_response(_preflight_response(request))
    response = public_response(request, context.aws_request_id) or _unknown_path_response(request)
    if response is not None:
        return lambda_response(response)
    answer = _adapter()(_with_readable_host(with_plain_path(event)), cast("LambdaContext", context))
    return cast("LambdaResponse", answer)


def _is_mcp_call(event: dict[str, object]) -> bool:
    """Return whether a route for the rest of a path led a call of an MCP path here."""
    # Every other route of the gateway names its path, so the dialects need not be loaded.
    if not is_greedy(route_key(event)):
        return False
    path = full_path(event)
    return any(dialect.has_mcp_path(path) for dialect in wiring.admin_services().access.known_dialects)


def _preflight_response(request: "HttpRequest") -> "HttpResponse":
    """Return the response to a browser that asks without a key; no audit line, since it learns nothing."""
    from groundwire.entry.rest.middleware.found_route import FORBIDDEN_ORIGIN, find_route, refusal

    try:
        services = wiring.admin_services()
        response = services.agents.allowed_origins.preflight_response(request.headers)
        if response.status != HTTPStatus.FORBIDDEN:
            return response
        headers = {"vary": response.headers["vary"], "cache-control": "no-store"}
        return refusal(
            find_route(services.agents.dialects, request.path), FORBIDDEN_ORIGIN._replace(headers=headers), {}
        )
    except DomainError as error:
        from groundwire.entry.rest.links.link_responses import unavailable_response

        telemetry().error(str(error))
        return unavailable_response()


def _unknown_path_response(request: "HttpRequest") -> "HttpResponse | None":
    """Return the gateway's answer to a path that no route has; None where one has it."""
    from groundwire.entry.rest.middleware.found_route import find_route, has_route
    from groundwire_mcp.transport.http import no_route_response

    try:
        # As the framework's adapter decodes it.
        path = unquote(request.path)
        found = find_route(wiring.admin_services().agents.dialects, path)
    except DomainError:
        # The routes answer it in their form.
        return None
    return None if has_route(found, path) else no_route_response()


def _with_readable_host(event: dict[str, object]) -> dict[str, object]:
    """Return the event without a `Host` that Mangum cannot read; nothing here depends on its value."""
    headers = event.get("headers")
    if not isinstance(headers, dict):
        return event
    kept = {
        name: value
        for name, value in cast("dict[str, str]", headers).items()
        if name.lower() != "host" or _HOST.fullmatch(value)
    }
    return {**event, "headers": kept}


@cache
def _adapter() -> "Mangum":
    # The imports are local, so that what needs no framework does not wait for it. Mangum is created on first use,
    # because it opens an event loop on the creating thread.
    from mangum import Mangum

    from groundwire.entry.rest.middleware.access import AccessMiddleware

    return Mangum(AccessMiddleware(_routes), lifespan="off")


def _routes(services: "ApiServices") -> "ASGIApp":
    return _application(services.agents.dialects, services.agents.dialect_services)


@lru_cache(maxsize=1)
def _application(dialects: "tuple[Dialect, ...]", services: "DialectServices") -> "ASGIApp":
    from groundwire.entry.rest.application import api
    from groundwire.entry.rest.middleware.dialect_routes import add_dialect_routes

    app = api()
    add_dialect_routes(app, dialects, services)
    return app
