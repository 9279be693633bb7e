"""Responses with files of the page; none of them needs a key, a store or a web framework."""

import gzip
from functools import cache
from html import escape
from typing import Final
from urllib.parse import urlsplit

from groundwire.entry.console.files import INDEX, PageFile, page_files
from groundwire.entry.console.paths import ASSETS, CONSOLE, ROOT, SIGN_IN, is_refused
from groundwire_mcp.transport.http import HttpRequest, HttpResponse, no_route_response

_CONTENT_POLICY: Final = (
    *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "connect-src 'self'"),
    *("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"),
    # The page makes elements and texts alone. With no policy to make trusted HTML, a browser refuses `innerHTML`.
    *("require-trusted-types-for 'script'", "trusted-types 'none'"),
)
_UNUSED_FEATURES: Final = (
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "microphone", "midi", "payment"),
    *("publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"),
)
_HEADERS: Final = {
    # A browser asks each time, and gets the content only if it changed: a new release needs no cleared cache.
    "cache-control": "no-cache",
    "content-security-policy": "; ".join(_CONTENT_POLICY),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": ", ".join(f"{feature}=()" for feature in _UNUSED_FEATURES),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
}
_WEAK: Final = "W/"


def page_response(request: HttpRequest, public_url: str, *, signs_in: bool) -> HttpResponse:
    """Return the page or one of its files; 404 for a name that it does not have.

    Args:
        request: a GET or HEAD with the plain path.
        public_url: the server's address; a proxy may serve it below a path, which the page's own addresses need.
        signs_in: whether people can sign in by the identity provider.
    """
    if request.path in {ROOT, CONSOLE}:
        index = _below(page_files()[INDEX], urlsplit(public_url).path.rstrip("/"))
        return _file_response(request, _with_sign_in(index, f"{public_url}{SIGN_IN}") if signs_in else index)
    file = page_files().get(request.path.removeprefix(ASSETS))
    return no_route_response() if file is None else _file_response(request, file)


def _below(index: PageFile, prefix: str) -> PageFile:
    """Return the page with its addresses below the path."""
    own = f'"{ASSETS}'.encode()
    return index._replace(content=index.content.replace(own, f'"{prefix}{ASSETS}'.encode()))


def _with_sign_in(index: PageFile, address: str) -> PageFile:
    """Return the page with the address where a sign-in by the identity provider starts."""
    named = f'data-sign-in="{escape(address)}"'.encode()
    return index._replace(content=index.content.replace(b'data-sign-in=""', named))


def _file_response(request: HttpRequest, file: PageFile) -> HttpResponse:
    # The root gives programs a text, so that a cache must tell the two apart.
    vary = "accept, accept-encoding" if request.path == ROOT else "accept-encoding"
    headers = {**_HEADERS, "vary": vary, "etag": file.entity_tag}
    sent, encoding = file.content, dict[str, str]()
    if _accepts_gzip(request):
        # A strong tag is that of the bytes, which are others here.
        headers["etag"] = f'{file.entity_tag[:-1]}-gzip"'
        sent, encoding = _compressed(sent), {"content-encoding": "gzip"}
    if _has_current(request, headers["etag"]):
        return HttpResponse(304, headers, b"")
    body = b"" if request.method == "HEAD" else sent
    return HttpResponse(200, {**headers, **encoding, "content-type": file.media_type}, body)


def _accepts_gzip(request: HttpRequest) -> bool:
    """Return whether the client names the encoding; `*` alone is not enough."""
    parts = (part.partition(";") for part in request.headers.get("accept-encoding", "").lower().split(","))
    return any(name.strip() == "gzip" and not is_refused(f";{weight}") for name, _, weight in parts)


@cache
def _compressed(content: bytes) -> bytes:
    """Return the content in the encoding `gzip`; the same for everybody, so its length reveals nothing."""
    return gzip.compress(content, mtime=0)


def _has_current(request: HttpRequest, entity_tag: str) -> bool:
    """Return whether the client holds this content (RFC 9110, 13.1.2: the comparison is weak)."""
    tags = (tag.strip().removeprefix(_WEAK) for tag in request.headers.get("if-none-match", "").split(","))
    return any(tag in {entity_tag, "*"} for tag in tags)
