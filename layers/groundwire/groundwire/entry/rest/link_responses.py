"""Responses of the route `/open/<token>`: the original, a redirect to its store, or an error."""

from typing import Final

from groundwire.domain.errors import Unavailable
from groundwire.entry.rest.error_page import PAGE_POLICY, ErrorPage
from groundwire.services.documents.link_opener import OriginalContent, OriginalLocation
from groundwire.services.documents.original_headers import DOWNLOAD_TYPE, PDF_TYPE
from groundwire_mcp.transport.http import HttpResponse

REFUSED_MESSAGE: Final = "This link does not open a document that you may read. Ask your agent for a new link."
"""One text for forged, expired, unknown, forbidden and deleted, so that the cause stays secret."""
UNAVAILABLE_MESSAGE: Final = "The document cannot be opened at this moment. Try again in a few seconds."
RETRY_SECONDS: Final = 5

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
}
"""Headers for a URL with a credential and content from strangers: no caching, no execution, no referrer."""


def document_response(opened: OriginalContent | OriginalLocation, *, is_head: bool) -> HttpResponse:
    """Return the original, or a redirect where its store serves it.

    The store's address is signed for GET, and S3 refuses HEAD there. So HEAD gets the headers of the original instead.
    """
    if isinstance(opened, OriginalLocation) and not is_head:
        # A browser keeps the fragment of the link, such as a page, since the location has none.
        return HttpResponse(302, {**_SECURITY_HEADERS, "location": opened.url}, b"")
    headers = {
        "content-type": opened.headers.media_type,
        "content-disposition": opened.headers.disposition,
        "content-security-policy": _POLICIES.get(opened.headers.media_type, _SHOWN),
    }
    content = opened.content if isinstance(opened, OriginalContent) else b""
    return HttpResponse(200, {**_SECURITY_HEADERS, **headers}, content)


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
    page_headers = {"content-type": "text/html; charset=utf-8", "content-security-policy": PAGE_POLICY}
    return HttpResponse(status, {**headers, **page_headers}, page.to_html().encode())
