"""`/open/<token>`: the document behind a link, if the person it was made for may read it at this moment."""

import time
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from groundwire import wiring
from groundwire.domain.errors import DomainError, NotFound, Unavailable
from groundwire.entry.rest.telemetry import telemetry
from groundwire.entry.runtime.audit_identity import principal_fields
from groundwire.entry.runtime.telemetry import trace_id
from groundwire.services.documents.link_opener import OriginalContent, OriginalLocation

if TYPE_CHECKING:
    from groundwire.domain.documents.download_link import LinkGrant

REFUSED_MESSAGE: Final = "This link does not open a document you may read. Ask your agent for a fresh link."
"""One text for forged, expired, unknown, forbidden and deleted: the difference is nobody's to know."""
UNAVAILABLE_MESSAGE: Final = "The document cannot be opened just now. Try again in a few seconds."
_RETRY_S: Final = 5

_SECURITY_HEADERS: Final = {
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
        return _open_and_record(token, request, time.perf_counter())
    except DomainError as problem:
        # Its own text names folders and settings of this server: it is for the operator.
        telemetry().error(str(problem))
        return unavailable_response(problem.retry_after_s if isinstance(problem, Unavailable) else _RETRY_S)
    except Exception:  # noqa: BLE001 - said to the operator alone
        telemetry().exception("an opening could not be recorded")
        return unavailable_response()


def unavailable_response(retry_after_s: int = _RETRY_S) -> Response:
    """Whatever the reason, a repeat may succeed."""
    headers = _SECURITY_HEADERS | {"retry-after": str(retry_after_s)}
    return PlainTextResponse(UNAVAILABLE_MESSAGE, Unavailable.http_status, headers=headers)


def _open_and_record(token: str, request: Request, started: float) -> Response:
    """Nobody reads unseen: what could not be recorded raises, and is not given."""
    services = wiring.request_services()
    grant, opened, response = _open(services, token)
    record = _record(grant, opened, response, started)
    record["time"] = services.clock()
    record["request_id"] = request.scope["aws.context"].aws_request_id
    services.audit.append(record)
    telemetry().record_call(record)
    return response


def _open(
    services: wiring.RequestServices, token: str
) -> "tuple[LinkGrant | None, OriginalContent | OriginalLocation | None, Response]":
    grant: LinkGrant | None = None
    try:
        grant = services.link_opener.read_grant(token)
        opened = services.link_opener(token)
        return grant, opened, _refused_response() if opened is None else _document_response(opened)
    except NotFound:
        return grant, None, _refused_response()
    except Unavailable as problem:
        telemetry().error(str(problem))
        return grant, None, unavailable_response(problem.retry_after_s)
    except Exception:  # noqa: BLE001 - an opening that breaks is recorded like every other
        telemetry().exception("an opening broke")
        return grant, None, unavailable_response()


def _refused_response() -> Response:
    return PlainTextResponse(REFUSED_MESSAGE, 404, headers=_SECURITY_HEADERS)


def _document_response(opened: OriginalContent | OriginalLocation) -> Response:
    if isinstance(opened, OriginalLocation):
        return Response(status_code=302, headers=_SECURITY_HEADERS | {"location": opened.url})
    # Bytes without a type: what a browser is never to show needs none.
    disposition = f"attachment; filename*=UTF-8''{quote(opened.document.source_file_name, safe='')}"
    return Response(
        opened.content,
        media_type="application/octet-stream",
        headers=_SECURITY_HEADERS | {"content-disposition": disposition},
    )


def _record(
    grant: "LinkGrant | None", opened: OriginalContent | OriginalLocation | None, response: Response, started: float
) -> dict[str, object]:
    """The audit line of an opening: for whom, which document, how it ended; nothing of the token or the address."""
    return {
        "route": "/open",
        **({} if grant is None else _grant_fields(grant, opened)),
        "outcome": "opened" if opened else "refused",
        "status": response.status_code,
        "bytes": len(response.body),
        "trace": trace_id(),
        "duration_ms": round((time.perf_counter() - started) * 1000, 3),
    }


def _grant_fields(grant: "LinkGrant", opened: OriginalContent | OriginalLocation | None) -> dict[str, object]:
    """A refused opening names its key, person and document, too: who lost a right and tries on can be traced."""
    document = grant.doc_id if opened is None else f"{grant.doc_id}@{opened.document.policy_version}"
    principal = grant.principal if opened is None else opened.principal
    key = {} if grant.origin is None else {"kid": grant.origin.kid}
    return {"tenant": principal.tenant, **key, **principal_fields(principal), "documents": [document]}
