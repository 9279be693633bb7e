"""API Gateway authorizer: authorises each call and passes each call on with its decision.

HTTP API, REQUEST type, payload 2.0, simple response, no identity source, no cache. The gateway's own error responses
have fixed bodies, so the route's handler creates every 400, 401, 403, 429 and 503.
"""

import logging
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import unquote

from groundwire.domain.access.call_headers import (
    AUTHORIZATION_HEADER,
    USER_TOKEN_HEADER,
    has_two_credentials,
    keep_credential,
    lower_case_headers,
)
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.entry.http.authorizer_context import DecisionContext, to_context
from groundwire.entry.http.event_paths import (
    DEFAULT_ROUTE,
    PREFLIGHT_METHOD,
    full_path,
    request_method,
    route_key,
    route_path,
)

if TYPE_CHECKING:
    from groundwire.dialects.declaration.dialect import Dialect
    from groundwire.domain.keys.forms.key_text import Secret
    from groundwire.services.keys.request_authorizer import RequestAuthorizer

AuthorizeCall = Callable[[Mapping[str, str]], AuthDecision]
"""Maps request headers to a decision, such as `services.keys.request_authorizer.RequestAuthorizer`."""

FindPage = Callable[[], "RequestAuthorizer"]
"""Returns what decides on calls of the page, by its cookie or by the ticket of a one-time address."""

FindDialects = Callable[[], Sequence["Dialect"]]

Handler = Callable[[Mapping[str, object], object], dict[str, object]]

INTERNAL_ERROR_RETRY_SECONDS: Final = 5

_log = logging.getLogger(__name__)


def own_dialects() -> "Sequence[Dialect]":
    """Return the dialects of the server itself."""
    from groundwire.dialects import DIALECTS

    return DIALECTS


def build_handler(
    authorize: AuthorizeCall, find_dialects: FindDialects = own_dialects, find_page: FindPage | None = None
) -> Handler:
    """Return a Lambda handler that puts a decision into the gateway's context; it never raises.

    A gateway in the same process says so by `is_in_process` in the function's context, and gets the decision itself.

    Args:
        authorize: decides by the headers of a call.
        find_dialects: returns the known dialects. Nearly every call does without: it has one credential, and a path
            that the gateway knows.
        find_page: returns what decides on calls of the page; without it no cookie counts.
    """

    def handler(event: Mapping[str, object], context: object) -> dict[str, object]:
        to_answer = DecisionContext if getattr(context, "is_in_process", False) else to_context
        # No exception may leave this function: the gateway would answer with its own fixed body.
        try:
            needs_no_key = request_method(event) == PREFLIGHT_METHOD or _lacks_path(event, find_dialects)
            decision = _NO_KEY if needs_no_key else _page_decision(find_page, event, find_dialects)
            if decision is None:
                decision = _decide(authorize, event, find_dialects)
            if decision.reason is AuthReason.TENANT_RATE and find_page is not None:
                decision = _decide_change(find_page, event, find_dialects) or decision
            return {"isAuthorized": True, "context": to_answer(decision)}
        except Exception as error:  # noqa: BLE001
            # The log has the traceback without the exception's text, which may quote a presented key.
            frames = "".join(traceback.format_tb(error.__traceback__))
            _log.error("authorization failed: %s\n%s", type(error).__name__, frames)
            return {"isAuthorized": True, "context": to_answer(_INTERNAL_ERROR)}

    return handler


def _decide_change(
    find_page: FindPage, event: Mapping[str, object], find_dialects: FindDialects
) -> AuthDecision | None:
    """Return the decision without the tenant's rate on a call that ends or narrows rights; None for any other.

    Else those who search could keep an administrator from closing a document.
    """
    # Not before: nearly no call is over the rate of its tenant.
    from groundwire.domain.keys.fairness.work import changes_rights

    if not changes_rights(request_method(event), full_path(event)):
        return None
    authorize = find_page().without_tenant_rate()
    return _page_decision(lambda: authorize, event, find_dialects) or _decide(authorize, event, find_dialects)


