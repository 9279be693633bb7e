"""Links to the documents of passages: opening a link checks the current rights.

A document with a URL of its own is linked there. Any other gets `<public_url>/o/<code>`: the code names a grant of the
registry and the document; an id of the owner's choice follows it. Where the registry takes no grant, the link is
`<public_url>/open/<sealed>`, with the same facts sealed inside. The facts are tenant, document, user, tags, key and
expiry, and opening the link checks the current rights. A link is the same text for every call in which these are equal,
so that clients can cache what they send to a model. `Citation` is what dialects write, so the form of an address is
decided here alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from groundwire.domain.access.policy import Readers
from groundwire.domain.documents.links.download_link import (
    SEAL_PURPOSE,
    LinkGrant,
    LinkOrigin,
    expiry_at_least,
    expiry_at_most,
)
from groundwire.domain.documents.links.source_url import safe_url_or_none
from groundwire.domain.documents.record import Document
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import TagSource
from groundwire.domain.limits import TOKEN_LINK_SECONDS
from groundwire.ports import Clock, Sealer
from groundwire.services.documents.links.short_links import ShortLinks

OPEN_PATH: Final = "/open/"
"""Path of a link that has everything sealed inside."""
SHORT_PATH: Final = "/o/"
"""Path of a link whose grant is in the registry."""
PASSAGE_PARAMETER: Final = "p"
"""Parameter of a link that names a passage of the document, by the first digits of its uid; it gives no right."""

_MAX_CACHED_LINKS: Final = 256
PAGED_TYPE: Final = "pdf"
"""File type of which a browser opens a page."""
# Within one document, two passages have the same digits once in 2^24 pairs; the page then shows the first of them.
_PASSAGE_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Citation:
    """Source of a passage, as every dialect names it.

    Attributes:
        url: address at which the caller can open the document now, at the passage.
        short_code: code of a short link; None for another address.
    """

    document: Document
    url: str
    short_code: str | None = None


CiteFunction = Callable[[Document, Caller, int | None, str | None], Citation]
"""Signature of `SourceLinks.cite`, for callers that need no `SourceLinks` object."""


class SourceLinks:
    """Maker of links for a caller.

    Args:
        short: short links, which serve where they can.
        public_url: URL at which agents reach this server; a setting, never taken from a request.
        ttl_seconds: lifetime of a link, where the caller's rights can be checked again.
    """

    def __init__(self, seal: Sealer, short: ShortLinks, public_url: str, ttl_seconds: int, clock: Clock) -> None:
        self._seal = seal
        self._short = short
        self._sealed_links, self._short_links = (f"{public_url.rstrip('/')}{path}" for path in (OPEN_PATH, SHORT_PATH))
        self._ttl_seconds = ttl_seconds
        self._clock = clock
        # A token depends on the grant and the readers alone, so a cached one is what a new one would be.
        self._token = lru_cache(maxsize=_MAX_CACHED_LINKS)(self._seal_grant)

    def cite(self, document: Document, caller: Caller, page: int | None, passage: str | None) -> Citation:
        """Return the citation of a passage for a caller.

        `page` is the passage's first page, counted from 1, None where the format has no pages. `passage` is its uid,
        None where the document alone is cited.
        """
        url = self.url_for(document, caller)
        code = url.removeprefix(self._short_links) if url.startswith(self._short_links) else None
        # Another server reads its own parameters alone.
        if passage is not None and url.startswith((self._short_links, self._sealed_links)):
            url = f"{url}?{PASSAGE_PARAMETER}={passage.rpartition('.')[2][:_PASSAGE_DIGITS]}"
        return Citation(document, passage_url(url, document, page), code)

    def url_for(self, document: Document, caller: Caller) -> str:
        """Return the URL at which the caller's principal can open the document now."""
        own_url = safe_url_or_none(document.source_url)
        if own_url is not None:
            return own_url
        # An unrecorded source is sealed as the call's own: the tags are then valid until the link's early expiry.
        origin = LinkOrigin(caller.kid, caller.tag_source or TagSource.CALL)
        grant = LinkGrant(caller.principal, document.doc_id, self._expiry(caller), origin)
        code = self._short.code(grant)
        if code is not None:
            return f"{self._short_links}{code}"
        return f"{self._sealed_links}{self._token(grant, document.readers)}"

    def _expiry(self, caller: Caller) -> int:
        now = self._clock()
        if caller.is_named_by_token or caller.tag_source is None:
            return expiry_at_most(now, min(self._ttl_seconds, TOKEN_LINK_SECONDS))
        return expiry_at_least(now, self._ttl_seconds)

    def _seal_grant(self, grant: LinkGrant, readers: Readers) -> str:
        return self._seal.seal_repeatably(SEAL_PURPOSE, grant.to_bounded_bytes(readers))


def opening_note(public_url: str) -> str:
    """Return the line of an answer's text about how to open its sources; empty `public_url`: a path."""
    start = f"{public_url.rstrip('/')}{SHORT_PATH}"
    return f"Open: {start} + the code after a source, + ?{PASSAGE_PARAMETER}= + a passage's id to show it."


def passage_url(url: str, document: Document, page: int | None) -> str:
    """Return the document's URL at a page, counted from 1, if it is a PDF (RFC 8118, `#page=`).

    A browser applies the fragment after the redirect to the store, and the server never sees it. So all passages of a
    document have one link. A URL with a fragment of its own is returned unchanged.
    """
    if page is None or document.source_file_type != PAGED_TYPE or "#" in url:
        return url
    return f"{url}#page={page}"
