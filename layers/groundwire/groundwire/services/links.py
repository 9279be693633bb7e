"""Links to source documents: they outlive tokens, not rights.

A document with a URL of its own is linked there. Any other gets `<public_url>/open/<sealed>`: tenant,
document, user, tags and expiry are sealed inside, and opening it asks for the rights of that moment.
"""

from collections.abc import Callable

from groundwire.domain.access import Principal
from groundwire.domain.documents import Document
from groundwire.domain.link_grant import SEAL_PURPOSE, LinkGrant
from groundwire.ports import Clock, Seal

LinkTo = Callable[[Document, Principal], str]
"""The shape of `SourceLinks.to`, for those who need not know when it is made."""


class SourceLinks:
    """Makes links for a principal.

    Args:
        public_url: where agents reach this server; a setting, never taken from a request.
        seconds: how long a link is good for.
    """

    def __init__(self, seal: Seal, public_url: str, seconds: int, clock: Clock) -> None:
        self._seal = seal
        self._public_url = public_url.rstrip("/")
        self._seconds = seconds
        self._clock = clock

    def to(self, document: Document, principal: Principal) -> str:
        """The address at which `principal` can open the document now."""
        if document.source_url:
            return document.source_url
        grant = LinkGrant(principal, document.doc_id, int(self._clock()) + self._seconds)
        return f"{self._public_url}/open/{self._seal.seal(SEAL_PURPOSE, grant.fitted(document.policy))}"