_INTERNAL_ERROR: Final = AuthDecision(
    AuthStatus.UNAVAILABLE, AuthReason.INTERNAL_FAULT, retry_after_s=INTERNAL_ERROR_RETRY_SECONDS
)

_NO_KEY: Final = AuthDecision(AuthStatus.UNAUTHENTICATED, AuthReason.NO_CREDENTIAL)
"""Decision without a look at any key, on a call that needs none.

Such are a browser's preflight, a public path, and a path that only the pattern of a route covers: its function answers
404.
"""
_PAGE_HEADERS: Final = frozenset({"cookie", "x-page-ticket"})
"""Headers of `page_cookie`, which is loaded for a call with one of them."""
_ANY_RESOURCE: Final = "/{resource}"
_REST_API: Final = "/v1/"
"""Beginning of the paths of the REST API, of which the gateway leads `/v1/status` by a route for any resource."""


def _page_decision(
    find_page: FindPage | None, event: Mapping[str, object], find_dialects: FindDialects
) -> AuthDecision | None:
    """Return the decision on a call with a credential of the page; None where the call has none that counts.

    A sign-in brings its key or ticket, so the cookie of an earlier one does not count there.
    """
    # The path first: agents call others, and their headers are not looked through for a page.
    if find_page is None or not full_path(event).startswith(_REST_API):
        return None
    headers = _headers(event)
    if not (event.get("cookies") or _PAGE_HEADERS.intersection(map(str.lower, headers))):
        return None
    # Not before: nearly no call comes from the page.
    from groundwire.entry.http.page_cookie import PAGE_TICKET_HEADER, SIGN_IN_PATH, check_page_request, page_cookie

    headers = lower_case_headers(headers)
    # The framework decodes the path once more than the gateway.
    paths = {form for path in _paths(event) for form in (path, unquote(path))}
    if request_method(event) == "POST" and SIGN_IN_PATH in paths:
        ticket = headers.get(PAGE_TICKET_HEADER)
        return None if ticket is None else find_page().authorize_ticket(_secret(ticket), headers)
    cookie = page_cookie(event, headers) if _are_own(paths, find_dialects) else None
    if cookie is None:
        return None
    denial = check_page_request(request_method(event), headers)
    if denial is not None:
        return AuthDecision.deny(denial, kid=None, tenant=None)
    return find_page().authorize_page(cookie, headers)


def _secret(text: str) -> "Secret":
    from groundwire.domain.keys.forms.key_text import Secret

    return Secret(text)


def _are_own(paths: Iterable[str], find_dialects: FindDialects) -> bool:
    """Return whether the paths are of the REST API, and none is one of a dialect."""
    dialects = find_dialects()
    return all(
        path.startswith(_REST_API)
        and not any(dialect.has_rest_path(path) or dialect.has_mcp_path(path) for dialect in dialects)
        for path in paths
    )


def _decide(authorize: AuthorizeCall, event: Mapping[str, object], find_dialects: FindDialects) -> AuthDecision:
    headers = _counted_headers(event, find_dialects)
    if _has_basic_credential(headers) and _takes_basic(event, find_dialects):
        from groundwire.services.keys.basic_credential import authorize_basic

        return authorize_basic(authorize, headers)
    return authorize(headers)


def _counted_headers(event: Mapping[str, object], find_dialects: FindDialects) -> Mapping[str, str]:
    """Return the headers by which the call is decided: of two credentials the one that its path reads first.

    A user's token is left out where the path's dialect reads none.
    """
    headers = _headers(event)
    if USER_TOKEN_HEADER in map(str.lower, headers) and not _reads_user_token(event, find_dialects):
        headers = {name: value for name, value in headers.items() if name.lower() != USER_TOKEN_HEADER}
    if not has_two_credentials(headers):
        return headers
    # The gateway may select a wider route for the same function, so the path decides; its route only where a stage
    # before the path hides it.
    path, method, route = route_path(event), request_method(event), route_key(event)
    is_rest_api = path.startswith(_REST_API)
    for dialect in find_dialects():
        keys = [key for key in dialect.gateway_keys if not (is_rest_api and _covers_any_resource(key))]
        if any(key == route or _leads_to(key, method, path) for key in keys):
            return keep_credential(headers, dialect.credential_header)
    return headers


