"""Picture of a page with its marks, as SVG: it needs no script, and the marks no second request."""

import base64
from collections.abc import Iterator
from typing import Final

from groundwire.entry.rest.links.link_responses import SECURITY_HEADERS
from groundwire.services.documents.links.marked_pages import MarkedPage
from groundwire_mcp.transport.http import HttpResponse
from groundwire_readers.contents.parsed import PAGE_PARTS

_MARK: Final = 'fill="#ffd400" fill-opacity=".35" stroke="#b45309" stroke-width="1"'
# The page has an origin of its own, so that a browser takes the picture for one of another origin.
_HEADERS: Final = {
    **SECURITY_HEADERS,
    "content-security-policy": "default-src 'none'; img-src data:; frame-ancestors 'none'; sandbox",
    "content-type": "image/svg+xml",
    "cross-origin-resource-policy": "cross-origin",
}


def picture_response(page: MarkedPage) -> HttpResponse:
    """Return the picture; its SVG has numbers and pixels alone, and no text of the document."""
    return HttpResponse(200, _HEADERS, "".join(_svg(page)).encode())


def _svg(page: MarkedPage) -> Iterator[str]:
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
