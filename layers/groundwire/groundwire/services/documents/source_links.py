"""Links to the documents of passages: opening a link checks the current rights.

A document with a URL of its own is linked there. Any other gets `<public_url>/open/<sealed>`: tenant, document, user,
tags, key and expiry are sealed inside, and opening it checks the current rights.
"""

from collections.abc import Callable

from groundwire.domain.documents.download_link import SEAL_PURPOSE, LinkGrant, LinkOrigin
from groundwire.domain.documents.record import Document
from groundwire.domain.documents.source_url import safe_url_or_none
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import KeyKind, TagSource
from groundwire.domain.limits import TOKEN_LINK_SECONDS
from groundwire.ports import Clock, Sealer

LinkFunction = Callable[[Document, Caller], str]
"""Signature of `SourceLinks.url_for`, for callers that need no `SourceLinks` object."""


class SourceLinks:
    """Maker of links for a caller.

    Args:
        public_url: URL at which agents reach this server; a setting, never taken from a request.
        ttl_seconds: lifetime of a link, where the caller's rights can be checked again.
    """

    def __init__(self, seal: Sealer, public_url: str, ttl_seconds: int, clock: Clock) -> None:
        self._seal = seal
        self._public_url = public_url.rstrip("/")
        self._ttl_seconds = ttl_seconds
        self._clock = clock

    def url_for(self, document: Document, caller: Caller) -> str:
        """Return the URL at which the caller's principal can open the document now."""
        own_url = safe_url_or_none(document.source_url)
        if own_url is not None:
            return own_url
        # An unrecorded source is sealed as the call's own: the tags are then valid until the link's early expiry.
        origin = LinkOrigin(caller.kid, caller.tag_source or TagSource.CALL)
        grant = LinkGrant(
            caller.principal, document.doc_id, int(self._clock()) + self._link_ttl_seconds(caller), origin
        )
        return f"{self._public_url}/open/{self._seal.seal(SEAL_PURPOSE, grant.to_bounded_bytes(document.policy))}"

    def _link_ttl_seconds(self, caller: Caller) -> int:
        if caller.kind is KeyKind.OAUTH or caller.tag_source is None:
            return min(self._ttl_seconds, TOKEN_LINK_SECONDS)
        return self._ttl_seconds
