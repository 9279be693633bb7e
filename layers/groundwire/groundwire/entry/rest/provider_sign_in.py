"""Sign-in to the page by the identity provider: the link that starts it, and the address to which the provider returns.

Both lead back to the page. A failure is one of a few words behind the number sign, which the page turns into its own
sentence: nothing of a request or of the provider's answer is shown.
"""

import re
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlsplit

from groundwire import wiring
from groundwire.domain.audit.lines import CallingPerson, CallLine, CallResult, LineTime, RouteTarget, stored_form
from groundwire.domain.errors import DomainError
from groundwire.domain.keys.auth_decision import AuthReason, AuthStatus
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.keys.forms.provider_session import REDIRECT_PATH
from groundwire.entry.console.paths import CONSOLE, SIGN_IN
from groundwire.entry.http.page_cookie import attempt_cookie, set_attempt_cookie, set_cookie
from groundwire.entry.rest.telemetry import telemetry
from groundwire.entry.runtime.telemetry import trace_id
from groundwire_mcp.transport.http import HttpResponse, no_route_response

if TYPE_CHECKING:
    from groundwire.domain.keys.auth_decision import AuthDecision
    from groundwire.services.keys.sign_in.code_flow import CodeFlow, CompletedSignIn
    from groundwire.wiring.services import ApiServices
    from groundwire_mcp.transport.http import HttpRequest

SCREEN_PARAMETER: Final = "screen"
_SCREEN: Final = re.compile(r"[-0-9A-Za-z%._~/]{1,300}")
"""Form of a part of the page: it comes after `#/`, so it can be no other address."""
_FAILURE: Final = "#sign-in="
_UNAVAILABLE: Final = "unavailable"
_OTHER_ADDRESS: Final = "other_address"
_WORDS: Final = {
    AuthReason.SIGN_IN_NOT_STARTED: "not_started",
    AuthReason.SIGN_IN_REFUSED: "refused",
}
_STATUS_WORDS: Final = {AuthStatus.OVER_LIMIT: "over_limit", AuthStatus.UNAVAILABLE: _UNAVAILABLE}
# A blocked user and one without a key get the same word, as in every answer of the server.
_NOT_ADMITTED: Final = "not_admitted"
_HEADERS: Final = {
    "cache-control": "no-store",
    # The address of the provider's answer holds its code.
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex",
}
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def provider_sign_in_response(request: "HttpRequest", request_id: str) -> HttpResponse:
    """Return the redirect to the provider or back to the page; 404 where nobody signs in by a provider.

    Args:
        request: a GET below `/console/sign`.
        request_id: the invocation's, for the audit record.
    """
    # No exception may leave this function: the gateway would answer with its own body.
    try:
        services = wiring.admin_services()
        flow = services.access.code_flow
    except DomainError as error:
        from groundwire.entry.rest.links.link_responses import unavailable_response

        telemetry().error(str(error))
        return unavailable_response(request.headers.get("accept", ""))
    if flow is None or request.path not in {SIGN_IN, REDIRECT_PATH}:
        return no_route_response()
    public_url = services.settings.public_url
    # A cookie of another name of the server would not come back with the provider's answer.
    if not _is_public_host(request.headers.get("host", ""), public_url):
        return _to_page(public_url, _FAILURE + _OTHER_ADDRESS)
    try:
        if request.path == SIGN_IN:
            return _start(flow, request)
        return _complete(services, flow, request, request_id)
    except DomainError as error:
        telemetry().error(str(error))
    except Exception:  # noqa: BLE001 - only the operator gets the exception
        telemetry().exception("a sign-in by the identity provider failed")
    return _to_page(public_url, _FAILURE + _UNAVAILABLE)


def _start(flow: "CodeFlow", request: "HttpRequest") -> HttpResponse:
    screen = dict(parse_qsl(request.query)).get(SCREEN_PARAMETER, "")
    started = flow.start(screen if _SCREEN.fullmatch(screen) else "")
    cookie = set_attempt_cookie(request.headers.get("host", ""), started.cookie, started.seconds)
    return HttpResponse(HTTPStatus.SEE_OTHER, {**_HEADERS, "location": started.address}, b"", (cookie,))


def _complete(services: "ApiServices", flow: "CodeFlow", request: "HttpRequest", request_id: str) -> HttpResponse:
    """Return the way back to the page; without its audit line, it raises instead of returning a session."""
    started = time.perf_counter()
    completed = flow.complete(attempt_cookie(request.headers), _parameters(request.query))
    response = _completed_response(completed, services.settings.public_url, request.headers.get("host", ""))
    milliseconds = round((time.perf_counter() - started) * 1000, 3)
    line_time = LineTime(services.clock(), request_id, milliseconds)
    record = stored_form(_line(completed.decision, response), line_time)
    services.stores.audit.append(record)
    telemetry().record_call(record)
    return response


def _completed_response(completed: "CompletedSignIn", public_url: str, host: str) -> HttpResponse:
    # Whatever came of it, an attempt is tried once.
    cookies = [set_attempt_cookie(host, Secret(""), 0)]
    if completed.page is None:
        return _to_page(public_url, _FAILURE + _word(completed.decision), cookies)
    cookies.append(set_cookie(host, completed.page.text, completed.page.seconds))
    return _to_page(public_url, f"#/{completed.screen}" if completed.screen else "", cookies)


def _to_page(public_url: str, fragment: str, cookies: "list[str] | None" = None) -> HttpResponse:
    location = f"{public_url}{CONSOLE}{fragment}"
    return HttpResponse(HTTPStatus.SEE_OTHER, {**_HEADERS, "location": location}, b"", tuple(cookies or ()))


def _word(decision: "AuthDecision") -> str:
    return _WORDS.get(decision.reason) or _STATUS_WORDS.get(decision.status, _NOT_ADMITTED)


def _line(decision: "AuthDecision", response: HttpResponse) -> CallLine:
    caller = decision.caller
    return CallLine(
        tenant=decision.tenant,
        kid=decision.kid,
        person=None if caller is None else CallingPerson.from_caller(caller),
        decision=decision,
        target=RouteTarget(f"GET {REDIRECT_PATH}"),
        result=CallResult("not_admitted" if caller is None else "answered", response.status, 0, trace_id()),
    )


def _parameters(query: str) -> dict[str, str]:
    """Return the parameters of the provider's answer; none where one is repeated (RFC 6749, 3.1)."""
    pairs = parse_qsl(query, keep_blank_values=True)
    parameters = dict(pairs)
    return parameters if len(parameters) == len(pairs) else {}


def _is_public_host(host: str, public_url: str) -> bool:
    """Return whether a request came to the server's own address: a proxy must pass the `Host` header on."""
    public = urlsplit(public_url)
    default = _DEFAULT_PORTS.get(public.scheme)
    try:
        received = urlsplit(f"//{host}")
        name, port = received.hostname, received.port
    except ValueError:
        return False
    return (name, port or default) == (public.hostname, public.port or default)
