"""Routes that need no key: pages that say what this is, the sign of life, links to documents."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from groundwire import __version__, wiring
from groundwire.domain.errors import Problem
from groundwire.entry.rest.opening import not_now, router
from groundwire.entry.rest.telling import telemetry
from groundwire.entry.server_card import CARD, CARD_TYPE, CATALOG, CATALOG_TYPE, HEADERS, card, catalog, front_page
from groundwire.entry.sign_in import RESOURCE, WELL_KNOWN, SignIn

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.settings import Settings

SPECIFICATION: Final = "/v1/openapi.json"

app: Final = FastAPI(title="Groundwire", version=__version__, docs_url=None, redoc_url=None, openapi_url=None)
app.include_router(router)


@app.get("/")
async def front() -> Response:
    """The website that the server names as its own."""
    return _told(lambda settings: PlainTextResponse(front_page(settings), headers=HEADERS))


@app.get("/health")
async def health() -> dict[str, str]:
    """Alive, and which version; touches nothing, so that asking costs nothing and tells nothing."""
    return {"status": "ok", "version": __version__}


@app.get(WELL_KNOWN)
@app.get(f"{WELL_KNOWN}{RESOURCE}")
async def protected_resource() -> Response:
    """Where people sign in, at both places where clients look; 404 where only keys are accepted."""
    return _told(_sign_in)


@app.get(CARD)
async def server_card() -> Response:
    """How to reach this server, for clients and catalogs that have no key yet."""
    return _told(lambda settings: JSONResponse(card(settings), headers=HEADERS, media_type=CARD_TYPE))


@app.get(CATALOG)
async def ai_catalog() -> Response:
    """Where the card is, for whoever knows the host alone."""
    return _told(lambda settings: JSONResponse(catalog(settings), headers=HEADERS, media_type=CATALOG_TYPE))


@app.get(SPECIFICATION)
async def specification() -> Response:
    """The routes behind a key, as OpenAPI."""
    # Late: nobody else waits for the models of all requests.
    from groundwire.entry.rest.specification import specification

    return _told(lambda settings: JSONResponse(specification(settings.public_url), headers=HEADERS))


def _told(answer: "Callable[[Settings], Response]") -> Response:
    try:
        return answer(wiring.calls().settings)
    except Problem as problem:
        telemetry().problem(str(problem))
        return not_now()


def _sign_in(settings: "Settings") -> Response:
    sign_in = SignIn.of(settings)
    if sign_in is None:
        return JSONResponse({"message": "Not Found"}, HTTPStatus.NOT_FOUND)
    return JSONResponse(sign_in.metadata(), headers={"cache-control": "public, max-age=300"})
