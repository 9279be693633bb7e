"""The api function: FastAPI behind Mangum, for people and monitors; the MCP path never imports it.

The routes are coroutines that do blocking work: a call has its event loop to itself, in Lambda as behind the
local gateway, and a thread pool would cost more than it saves.
"""

import time
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from mangum import Mangum

from groundwire import __version__, wiring
from groundwire.domain.errors import NotFound, Problem, Unavailable
from groundwire.domain.link_grant import LinkGrant
from groundwire.entry.audit_record import who
from groundwire.entry.server_card import CARD, CARD_TYPE, CATALOG, CATALOG_TYPE, HEADERS, card, catalog, front_page
from groundwire.entry.sign_in import RESOURCE, WELL_KNOWN, SignIn
from groundwire.entry.telemetry import Telemetry, trace_id
from groundwire.services.open_document import Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from mangum.types import LambdaContext

    from groundwire.settings import Settings

REFUSAL: Final = "This link does not open a document you may read. Ask your agent for a fresh link."
"""One text for forged, expired, unknown, forbidden and deleted: the difference is nobody's to know."""
NOT_NOW: Final = "The document cannot be opened just now. Try again in a few seconds."
_RETRY_S: Final = 5

_GUARDS: Final = {
    "cache-control": "no-store",
    "content-security-policy": "sandbox",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""The address holds a credential and the content is a stranger's: kept nowhere, run nowhere, told to nobody."""

app: Final = FastAPI(title="Groundwire", version=__version__, docs_url=None, redoc_url=None, openapi_url=None)


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
    try:
        sign_in = SignIn.of(wiring.calls().settings)
    except Problem as problem:
        _telemetry().problem(str(problem))
        return _not_now(_RETRY_S)
    if sign_in is None:
        return JSONResponse({"message": "Not Found"}, HTTPStatus.NOT_FOUND)
    return JSONResponse(sign_in.metadata(), headers={"cache-control": "public, max-age=300"})


@app.get(CARD)
async def server_card() -> Response:
    """How to reach this server, for clients and catalogs that have no key yet."""
    return _told(lambda settings: JSONResponse(card(settings), headers=HEADERS, media_type=CARD_TYPE))


@app.get(CATALOG)
async def ai_catalog() -> Response:
    """Where the card is, for whoever knows the host alone."""
    return _told(lambda settings: JSONResponse(catalog(settings), headers=HEADERS, media_type=CATALOG_TYPE))


@app.get("/open/{token}")
async def open_link(token: str, request: Request) -> Response:
    """The document behind a link, if the person it was made for may read it at this moment."""
    # Nothing may leave as an exception: the framework would answer it with a body of its own.
    try:
        return _recorded(token, request, time.perf_counter())
    except Problem as problem:
        # Its own text names folders and settings of this server: it is for the operator.
        _telemetry().problem(str(problem))
        return _not_now(problem.retry_after_s if isinstance(problem, Unavailable) else _RETRY_S)
    except Exception:  # noqa: BLE001 - said to the operator alone
        _telemetry().failure("an opening could not be recorded")
        return _not_now(_RETRY_S)


def _told(answer: "Callable[[Settings], Response]") -> Response:
    try:
        return answer(wiring.calls().settings)
    except Problem as problem:
        _telemetry().problem(str(problem))
        return _not_now(_RETRY_S)


def handler(event: dict[str, object], context: object) -> object:
    """The Lambda entry point."""
    return _adapter()(event, cast("LambdaContext", context))


@cache
def _adapter() -> Mangum:
    # Late, because making one opens an event loop on the thread that does it.
    return Mangum(app, lifespan="off")


def _recorded(token: str, request: Request, started: float) -> Response:
    """Nobody reads unseen: what could not be recorded raises, and is not given."""
    services = wiring.calls()
    grant, opened, response = _open(services, token)
    record = _record(grant, opened, response, started)
    record["time"] = services.clock()
    record["request_id"] = request.scope["aws.context"].aws_request_id
    services.audit.append(record)
    _telemetry().call(record)
    return response


def _open(services: wiring.CallServices, token: str) -> tuple[LinkGrant | None, Opened | None, Response]:
    grant: LinkGrant | None = None
    try:
        grant = services.open_document.grant(token)
        opened = services.open_document(token)
        return grant, opened, _refused() if opened is None else _shown(opened)
    except NotFound:
        return grant, None, _refused()
    except Unavailable as problem:
        _telemetry().problem(str(problem))
        return grant, None, _not_now(problem.retry_after_s)
    except Exception:  # noqa: BLE001 - an opening that breaks is recorded like every other
        _telemetry().failure("an opening broke")
        return grant, None, _not_now(_RETRY_S)


def _not_now(retry_after_s: int) -> Response:
    headers = _GUARDS | {"retry-after": str(retry_after_s)}
    return PlainTextResponse(NOT_NOW, Unavailable.http_status, headers=headers)


def _refused() -> Response:
    return PlainTextResponse(REFUSAL, 404, headers=_GUARDS)


def _shown(opened: Opened) -> Response:
    # Bytes without a type: what a browser is never to show needs none.
    disposition = f"attachment; filename*=UTF-8''{quote(opened.file_name, safe='')}"
    return Response(
        opened.content, media_type="application/octet-stream", headers=_GUARDS | {"content-disposition": disposition}
    )


def _record(grant: LinkGrant | None, opened: Opened | None, response: Response, started: float) -> dict[str, object]:
    """The audit line of an opening: for whom, which document, how it ended; nothing of the token."""
    return {
        "route": "/open",
        **({} if grant is None else _asked(grant, opened)),
        "outcome": "opened" if opened else "refused",
        "status": response.status_code,
        "bytes": len(response.body),
        "trace": trace_id(),
        "duration_ms": round((time.perf_counter() - started) * 1000, 3),
    }


def _asked(grant: LinkGrant, opened: Opened | None) -> dict[str, object]:
    """A refused opening names its person and document, too: who lost a right and tries on can be traced."""
    document = grant.doc_id if opened is None else f"{grant.doc_id}@{opened.document.policy_version}"
    return {"tenant": grant.principal.tenant, **who(grant.principal), "documents": [document]}


@cache
def _telemetry() -> Telemetry:
    return Telemetry("api")
