"""Browser origins that may call, and the CORS headers by which a browser learns it (Fetch standard, CORS protocol).

A caller of MCP proves who it is by a key in a header, never by a cookie. So a page of an allowed origin may send any
header, and no response carries `Access-Control-Allow-Credentials`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from groundwire_mcp.jsonrpc.errors import FORBIDDEN_CODE
from groundwire_mcp.jsonrpc.messages import error_message
from groundwire_mcp.transport.http import HttpResponse, json_response

FORBIDDEN_ORIGIN_MESSAGE: Final = "This Origin may not call this server."

_LOOPBACK_ORIGIN: Final = re.compile(r"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?")
_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}
_MAX_AGE_SECONDS: Final = 7200
"""Time for which a browser keeps the answer to a preflight: Chromium's maximum."""
_METHODS: Final = "DELETE, GET, PATCH, POST, PUT"
_EXPOSED_HEADERS: Final = "Mcp-Session-Id, Retry-After, WWW-Authenticate, X-WWW-Authenticate"
"""Headers of a response that a client reads beside those that every page may read."""
_CLIENT_HEADERS: Final = (
    *("accept", "api-key", "authorization", "content-type", "last-event-id"),
    *("mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id"),
    *("traceparent", "tracestate", "x-api-key", "x-goog-api-key", "x-session-tags", "x-user-id"),
)
"""Headers that every preflight allows: a browser keeps them, so that one preflight serves the calls that follow."""
# Characters of a token (RFC 9110 §5.6.2), since the names are copied into a response header.
_HEADER_NAME: Final = re.compile(r"[-!#$%&'*+.^_`|~0-9a-z]{1,64}")
_MAX_REQUESTED_HEADERS: Final = 64
_PREFLIGHT_VARY: Final = (
    "Origin, Access-Control-Request-Method, Access-Control-Request-Headers, Access-Control-Request-Private-Network"
)


class AllowedOrigins(NamedTuple):
    """The rule for the header `Origin`; a request without it is no browser's, or no page's of another origin.

    Attributes:
        exact: origins that may call, in the form in which browsers send them.
        allows_loopback: whether pages of this machine may call, from any port.
    """

    exact: frozenset[str]
    allows_loopback: bool

    def allows(self, origin: str | None) -> bool:
        """Return whether the request may be answered; `null`, several origins and an empty text never are."""
        # DNS rebinding lets a malicious page reach this server under the page's own host name.
        if origin is None or origin in self.exact:
            return True
        return self.allows_loopback and _LOOPBACK_ORIGIN.fullmatch(origin) is not None

    def response_headers(self, origin: str | None) -> dict[str, str]:
        """Return the CORS headers of a response, errors included; without a page of an allowed origin only `Vary`."""
        if origin is None or not self.allows(origin):
            return {"vary": "Origin"}
        return {
            "vary": "Origin",
            "access-control-allow-origin": origin,
            "access-control-expose-headers": _EXPOSED_HEADERS,
        }

    def preflight_response(self, headers: Mapping[str, str]) -> HttpResponse:
        """Return the response to `OPTIONS`, which browsers send without a key before the call itself.

        Args:
            headers: the request's, by lower-case name.
        """
        origin = headers.get("origin")
        fixed = {"vary": _PREFLIGHT_VARY, "cache-control": "no-store"}
        if not self.allows(origin):
            return json_response(403, error_message(None, FORBIDDEN_CODE, FORBIDDEN_ORIGIN_MESSAGE), fixed)
        # This is no preflight but a plain OPTIONS (RFC 9110 §9.3.7), which a page did not cause.
        if origin is None:
            return HttpResponse(204, {**fixed, "allow": f"{_METHODS}, OPTIONS"}, b"")
        allowed = {
            "access-control-allow-origin": origin,
            "access-control-allow-methods": _METHODS,
            "access-control-allow-headers": _allowed_headers(headers.get("access-control-request-headers", "")),
            "access-control-max-age": str(_MAX_AGE_SECONDS),
        }
        if headers.get("access-control-request-private-network") == "true":
            # A page outside of the private network asks for leave to reach a server inside it.
            allowed["access-control-allow-private-network"] = "true"
        return HttpResponse(204, {**fixed, **allowed}, b"")


NO_ORIGINS: Final = AllowedOrigins(frozenset(), allows_loopback=False)
"""Rule that refuses every page."""


def allowed_origins(public_url: str, configured: Iterable[str], *, is_loopback_server: bool) -> AllowedOrigins:
    """Return the rule of a server.

    Args:
        public_url: address of this server; its origin may call. `Host` and forwarding headers never decide.
        configured: further origins that may call.
        is_loopback_server: whether the server is bound to a loopback address, so that only this machine reaches it.
    """
    return AllowedOrigins(frozenset((*configured, _origin_of(public_url))), is_loopback_server)


def _origin_of(url: str) -> str:
    """Return the origin of an http or https URL as browsers send it: lower case, without a default port."""
    scheme, _, rest = url.lower().partition("://")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0].rpartition("@")[2]
    return f"{scheme}://{authority.removesuffix(_DEFAULT_PORTS.get(scheme, ''))}"


def _allowed_headers(requested: str) -> str:
    """Return the header names that a page may send.

    Tools name headers of their own (`Mcp-Param-…`), and a `*` would not cover `Authorization`. So the names that the
    browser asks for are allowed, as far as they are names, beside those of every client.
    """
    names = [name.strip().lower() for name in requested.split(",")[:_MAX_REQUESTED_HEADERS]]
    further = sorted({name for name in names if _HEADER_NAME.fullmatch(name)} - {*_CLIENT_HEADERS})
    return ", ".join((*_CLIENT_HEADERS, *further))
