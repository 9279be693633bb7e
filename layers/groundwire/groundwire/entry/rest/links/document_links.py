"""Routes `/o/<code>` and `/open/<token>`: the source of a passage, if the link's principal may read its document now.

A browser gets a page with the facts of the source, then one with the passage, and from both the original. A program,
which asks for no HTML, gets the original at once.
"""

import re
import time
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import parse_qs

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
from groundwire.entry.rest.links.link_responses import (
    FORM_PARAMETER,
    ORIGINAL_FORM,
    PAGE_PARAMETER,
    PICTURE_FORM,
    RETRY_SECONDS,
    original_response,
    picture_response,
    preview_response,
    refused_response,
    unavailable_response,
)
from groundwire.entry.rest.links.source_page_response import source_page_response
from groundwire.entry.rest.telemetry import telemetry
from groundwire.entry.runtime.telemetry import trace_id
from groundwire.services.documents.browse.cited_passage import passage_digits
from groundwire.services.documents.links.source_links import PASSAGE_PARAMETER, SHORT_PATH

if TYPE_CHECKING:
    from groundwire.domain.documents.links import LinkGrant
    from groundwire.services.documents.links.link_opener import AdmittedLink
    from groundwire.wiring.services import ApiServices
    from groundwire_mcp.transport.http import HttpRequest, HttpResponse

_SHORT_ROUTE: Final = SHORT_PATH.rstrip("/")
_PAGE_NUMBER: Final = re.compile(r"[1-9][0-9]{0,5}")
_PREVIEW_AGENT: Final = re.compile(
    r"(?<!cu)bot\b|preview|unfurl|externalhit|crawler|spider|embedly|iframely|whatsapp|viber|vkshare|mastodon"
    r"|rocket\.chat|pagerenderer|slack-imgproxy",
    re.IGNORECASE,
)
"""User agents that make previews of links in chats and mails; CUBOT is a make of phones."""


class _Link(NamedTuple):
    """Route of a link, and the code or the sealed text after it."""

    route: str
    token: str


class _Opening(NamedTuple):
    """Response, with the facts for the audit line."""

    outcome: str
    response: "HttpResponse"
    grant: "LinkGrant | None" = None
    link: "AdmittedLink | None" = None


def open_link(route: str, token: str, request: "HttpRequest", request_id: str) -> "HttpResponse":
    """Return the page of the source, or the original; the gateway drops the body of a response to HEAD.

    Args:
        route: `/o` or `/open`.
        token: the code or the sealed text of the link.
        request: GET or HEAD.
        request_id: the invocation's, for the audit record.
    """
    # No exception may leave this function: the gateway would answer with its own body.
    accept = request.headers.get("accept", "")
    try:
        return _open_and_record(_Link(route, token), request, request_id)
    except DomainError as error:
        # The error's text names folders and settings of this server, so only the operator gets it.
        telemetry().error(str(error))
        return unavailable_response(accept, error.retry_after_s if isinstance(error, Unavailable) else RETRY_SECONDS)
    except Exception:  # noqa: BLE001 - only the operator gets the exception
        telemetry().exception("the opening of a document could not be recorded")
        return unavailable_response(accept)


def _open_and_record(link: _Link, request: "HttpRequest", request_id: str) -> "HttpResponse":
    """Open the document and write its audit record; without the record it raises instead of returning the content."""
    started = time.perf_counter()
    services = wiring.admin_services()
    answer = _open(services, link, request)
    response = answer.response
    size = 0 if request.method == "HEAD" else len(response.body)
    line = _line(RouteTarget(link.route), answer, CallResult(answer.outcome, response.status, size, trace_id()))
    milliseconds = round((time.perf_counter() - started) * 1000, 3)
    line_time = LineTime(services.clock(), request_id, milliseconds)
    record = stored_form(line, line_time)
    services.stores.audit.append(record)
    telemetry().record_call(record)
    return response


def _open(services: "ApiServices", requested: _Link, request: "HttpRequest") -> _Opening:
    accept = request.headers.get("accept", "")
    grant: LinkGrant | None = None
    try:
        grant = _read_grant(services, requested)
        link = services.reading.link_opener.admit(grant)
        answer = None if link is None else _admitted(services, link, request)
        return _Opening("refused", refused_response(accept), grant) if answer is None else answer._replace(grant=grant)
    except NotFound:
        return _Opening("refused", refused_response(accept), grant)
    except Unavailable as error:
        telemetry().error(str(error))
        return _Opening("refused", unavailable_response(accept, error.retry_after_s), grant)
    except Exception:  # noqa: BLE001 - a failed opening is recorded like any other
        telemetry().exception("the opening of a document failed")
        return _Opening("refused", unavailable_response(accept), grant)


def _read_grant(services: "ApiServices", link: _Link) -> "LinkGrant | None":
    reading = services.reading
    return (
        reading.short_links.read(link.token)
        if link.route == _SHORT_ROUTE
        else reading.link_opener.read_grant(link.token)
    )


def _admitted(services: "ApiServices", link: "AdmittedLink", request: "HttpRequest") -> _Opening | None:
    """Return the answer to somebody who may read the document; None where the original, or its page, is withheld."""
    agent, parameters = request.headers.get("user-agent", ""), parse_qs(request.query)
    if request.method == "HEAD" or _PREVIEW_AGENT.search(agent):
        # Its service keeps what it reads, and shows it to everybody in the chat.
        return _Opening("preview", preview_response(), link=link)
    form, is_browser = parameters.get(FORM_PARAMETER), "text/html" in request.headers.get("accept", "").lower()
    if form == [ORIGINAL_FORM] or (link.has_original and not is_browser and form != [PICTURE_FORM]):
        original = services.reading.link_opener.original(link)
        if original is None:
            return None
        return _Opening("opened", original_response(original, request.headers.get("range", "")), link=link)
    if form == [PICTURE_FORM]:
        digits = passage_digits(parameters.get(PASSAGE_PARAMETER, [""])[0])
        named = _PAGE_NUMBER.fullmatch(parameters.get(PAGE_PARAMETER, [""])[0])
        page = services.pictures.marked_pages.read(link, digits, None if named is None else int(named[0]))
        return None if page is None else _Opening("pictured", picture_response(page), link=link)
    outcome, response = source_page_response(services.stores.indexes, link, parameters, is_browser=is_browser)
    return _Opening(outcome, response, link=link)


def _line(target: RouteTarget, answer: _Opening, result: CallResult) -> CallLine:
    """Return the line of an opening: principal, document and result; nothing of the token or the address.

    Key, principal and document are those of a refused opening, too, so that attempts without the right are visible.
    """
    grant, link = answer.grant, answer.link
    if grant is None:
        return CallLine(target=target, result=result)
    principal = grant.principal if link is None else link.principal
    document = grant.doc_id if link is None else f"{grant.doc_id}@{link.document.policy_version}"
    return CallLine(
        tenant=principal.tenant,
        kid=None if grant.origin is None else grant.origin.kid,
        person=CallingPerson(person_facts(principal)),
        target=target,
        result=result,
        facts={"documents": [document]},
    )
