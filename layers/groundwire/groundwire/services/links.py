"""Links to source documents: they outlive tokens, not rights.

A document with a URL of its own is linked there. Any other gets `<public_url>/open/<sealed>`: tenant,
document, user, tags and expiry are sealed inside, and opening it asks for the rights of that moment.
"""

import json
from dataclasses import dataclass
from typing import Final, cast

from groundwire.domain.access import Principal, decide
from groundwire.domain.documents import Document, DocumentState
from groundwire.ports import Blobs, Clock, Documents, Seal

_PURPOSE: Final = "open"


@dataclass(frozen=True, slots=True)
class Opened:
    """A document that may be shown: bytes to stream as an attachment, or a short-lived address to go to."""

    file_name: str
    content: bytes | None
    redirect_url: str | None
    tenant: str
    doc_id: str
    policy_version: int


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
        payload = [
            principal.tenant,
            document.doc_id,
            principal.user,
            sorted(principal.tags),
            int(self._clock()) + self._seconds,
        ]
        return f"{self._public_url}/open/{self._seal.seal(_PURPOSE, json.dumps(payload).encode())}"


class OpenDocument:
    """Opens a link, if the principal sealed inside may read the document at this moment."""

    def __init__(self, seal: Seal, documents: Documents, blobs: Blobs, clock: Clock) -> None:
        self._seal = seal
        self._documents = documents
        self._blobs = blobs
        self._clock = clock

    def __call__(self, token: str) -> Opened | None:
        """The document, or None: forged, expired, unknown, forbidden and deleted are not told apart."""
        payload = self._seal.unseal(_PURPOSE, token)
        if payload is None:
            return None
        tenant, doc_id, user, tags, expires_at = cast(
            "tuple[str, str, str | None, list[str], int]", json.loads(payload)
        )
        if expires_at <= self._clock():
            return None
        document = self._documents.read(tenant, [doc_id]).get(doc_id)
        if document is None or document.state is not DocumentState.INDEXED or document.blob is None:
            return None
        if not decide(Principal(tenant, user, frozenset(tags)), document.policy):
            return None
        content = self._blobs.get(tenant, document.blob)
        return Opened(document.source_file_name, content, None, tenant, doc_id, document.policy_version)
