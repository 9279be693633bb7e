"""Route `/open/<token>`: the linked document, if the link's principal may read it now."""

import time
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request, Response

from groundwire import wiring
from groundwire.domain.errors import DomainError, NotFound, Unavailable
from groundwire.entry.rest.link_responses import (
    RETRY_SECONDS,
    document_response,
    refused_response,
    unavailable_response,
)
from groundwire.entry.rest.telemetry import telemetry
from groundwire.entry.runtime.audit_identity import principal_fields
from groundwire.entry.runtime.telemetry import trace_id
from groundwire.services.documents.link_opener import OriginalContent, OriginalLocation

if TYPE_CHECKING:
    from groundwire.domain.documents.download_link import LinkGrant
    from groundwire.wiring.admin import AdminServices

_HEAD: Final = "HEAD"

router: Final = APIRouter()


@router.api_route("/open/{token}", methods=["GET", _HEAD])
async def open_link(token: str, request: Request) -> Response:
    """Return the document, or a redirect where its store serves it; the server drops the body of a response to HEAD.

    Checkers of links and previews of chats ask with HEAD whether a link is alive.
    """
    # No exception may leave this function: the framework would answer with its own body.
    accept = request.headers.get("accept", "")
    try:
        return _open_and_record(token, request, accept, time.perf_counter())
    except DomainError as error:
        # The error's text names folders and settings of this server, so only the operator gets it.
        telemetry().error(str(error))
        return unavailable_response(accept, error.retry_after_s if isinstance(error, Unavailable) else RETRY_SECONDS)
    except Exception:  # noqa: BLE001 - only the operator gets the exception
        telemetry().exception("an opening could not be recorded")
        return unavailable_response(accept)


def _open_and_record(token: str, request: Request, accept: str, started: float) -> Response:
    """Open the document and write its audit record; without the record it raises instead of returning the content."""
    services = wiring.admin_services()
    is_head = request.method == _HEAD
    grant, opened, response = _open(services, token, accept, is_head=is_head)
    record = _record(grant, opened, response, started)
    if is_head:
        record["bytes"] = 0
    record["time"] = services.clock()
    record["request_id"] = request.scope["aws.context"].aws_request_id
    services.audit.append(record)
    telemetry().record_call(record)
    return response


def _open(
    services: "AdminServices", token: str, accept: str, *, is_head: bool
) -> "tuple[LinkGrant | None, OriginalContent | OriginalLocation | None, Response]":
    grant: LinkGrant | None = None
    try:
        grant = services.link_opener.read_grant(token)
        opened = services.link_opener(token)
        if opened is None:
            return grant, None, refused_response(accept)
        return grant, opened, document_response(opened, is_head=is_head)
    except NotFound:
        return grant, None, refused_response(accept)
    except Unavailable as error:
        telemetry().error(str(error))
        return grant, None, unavailable_response(accept, error.retry_after_s)
    except Exception:  # noqa: BLE001 - a failed opening is recorded like any other
        telemetry().exception("an opening broke")
        return grant, None, unavailable_response(accept)


def _record(
    grant: "LinkGrant | None", opened: OriginalContent | OriginalLocation | None, response: Response, started: float
) -> dict[str, object]:
    """Return the audit record of an opening: principal, document and result; nothing of the token or the address."""
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
    """Return key, principal and document, also of a refused opening, so that attempts without the right are visible."""
    document = grant.doc_id if opened is None else f"{grant.doc_id}@{opened.document.policy_version}"
    principal = grant.principal if opened is None else opened.principal
    key = {} if grant.origin is None else {"kid": grant.origin.kid}
    return {"tenant": principal.tenant, **key, **principal_fields(principal), "documents": [document]}
