"""Routes without a key: server information, health check, document links, the page. None needs a web framework."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from groundwire import __version__, wiring
from groundwire.domain.errors import DomainError
from groundwire.entry.console.paths import ROOT, SIGN_IN_PREFIX, is_for_page
from groundwire.entry.http.oauth_metadata import RESOURCE_PATH, WELL_KNOWN_PATH, ProtectedResource
from groundwire.entry.http.server_card import (
    CARD_MEDIA_TYPE,
    CARD_PATH,
    CATALOG_MEDIA_TYPE,
    CATALOG_PATH,
    PUBLIC_HEADERS,
    build_card,
    build_catalog,
    front_page,
)
from groundwire.entry.rest.telemetry import telemetry
from groundwire_mcp.transport.http import HttpRequest, HttpResponse, json_response, no_route_response

if TYPE_CHECKING:
    from groundwire.settings.environment import Settings

SPECIFICATION: Final = "/v1/openapi.json"
DIALECTS_QUERY: Final = "part=dialects"
"""Query for the operations of dialects: a document of their own."""

_LINKS: Final = re.compile(r"(/open|/o)/([^/]+)")
"""Routes of links, each with the token of a link."""
_TEXT_TYPE: Final = "text/plain; charset=utf-8"
# Sign-in within a browser reads this metadata, which is public, from a page of another origin.
_ANY_PAGE: Final = {"access-control-allow-origin": "*"}


def public_response(request: HttpRequest, request_id: str) -> HttpResponse | None:
    """Return the response of a public route; None where the call is to a route that needs a key, or to none.

    Args:
        request: with the plain path.
        request_id: the invocation's, for the audit record.
    """
    link = _LINKS.fullmatch(request.path)
    if link is not None and request.method in {"GET", "HEAD"}:
        # Not before: the other routes open no document.
        from groundwire.entry.rest.links.document_links import open_link

        return open_link(link[1], link[2], request, request_id)
    if is_for_page(request):
        # Not before: other routes give no file.
        from groundwire.entry.console.responses import page_response

        return _settings_response(
            lambda settings: page_response(request, settings.public_url, signs_in=settings.signs_in_to_page)
        )
    return _get_response(request, request_id) if request.method == "GET" else None


def _get_response(request: HttpRequest, request_id: str) -> HttpResponse | None:
    if request.path.startswith(SIGN_IN_PREFIX):
        # Not before: it loads the verification of tokens.
        from groundwire.entry.rest.provider_sign_in import provider_sign_in_response

        return provider_sign_in_response(request, request_id)
    if request.path == "/health":
        # It uses no store and no setting, so a call is cheap and reveals nothing else.
        return json_response(200, {"status": "ok", "version": __version__})
    if request.path == SPECIFICATION:
        return _settings_response(lambda settings: _specification(request, settings))
    build = _ROUTES.get(request.path)
    return None if build is None else _settings_response(build)


def _settings_response(build: "Callable[[Settings], HttpResponse]") -> HttpResponse:
    try:
        return build(wiring.admin_services().settings)
    except DomainError as error:
        from groundwire.entry.rest.links.link_responses import unavailable_response

        telemetry().error(str(error))
        return unavailable_response()


def _front(settings: "Settings") -> HttpResponse:
    headers = {"content-type": _TEXT_TYPE, "vary": "accept", **PUBLIC_HEADERS}
    return HttpResponse(200, headers, front_page(settings).encode())


def _sign_in_metadata(settings: "Settings") -> HttpResponse:
    """Return the protected resource metadata; 404 where only keys are accepted."""
    sign_in = ProtectedResource.from_settings(settings)
    if sign_in is None:
        missing = no_route_response()
        return missing._replace(headers={**missing.headers, **_ANY_PAGE})
    return json_response(200, sign_in.metadata(), {**_ANY_PAGE, "cache-control": "public, max-age=300"})


def _card(settings: "Settings") -> HttpResponse:
    return json_response(200, build_card(settings), {**PUBLIC_HEADERS, "content-type": CARD_MEDIA_TYPE})


def _catalog(settings: "Settings") -> HttpResponse:
    """Return the catalog with the server card's address, for clients that know only the host."""
    return json_response(200, build_catalog(settings), {**PUBLIC_HEADERS, "content-type": CATALOG_MEDIA_TYPE})


def _specification(request: HttpRequest, settings: "Settings") -> HttpResponse:
    """Return the OpenAPI document of the routes that need a key: of the REST API, or of the dialects."""
    # The import is local, so that other routes do not wait for the models of all requests.
    from groundwire.entry.rest.openapi.document import dialects_document, openapi_document

    if request.query == DIALECTS_QUERY:
        document = dialects_document(settings.public_url, wiring.admin_services().agents.dialects)
    else:
        document = openapi_document(settings.public_url)
    return json_response(200, document, PUBLIC_HEADERS)


_ROUTES: Final[Mapping[str, Callable[["Settings"], HttpResponse]]] = {
    ROOT: _front,
    WELL_KNOWN_PATH: _sign_in_metadata,
    f"{WELL_KNOWN_PATH}{RESOURCE_PATH}": _sign_in_metadata,
    CARD_PATH: _card,
    CATALOG_PATH: _catalog,
}
"""Responses by path. Clients use both paths of the metadata."""
