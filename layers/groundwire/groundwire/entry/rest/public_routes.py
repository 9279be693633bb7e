"""Routes without a key: server information, health check, document links."""

from typing import TYPE_CHECKING, Final

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from groundwire import __version__, wiring
from groundwire.domain.errors import DomainError
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
from groundwire.entry.rest.document_links import router
from groundwire.entry.rest.link_responses import unavailable_response
from groundwire.entry.rest.telemetry import telemetry

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.settings.environment import Settings

SPECIFICATION: Final = "/v1/openapi.json"

_ANY_PAGE: Final = {"access-control-allow-origin": "*"}

app: Final = FastAPI(title="Groundwire", version=__version__, docs_url=None, redoc_url=None, openapi_url=None)
app.include_router(router)


@app.get("/")
async def front() -> Response:
    """Return the front page of the server."""
    return _settings_response(lambda settings: PlainTextResponse(front_page(settings), headers=PUBLIC_HEADERS))


@app.get("/health")
async def health() -> dict[str, str]:
    """Return the status and version; it uses no store, so a call is cheap and reveals nothing else."""
    return {"status": "ok", "version": __version__}


@app.get(WELL_KNOWN_PATH)
@app.get(f"{WELL_KNOWN_PATH}{RESOURCE_PATH}")
async def protected_resource() -> Response:
    """Return the protected resource metadata, at both paths that clients use; 404 where only keys are accepted."""
    return _settings_response(_sign_in_metadata)


@app.get(CARD_PATH)
async def server_card() -> Response:
    """Return the server card, for clients and catalogs without a key."""
    return _settings_response(
        lambda settings: JSONResponse(build_card(settings), headers=PUBLIC_HEADERS, media_type=CARD_MEDIA_TYPE)
    )


@app.get(CATALOG_PATH)
async def ai_catalog() -> Response:
    """Return the catalog with the server card's address, for clients that know only the host."""
    return _settings_response(
        lambda settings: JSONResponse(build_catalog(settings), headers=PUBLIC_HEADERS, media_type=CATALOG_MEDIA_TYPE)
    )


@app.get(SPECIFICATION)
async def specification() -> Response:
    """Return the OpenAPI document of the routes that need a key."""
    # The import is local, so that other routes do not wait for the models of all requests.
    from groundwire.entry.rest.openapi import openapi_document

    def build(settings: "Settings") -> Response:
        document = openapi_document(settings.public_url, wiring.admin_services().dialects)
        return JSONResponse(document, headers=PUBLIC_HEADERS)

    return _settings_response(build)


def _settings_response(build_response: "Callable[[Settings], Response]") -> Response:
    try:
        return build_response(wiring.admin_services().settings)
    except DomainError as error:
        telemetry().error(str(error))
        return unavailable_response()


def _sign_in_metadata(settings: "Settings") -> Response:
    sign_in = ProtectedResource.from_settings(settings)
    if sign_in is None:
        # Not before: public routes need nothing of the protocol.
        from groundwire.entry.rest.middleware.error_responses import to_response
        from groundwire.protocol.transport.http import no_route_response

        missing = no_route_response()
        return to_response(missing._replace(headers={**missing.headers, **_ANY_PAGE}))
    return JSONResponse(sign_in.metadata(), headers={**_ANY_PAGE, "cache-control": "public, max-age=300"})
