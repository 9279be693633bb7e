"""Responses of links: a page, the original, a redirect to its store, the picture of a page, or an error."""

import base64
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import Unavailable
from groundwire.entry.rest.links.error_page import PAGE_POLICY, ErrorPage
from groundwire.services.documents.links.link_opener import OriginalContent, OriginalLocation
from groundwire.services.documents.original_headers import DOWNLOAD_TYPE, PDF_TYPE
from groundwire_mcp.transport.http import HttpResponse
from groundwire_readers.contents.parsed import PAGE_PARTS

if TYPE_CHECKING:
    from groundwire.services.documents.links.marked_pages import MarkedPage

REFUSED_MESSAGE: Final = "This link does not open a document that you may read. Ask your agent for a new link."
"""One text for forged, expired, unknown, forbidden and deleted, so that the cause stays secret."""
UNAVAILABLE_MESSAGE: Final = "The document cannot be opened at this moment. Try again in a few seconds."
RETRY_SECONDS: Final = 5
FORM_PARAMETER: Final = "as"
"""Parameter of a link that names what is wanted of the source; without it: its facts."""
ORIGINAL_FORM: Final = "original"
PICTURE_FORM: Final = "picture"
"""Form of a link that is the picture of a page of its passage."""
PAGE_PARAMETER: Final = "page"
"""Parameter of a picture that names the page; without it, the first one of the passage."""

_REFUSED_PAGE: Final = ErrorPage(
    "This link does not open a document",
    (
        "The link may have expired, or it leads to a document that does not exist or that you may not read.",
        "Ask the agent again: it gives you a new link to each document that you may read.",
        "If the new link does not open either, ask the owner of the document for access.",
    ),
)
_UNAVAILABLE_PAGE: Final = ErrorPage(
    "The document cannot be opened at this moment", ("Wait a few seconds, then reload this page.",)
)

_CLOSED: Final = "default-src 'none'; frame-ancestors 'none'; sandbox"
# The browser's own viewer of texts and pictures has inline styles.
_SHOWN: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
# Chromium's viewer is a plugin, which a sandbox stops. Scripts of a PDF run within the viewer, never as this origin.
_SHOWN_PDF: Final = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_POLICIES: Final = {DOWNLOAD_TYPE: _CLOSED, PDF_TYPE: _SHOWN_PDF}
_SECURITY_HEADERS: Final = {
    "cache-control": "private, no-store",
    "content-security-policy": _CLOSED,
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
}
"""Headers for a URL with a credential and content from strangers: no caching, no execution, no referrer."""
_MARK: Final = 'fill="#ffd400" fill-opacity=".35" stroke="#b45309" stroke-width="1"'
# The page has an origin of its own, so that a browser takes the picture for one of another origin.
_PICTURE_HEADERS: Final = {
    **_SECURITY_HEADERS,
    "content-security-policy": "default-src 'none'; img-src data:; frame-ancestors 'none'; sandbox",
    "content-type": "image/svg+xml",
    "cross-origin-resource-policy": "cross-origin",
}
_PREVIEW_PAGE: Final = ErrorPage("A source", ("Open this link in a browser to read the source.",))
_HTML: Final = {"content-type": "text/html; charset=utf-8"}
_RANGE: Final = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})", re.IGNORECASE)
"""One range of bytes (RFC 9110, section 14.1.2); a list of several may be answered with the whole."""


def page_response(page: str, policy: str, more: Mapping[str, str]) -> HttpResponse:
    """Return a page about a document, under its content security policy and with more headers."""
    own = {"content-security-policy": policy, "vary": "accept, user-agent"}
    return HttpResponse(200, {**_SECURITY_HEADERS, **_HTML, **own, **more}, page.encode())


def preview_response() -> HttpResponse:
    """Return the page for checkers of links and previews of chats, which names no title: others see the preview."""
    return page_response(_PREVIEW_PAGE.to_html(), PAGE_POLICY, {})


def original_response(opened: OriginalContent | OriginalLocation, wanted_range: str) -> HttpResponse:
    """Return the original or the range of it that a viewer wants, or a redirect where its store serves it.

    Args:
        opened: the original.
        wanted_range: the request's header `range`; empty where it has none. The store answers it after a redirect.
    """
    if isinstance(opened, OriginalLocation):
        # A browser keeps the fragment of the link, such as a page, since the location has none.
        return HttpResponse(302, {**_SECURITY_HEADERS, "location": opened.url}, b"")
    headers = {
        **_SECURITY_HEADERS,
        "accept-ranges": "bytes",
        "content-type": opened.headers.media_type,
        "content-disposition": opened.headers.disposition,
        "content-security-policy": _POLICIES.get(opened.headers.media_type, _SHOWN),
    }
    size, match = len(opened.content), _RANGE.fullmatch(wanted_range.strip())
    if match is None or not any(match.groups()):
        return HttpResponse(200, headers, opened.content)
    first, end = _bounds(match[1], match[2], size)
    if first >= end:
        return HttpResponse(416, {**headers, "content-range": f"bytes */{size}"}, b"")
    return HttpResponse(206, {**headers, "content-range": f"bytes {first}-{end - 1}/{size}"}, opened.content[first:end])


def _bounds(first: str, last: str, size: int) -> tuple[int, int]:
    """Return the first byte and the one after the last; the first is not before the other where nothing fits."""
    if not first:
        return max(0, size - int(last)), size
    return int(first), size if not last else min(int(last) + 1, size)


def picture_response(page: "MarkedPage") -> HttpResponse:
    """Return the picture; its SVG has numbers and pixels alone, and no text of the document."""
    return HttpResponse(200, _PICTURE_HEADERS, "".join(_svg(page)).encode())


def _svg(page: "MarkedPage") -> Iterator[str]:
    picture = page.picture
    width, height = picture.width, picture.height
    size = f'width="{width}" height="{height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}">'
    pixels = base64.b64encode(picture.content).decode("ascii")
    yield f'<image {size} href="data:{picture.media_type};base64,{pixels}"/>'
    for mark in page.marks:
        x, y = mark.left * width / PAGE_PARTS, mark.top * height / PAGE_PARTS
        right, bottom = mark.right * width / PAGE_PARTS, mark.bottom * height / PAGE_PARTS
        yield f'<rect x="{x:.1f}" y="{y:.1f}" width="{right - x:.1f}" height="{bottom - y:.1f}" {_MARK}/>'
    yield "</svg>"


def refused_response(accept: str) -> HttpResponse:
    """Return the response for a link that opens nothing, whatever the reason; `accept` is the request's header."""
    return _error_response(accept, 404, REFUSED_MESSAGE, _REFUSED_PAGE, {})


def unavailable_response(accept: str = "", retry_after_s: int = RETRY_SECONDS) -> HttpResponse:
    """Return the response for a failure after which a repeat may succeed."""
    headers = {"retry-after": str(retry_after_s)}
    return _error_response(accept, Unavailable.http_status, UNAVAILABLE_MESSAGE, _UNAVAILABLE_PAGE, headers)


def _error_response(accept: str, status: int, message: str, page: ErrorPage, headers: dict[str, str]) -> HttpResponse:
    """Return the page where the request accepts HTML, as browsers' requests do; else the message."""
    headers = {**_SECURITY_HEADERS, "vary": "accept", **headers}
    if "text/html" not in accept.lower():
        return HttpResponse(status, {**headers, "content-type": "text/plain; charset=utf-8"}, message.encode())
    return HttpResponse(status, {**headers, **_HTML, "content-security-policy": PAGE_POLICY}, page.to_html().encode())
