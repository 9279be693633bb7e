"""Paths of the page, and the choice at the root: browsers get the page, programs a text."""

import re
from typing import Final

from groundwire_mcp.transport.http import HttpRequest

ROOT: Final = "/"
CONSOLE: Final = "/console"
ASSETS: Final = "/console/assets/"
SIGN_IN_PREFIX: Final = "/console/sign"
"""Beginning of the paths of a sign-in by the identity provider."""
SIGN_IN: Final = "/console/sign-in"
"""Path of the link by which a sign-in at the identity provider begins."""

_HTML_RANGE: Final = re.compile(r"(?:^|,)\s*text/html\s*(?:;([^,]*))?(?:,|$)", re.IGNORECASE)
_REFUSED: Final = re.compile(r"(?:^|;)\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)", re.IGNORECASE)


def is_for_page(request: HttpRequest) -> bool:
    """Return whether the call is to the page or to a file below it, known or not."""
    if request.method not in {"GET", "HEAD"}:
        return False
    if request.path == ROOT:
        return _accepts_html(request.headers.get("accept", ""))
    return request.path == CONSOLE or request.path.startswith(ASSETS)


def _accepts_html(accept: str) -> bool:
    """Return whether the client names HTML, as browsers do; `*/*` of a program is not enough."""
    found = _HTML_RANGE.search(accept)
    return found is not None and not is_refused(found[1] or "")


def is_refused(parameters: str) -> bool:
    """Return whether the parameters of a preference refuse it by the weight 0 (RFC 9110, 12.4.2)."""
    return _REFUSED.search(parameters) is not None
