"""Open a link to a stored original, if its key is in force and its principal may read the document at this moment."""

from dataclasses import dataclass

from groundwire.domain.access import Principal, decide
from groundwire.domain.documents import Document, DocumentState
from groundwire.domain.grants import TagSource
from groundwire.domain.identity import Asserted, principal_for
from groundwire.domain.limits import ORIGINAL_ADDRESS_SECONDS
from groundwire.domain.link_grant import SEAL_PURPOSE, LinkGrant
from groundwire.ports import Blobs, Clock, Documents, Keys, Seal, Users


@dataclass(frozen=True, slots=True)
class Opened:
    """A document that may be shown to the principal, as an attachment."""

    principal: Principal
    document: Document
    content: bytes


@dataclass(frozen=True, slots=True)
class Placed:
    """A document that may be shown to the principal, and its address in the store, which works briefly for anybody."""

    principal: Principal
    document: Document
    address: str


class OpenDocument:
    """Checks a link's claim and hands out the original."""

    def __init__(self, seal: Seal, keys: Keys, users: Users, documents: Documents, blobs: Blobs, clock: Clock) -> None:
        self._seal = seal
        self._keys = keys
        self._users = users
        self._documents = documents
        self._blobs = blobs
        self._clock = clock

    def grant(self, token: str) -> LinkGrant | None:
        """Whom a link was made for, good or not any more; None when it was not made here. For the audit line."""
        payload = self._seal.unseal(SEAL_PURPOSE, token)
        return None if payload is None else LinkGrant.from_bytes(payload)

    def __call__(self, token: str) -> Opened | Placed | None:
        """The document, or None: forged, expired, unknown, forbidden, deleted and withdrawn are not told apart."""
        grant = self.grant(token)
        if grant is None or grant.expires_at <= self._clock():
            return None
        tenant = grant.principal.tenant
        document = self._documents.read(tenant, [grant.doc_id]).get(grant.doc_id)
        if document is None or document.state is not DocumentState.INDEXED or document.blob is None:
            return None
        principal = self._principal(grant, document.collection)
        if principal is None or not decide(principal, document.policy):
            return None
        address = self._blobs.address(tenant, document.blob, document.source_file_name, ORIGINAL_ADDRESS_SECONDS)
        if address is not None:
            return Placed(principal, document, address)
        return Opened(principal, document, self._blobs.get(tenant, document.blob))

    def _principal(self, grant: LinkGrant, collection: str) -> Principal | None:
        """Whom the link speaks for now; None when its key is revoked, expired or does not reach the collection."""
        sealed, origin = grant.principal, grant.origin
        if origin is None:
            # A link of the release before names no key; it ends by its own, short expiry.
            return sealed
        key = self._keys.get(sealed.tenant, origin.kid)
        if key is None or not key.in_force(self._clock()) or not key.reaches(collection):
            return None
        match origin.tag_source:
            case TagSource.CALL | TagSource.TOKEN:
                # Nobody can be asked again for what a call or a token asserted: it is good until the link expires.
                return sealed
            case TagSource.KEY:
                return principal_for(key, Asserted(None, None), None)
            case TagSource.ENTRY:
                entry = None if sealed.user is None else self._users.tags(sealed.tenant, sealed.user)
                return principal_for(key, Asserted(sealed.user, None), entry)
