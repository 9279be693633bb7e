"""Route `/open/<token>`: the linked document, if the link's principal may read it now."""

import time
from typing import TYPE_CHECKING, Final

from groundwire import wiring
from groundwire.domain.audit.lines import (
    CallingPerson,
    CallLine,
    CallResult,
    LineTime,
    RouteTarget,
    person_facts,
    stored_form,
)
from groundwire.domain.errors import DomainError, NotFound, Unavailable
from groundwire.entry.rest.link_responses import (
    RETRY_SECONDS,
    document_response,
    refused_response,
    unavailable_response,
)
from groundwire.entry.rest.telemetry import telemetry
from groundwire.entry.runtime.telemetry import trace_id
from groundwire.services.documents.link_opener import OriginalContent, OriginalLocation

if TYPE_CHECKING:
    from groundwire.domain.documents.download_link import LinkGrant
    from groundwire.wiring.services import ApiServices
    from groundwire_mcp.transport.http import HttpRequest, HttpResponse

_HEAD: Final = "HEAD"
_TARGET: Final = RouteTarget("/open")


def open_link(token: str, request: "HttpRequest", request_id: str) -> "HttpResponse":
    """Return the document, or a redirect where its store serves it; the gateway drops the body of a response to HEAD.

    Checkers of links and previews of chats ask with HEAD whether a link is alive.

    Args:
        token: the sealed part of the link.
        request: GET or HEAD.
        request_id: the invocation's, for the audit record.
    """
    # No exception may leave this function: the gateway would answer with its own body.
    accept = request.headers.get("accept", "")
    try:
        return _open_and_record(token, accept, request_id, is_head=request.method == _HEAD)
    except DomainError as error:
        # The error's text names folders and settings of this server, so only the operator gets it.
        telemetry().error(str(error))
        return unavailable_response(accept, error.retry_after_s if isinstance(error, Unavailable) else RETRY_SECONDS)
    except Exception:  # noqa: BLE001 - only the operator gets the exception
        telemetry().exception("the opening of a document could not be recorded")
        return unavailable_response(accept)


def _open_and_record(token: str, accept: str, request_id: str, *, is_head: bool) -> "HttpResponse":
    """Open the document and write its audit record; without the record it raises instead of returning the content."""
    started = time.perf_counter()
    services = wiring.admin_services()
    grant, opened, response = _open(services, token, accept, is_head=is_head)
    size = 0 if is_head else len(response.body)
    line = _line(grant, opened, CallResult("opened" if opened else "refused", response.status, size, trace_id()))
    milliseconds = round((time.perf_counter() - started) * 1000, 3)
    line_time = LineTime(services.clock(), request_id, milliseconds)
    record = stored_form(line, line_time)
    services.stores.audit.append(record)
    telemetry().record_call(record)
    return response


def _open(
    services: "ApiServices", token: str, accept: str, *, is_head: bool
) -> "tuple[LinkGrant | None, OriginalContent | OriginalLocation | None, HttpResponse]":
    grant: LinkGrant | None = None
    try:
        grant = services.reading.link_opener.read_grant(token)
        opened = services.reading.link_opener(token)
        if opened is None:
            return grant, None, refused_response(accept)
        return grant, opened, document_response(opened, is_head=is_head)
    except NotFound:
        return grant, None, refused_response(accept)
    except Unavailable as error:
        telemetry().error(str(error))
        return grant, None, unavailable_response(accept, error.retry_after_s)
    except Exception:  # noqa: BLE001 - a failed opening is recorded like any other
        telemetry().exception("the opening of a document failed")
        return grant, None, unavailable_response(accept)


def _line(grant: "LinkGrant | None", opened: OriginalContent | OriginalLocation | None, result: CallResult) -> CallLine:
    """Return the line of an opening: principal, document and result; nothing of the token or the address.

    Key, principal and document are those of a refused opening, too, so that attempts without the right are visible.
    """
    if grant is None:
        return CallLine(target=_TARGET, result=result)
    principal = grant.principal if opened is None else opened.principal
    document = grant.doc_id if opened is None else f"{grant.doc_id}@{opened.document.policy_version}"
    return CallLine(
        tenant=principal.tenant,
        kid=None if grant.origin is None else grant.origin.kid,
        person=CallingPerson(person_facts(principal)),
        target=_TARGET,
        result=result,
        facts={"documents": [document]},
    )
