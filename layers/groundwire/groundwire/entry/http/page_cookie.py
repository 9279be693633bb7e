"""Cookies of the page: where they count, and what a request needs beside them.

It counts on the server's own routes below `/v1/`, and nowhere else: agents send keys. A browser adds cookies by itself,
so a request that may change something needs two proofs that the page sent it: the page's own `Origin`, and a header
that no form can send (OWASP, "Cross-Site Request Forgery Prevention", custom request headers).
"""

from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from groundwire.domain.keys.auth_decision import AuthReason, AuthStatus, IdentityDenial
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.text.json_values import is_text_list

PAGE_REQUEST_HEADER: Final = "x-page-request"
PAGE_TICKET_HEADER: Final = "x-page-ticket"
"""Header of a sign-in by the ticket of a one-time address."""
SIGN_IN_PATH: Final = "/v1/session"

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_SAFE_METHODS: Final = frozenset({"GET", "HEAD"})


def cookie_name(host: str) -> str:
    """Return the name of the cookie for the `Host` of a request.

    A browser takes a name with `__Host-` only over https, from the host itself and for all of its paths (RFC 6265bis,
    4.1.3.2). Loopback has no https; cookies there are shared by all ports, so the name has the port.
    """
    name, port = _host_and_port(host)
    return f"groundwire-{port}" if name in _LOOPBACK else "__Host-groundwire"


def attempt_cookie_name(host: str) -> str:
    """Return the name of the cookie that binds a sign-in by the identity provider to its browser; as `cookie_name`."""
    name, port = _host_and_port(host)
    return f"groundwire-sign-in-{port}" if name in _LOOPBACK else "__Host-groundwire-sign-in"


def set_cookie(host: str, text: Secret, seconds: int) -> str:
    """Return the value of `Set-Cookie` that keeps a page session for some seconds; 0 removes it."""
    return f"{cookie_name(host)}={text.reveal()}; {_scope(host, '/v1/')}; HttpOnly; SameSite=Strict; Max-Age={seconds}"


def set_attempt_cookie(host: str, text: Secret, seconds: int) -> str:
    """Return the value of `Set-Cookie` that keeps an attempt to sign in; 0 seconds remove it.

    The provider leads the browser back from another site, and a strict cookie would not come along.
    """
    scope = _scope(host, "/console/")
    return f"{attempt_cookie_name(host)}={text.reveal()}; {scope}; HttpOnly; SameSite=Lax; Max-Age={seconds}"


def _scope(host: str, path: str) -> str:
    return f"Path={path}" if cookie_name(host).startswith("groundwire-") else "Path=/; Secure"


def page_cookie(event: Mapping[str, object], headers: Mapping[str, str]) -> Secret | None:
    """Return the cookie of the page in an event of API Gateway; None for an event without it.

    A second cookie of the same name was set by somebody else, a page of a subdomain or of another path: then the text
    is of no form, and admits nobody.

    Args:
        event: payload format 2.0, which has the cookies as a list.
        headers: by lower-case name.
    """
    cookies = event.get("cookies")
    parts = cookies if is_text_list(cookies) else headers.get("cookie", "").split(";")
    return _named_cookie(parts, cookie_name(headers.get("host", "")))


def attempt_cookie(headers: Mapping[str, str]) -> Secret | None:
    """Return the cookie of an attempt to sign in, as `page_cookie` does; headers by lower-case name."""
    return _named_cookie(headers.get("cookie", "").split(";"), attempt_cookie_name(headers.get("host", "")))


def _named_cookie(parts: Iterable[str], name: str) -> Secret | None:
    start = f"{name}="
    values = [part.strip().removeprefix(start) for part in parts if part.strip().startswith(start)]
    return Secret(",".join(values)) if values else None


def check_page_request(method: str, headers: Mapping[str, str]) -> IdentityDenial | None:
    """Return the denial of a request with the cookie that the page itself may not have sent; else None."""
    if method in _SAFE_METHODS:
        return None
    if PAGE_REQUEST_HEADER not in headers:
        return _denial(PAGE_REQUEST_HEADER, "A change with the cookie of the page needs this header.")
    if not is_own_origin(headers.get("origin", ""), headers.get("host", "")):
        return _denial("origin", "A change with the cookie of the page needs the origin of this server.")
    return None


def is_own_origin(origin: str, host: str) -> bool:
    """Return whether the `Origin` of a request is of its `Host`: behind a proxy, that must be the browser's name."""
    return origin.lower() in {f"http://{host.lower()}", f"https://{host.lower()}"}


def _denial(header: str, message: str) -> IdentityDenial:
    return IdentityDenial(AuthStatus.IDENTITY_NOT_ALLOWED, AuthReason.FOREIGN_PAGE, header, f"{header}: {message}")


def _host_and_port(host: str) -> tuple[str, int]:
    parts = urlsplit(f"//{host}")
    try:
        port = parts.port
    except ValueError:
        return "", 0
    return parts.hostname or "", port or 80