def _reads_user_token(event: Mapping[str, object], find_dialects: FindDialects) -> bool:
    """Return whether the path is one of a dialect that reads the user's token."""
    paths = _paths(event)
    return any(
        dialect.has_rest_path(path)
        for dialect in find_dialects()
        if dialect.user_token_header == USER_TOKEN_HEADER
        for path in paths
    )


def _has_basic_credential(headers: Mapping[str, str]) -> bool:
    # A generator would cost each header of each call a frame.
    for name, value in headers.items():
        if name.lower() == AUTHORIZATION_HEADER and value.strip(" \t").partition(" ")[0].lower() == "basic":
            return True
    return False


def _takes_basic(event: Mapping[str, object], find_dialects: FindDialects) -> bool:
    """Return whether the gateway's route is one whose clients send the key by HTTP Basic."""
    # Not any path that such a route covers: the key of a domain's mapping before it may spell the same. With a slash at
    # its end, the path of a route may come by the route for all paths.
    route = route_key(event)
    exact = full_path(event) if route == DEFAULT_ROUTE else ""
    return any(route in dialect.basic_gateway_keys or dialect.takes_basic(exact) for dialect in find_dialects())


def _lacks_path(event: Mapping[str, object], find_dialects: FindDialects) -> bool:
    """Return whether no dialect and no route of the REST API has the path, which only a wide route covers."""
    route = route_key(event)
    if route != DEFAULT_ROUTE and not _covers_any_resource(route):
        return False
    # A name with a slash in it, which the gateway decodes, has more segments than the route.
    paths = _paths(event)
    if any(path.startswith(_REST_API) for path in paths):
        return False
    dialects = find_dialects()
    if any(dialect.has_rest_path(path) for dialect in dialects for path in paths):
        return False
    return route != DEFAULT_ROUTE or not any(_has_mcp_path(dialect, full_path(event)) for dialect in dialects)


def _has_mcp_path(dialect: "Dialect", path: str) -> bool:
    """Return whether a path is one of the dialect's MCP routes; routes for any resource need a REST path."""
    patterns = (pattern for pattern in dialect.mcp_patterns if not pattern.startswith(_ANY_RESOURCE))
    return any(_covers(pattern, path) for pattern in patterns)


def _paths(event: Mapping[str, object]) -> frozenset[str]:
    """Return the path as the gateway's route covers it, and as it was received."""
    return frozenset({route_path(event), full_path(event)})


def _covers_any_resource(gateway_key: str) -> bool:
    """Return whether a route covers paths of others than its dialect."""
    return gateway_key.partition(" ")[2].startswith(_ANY_RESOURCE)


def _leads_to(gateway_key: str, method: str, path: str) -> bool:
    """Return whether a route covers a call."""
    key_method, _, pattern = gateway_key.partition(" ")
    return key_method in {"ANY", method} and _covers(pattern, path)


def _covers(pattern: str, path: str) -> bool:
    from groundwire.dialects.declaration.routes import covers_path

    return covers_path(pattern, path)


def _headers(event: Mapping[str, object]) -> Mapping[str, str]:
    headers = event.get("headers")
    if not isinstance(headers, Mapping):
        return {}
    entries = cast("Mapping[object, object]", headers)
    return {name: value for name, value in entries.items() if isinstance(name, str) and isinstance(value, str)}


def _authorize(headers: Mapping[str, str]) -> AuthDecision:
    # The import is local, so that a failed start (a setting, an unreachable store) gets a response.
    from groundwire import wiring

    return wiring.authorizer_services().authorize(headers)


def _known_dialects() -> "Sequence[Dialect]":
    from groundwire import wiring

    return wiring.authorizer_services().known_dialects


def _find_page() -> "RequestAuthorizer":
    from groundwire import wiring

    return wiring.authorizer_services().authorize


handler: Final = build_handler(_authorize, _known_dialects, _find_page)
