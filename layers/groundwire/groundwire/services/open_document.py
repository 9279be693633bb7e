"""Open a link to a stored original, if the principal sealed inside may read the document at this moment."""

from dataclasses import dataclass

from groundwire.domain.access import decide
from groundwire.domain.documents import Document, DocumentState
from groundwire.domain.limits import ORIGINAL_ADDRESS_SECONDS
from groundwire.domain.link_grant import SEAL_PURPOSE, LinkGrant
from groundwire.ports import Blobs, Clock, Documents, Seal


@dataclass(frozen=True, slots=True)
class Opened:
    """A document that may be shown, as an attachment."""

    document: Document
    content: bytes


@dataclass(frozen=True, slots=True)
class Placed:
    """A document that may be shown, and the address at which its store hands it out, for a short while to anybody."""

    document: Document
    address: str


class OpenDocument:
    """Checks a link's claim and hands out the original."""

    def __init__(self, seal: Seal, documents: Documents, blobs: Blobs, clock: Clock) -> None:
        self._seal = seal
        self._documents = documents
        self._blobs = blobs
        self._clock = clock

    def grant(self, token: str) -> LinkGrant | None:
        """Whom a link was made for, good or not any more; None when it was not made here. For the audit line."""
        payload = self._seal.unseal(SEAL_PURPOSE, token)
        return None if payload is None else LinkGrant.from_bytes(payload)

    def __call__(self, token: str) -> Opened | Placed | None:
        """The document, or None: forged, expired, unknown, forbidden and deleted are not told apart."""
        grant = self.grant(token)
        if grant is None or grant.expires_at <= self._clock():
            return None
        tenant = grant.principal.tenant
        document = self._documents.read(tenant, [grant.doc_id]).get(grant.doc_id)
        if document is None or document.state is not DocumentState.INDEXED or document.blob is None:
            return None
        if not decide(grant.principal, document.policy):
            return None
        address = self._blobs.address(tenant, document.blob, document.source_file_name, ORIGINAL_ADDRESS_SECONDS)
        if address is not None:
            return Placed(document, address)
        return Opened(document, self._blobs.get(tenant, document.blob))
