"""`/open/<token>`: the document behind a link, if the person it was made for may read it at this moment."""

import time
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from groundwire import wiring
from groundwire.domain.errors import NotFound, Problem, Unavailable
from groundwire.entry.audit_record import who
from groundwire.entry.rest.telling import telemetry
from groundwire.entry.telemetry import trace_id
from groundwire.services.open_document import Opened, Placed

if TYPE_CHECKING:
    from groundwire.domain.link_grant import LinkGrant

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

router: Final = APIRouter()


@router.get("/open/{token}")
async def open_link(token: str, request: Request) -> Response:
    """The document as an attachment, or the way to it, where its store hands it out itself."""
    # Nothing may leave as an exception: the framework would answer it with a body of its own.
    try:
        return _recorded(token, request, time.perf_counter())
    except Problem as problem:
        # Its own text names folders and settings of this server: it is for the operator.
        telemetry().problem(str(problem))
        return not_now(problem.retry_after_s if isinstance(problem, Unavailable) else _RETRY_S)
    except Exception:  # noqa: BLE001 - said to the operator alone
        telemetry().failure("an opening could not be recorded")
        return not_now()


def not_now(retry_after_s: int = _RETRY_S) -> Response:
    """Whatever the reason, a repeat may succeed."""
    headers = _GUARDS | {"retry-after": str(retry_after_s)}
    return PlainTextResponse(NOT_NOW, Unavailable.http_status, headers=headers)


def _recorded(token: str, request: Request, started: float) -> Response:
    """Nobody reads unseen: what could not be recorded raises, and is not given."""
    services = wiring.calls()
    grant, opened, response = _open(services, token)
    record = _record(grant, opened, response, started)
    record["time"] = services.clock()
    record["request_id"] = request.scope["aws.context"].aws_request_id
    services.audit.append(record)
    telemetry().call(record)
    return response


def _open(services: wiring.CallServices, token: str) -> "tuple[LinkGrant | None, Opened | Placed | None, Response]":
    grant: LinkGrant | None = None
    try:
        grant = services.open_document.grant(token)
        opened = services.open_document(token)
        return grant, opened, _refused() if opened is None else _shown(opened)
    except NotFound:
        return grant, None, _refused()
    except Unavailable as problem:
        telemetry().problem(str(problem))
        return grant, None, not_now(problem.retry_after_s)
    except Exception:  # noqa: BLE001 - an opening that breaks is recorded like every other
        telemetry().failure("an opening broke")
        return grant, None, not_now()


def _refused() -> Response:
    return PlainTextResponse(REFUSAL, 404, headers=_GUARDS)


def _shown(opened: Opened | Placed) -> Response:
    if isinstance(opened, Placed):
        return Response(status_code=302, headers=_GUARDS | {"location": opened.address})
    # Bytes without a type: what a browser is never to show needs none.
    disposition = f"attachment; filename*=UTF-8''{quote(opened.document.source_file_name, safe='')}"
    return Response(
        opened.content, media_type="application/octet-stream", headers=_GUARDS | {"content-disposition": disposition}
    )


def _record(
    grant: "LinkGrant | None", opened: Opened | Placed | None, response: Response, started: float
) -> dict[str, object]:
    """The audit line of an opening: for whom, which document, how it ended; nothing of the token or the address."""
    return {
        "route": "/open",
        **({} if grant is None else _asked(grant, opened)),
        "outcome": "opened" if opened else "refused",
        "status": response.status_code,
        "bytes": len(response.body),
        "trace": trace_id(),
        "duration_ms": round((time.perf_counter() - started) * 1000, 3),
    }


def _asked(grant: "LinkGrant", opened: Opened | Placed | None) -> dict[str, object]:
    """A refused opening names its key, person and document, too: who lost a right and tries on can be traced."""
    document = grant.doc_id if opened is None else f"{grant.doc_id}@{opened.document.policy_version}"
    principal = grant.principal if opened is None else opened.principal
    key = {} if grant.origin is None else {"kid": grant.origin.kid}
    return {"tenant": principal.tenant, **key, **who(principal), "documents": [document]}
