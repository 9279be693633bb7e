"""Lambda entry point: public routes, and routes that need a key."""

import re
from functools import cache, lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, cast

from fastapi import Response
from mangum import Mangum
from starlette.datastructures import Headers

from groundwire import wiring
from groundwire.domain.errors import DomainError
from groundwire.entry.http.authorizer_context import has_context
from groundwire.entry.rest.document_links import unavailable_response
from groundwire.entry.rest.public_routes import SPECIFICATION, app
from groundwire.entry.rest.telemetry import telemetry

if TYPE_CHECKING:
    from mangum.types import LambdaContext
    from starlette.types import ASGIApp, Receive, Scope, Send

    from groundwire.dialects.declaration.dialect import Dialect
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.entry.rest.middleware.access import AccessMiddleware
    from groundwire.wiring import AdminServices

AUTHENTICATED_PREFIX: Final = "/v1"
_HOST: Final = re.compile(r"[^:]+(:[0-9]{1,5})?")


def handler(event: dict[str, object], context: object) -> object:
    """Answer one event of API Gateway."""
    return _adapter()(_with_readable_host(event), cast("LambdaContext", context))


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


async def asgi_application(scope: "Scope", receive: "Receive", send: "Send") -> None:
    """Handle one call; paths under `/v1` need a key, except the OpenAPI document.

    So does each route for which the gateway asked the authorizer: the routes of dialects.
    """
    path, method = str(scope["path"]), str(scope["method"])
    if method == "OPTIONS":
        await _preflight_response(scope)(scope, receive, send)
        return
    needs_key = f"{path}/".startswith(f"{AUTHENTICATED_PREFIX}/") and (method, path) != ("GET", SPECIFICATION)
    needs_key = needs_key or has_context(scope["aws.event"])
    await (_authenticated_application() if needs_key else app)(scope, receive, send)


def _preflight_response(scope: "Scope") -> Response:
    """Return the response to a browser that asks without a key; no audit line, since it learns nothing."""
    headers = {name.lower(): value for name, value in Headers(scope=scope).items()}
    try:
        services = wiring.admin_services()
        response = services.allowed_origins.preflight_response(headers)
    except DomainError as error:
        telemetry().error(str(error))
        return unavailable_response()
    if response.status == HTTPStatus.FORBIDDEN:
        from groundwire.entry.rest.middleware.access import refused_origin_response

        return refused_origin_response(services, str(scope["path"]), {"vary": response.headers["vary"]})
    return Response(response.body, response.status, headers=dict(response.headers))


@cache
def _adapter() -> Mangum:
    # Mangum is created on first use, because it opens an event loop on the creating thread.
    return Mangum(asgi_application, lifespan="off")


@cache
def _authenticated_application() -> "AccessMiddleware":
    # The import is local, so that a document link does not wait for the models of all requests.
    from groundwire.entry.rest.middleware.access import AccessMiddleware

    return AccessMiddleware(_routes)


def _routes(services: "AdminServices") -> "ASGIApp":
    return _application(services.dialects, services.dialect_services)


@lru_cache(maxsize=1)
def _application(dialects: "tuple[Dialect, ...]", services: "DialectServices") -> "ASGIApp":
    from groundwire.entry.rest.application import api
    from groundwire.entry.rest.middleware.dialect_routes import add_dialect_routes

    app = api()
    add_dialect_routes(app, dialects, services)
    return app
