"""Opening of links to documents, if key and user are in force and the principal may read the document now."""

from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.access.policy import AccessReason, Principal, decide
from groundwire.domain.access.scopes import Scope, holds_any
from groundwire.domain.access.tags import is_tag_covered
from groundwire.domain.access.user_blocks import NO_USER_STATE
from groundwire.domain.documents.links import SEAL_PURPOSE, LinkGrant
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.grants import KeyKind, TagSource
from groundwire.domain.keys.identity import AssertedIdentity, principal_for
from groundwire.domain.limits import ORIGINAL_URL_SECONDS
from groundwire.ports import Blobs, Clock, Collections, Documents, Keys, Sealer, Users
from groundwire.services.documents.browse.read_access import is_original_withheld
from groundwire.services.documents.links.source_links import PAGED_TYPE
from groundwire.services.documents.original_headers import OriginalHeaders, original_headers

_READING: Final = (Scope.SEARCH, Scope.VERIFY)
"""Scopes of the calls that answer with links, of which the key of a link needs one."""


@dataclass(frozen=True, slots=True)
class AdmittedLink:
    """Document that the principal of a link may read now.

    Attributes:
        reason: clause of the policy that admits the principal.
        has_original: there is one, and neither key nor collection withholds it.
    """

    principal: Principal
    document: Document
    reason: AccessReason
    has_original: bool

    @property
    def has_page_pictures(self) -> bool:
        """True where pages of the original may be shown: a page of another format looks different in each program."""
        return self.has_original and self.document.source_file_type == PAGED_TYPE


@dataclass(frozen=True, slots=True)
class OriginalContent:
    """Content of a document that the principal may read, to be sent with these headers."""

    content: bytes
    headers: OriginalHeaders


@dataclass(frozen=True, slots=True)
class OriginalLocation:
    """Short-lived public URL in the store of a document that the principal may read."""

    url: str


class LinkOpener:
    """Opener that checks a link's claim by the rights of the moment."""

    def __init__(
        self,
        seal: Sealer,
        keys: Keys,
        users: Users,
        documents: Documents,
        collections: Collections,
        blobs: Blobs,
        clock: Clock,
    ) -> None:
        self._seal = seal
        self._keys = keys
        self._users = users
        self._documents = documents
        self._collections = collections
        self._blobs = blobs
        self._clock = clock

    def read_grant(self, token: str) -> LinkGrant | None:
        """Return the grant of a link, valid or expired, for the audit line; None when it was not made here."""
        payload = self._seal.unseal(SEAL_PURPOSE, token)
        return None if payload is None else LinkGrant.from_bytes(payload)

    def admit(self, grant: LinkGrant | None) -> AdmittedLink | None:
        """Return the document of a grant, or None.

        A forged, expired or unknown link, and one to a deleted or forbidden document, look the same.
        """
        if grant is None or grant.expires_at <= self._clock():
            return None
        tenant = grant.principal.tenant
        document = self._documents.read(tenant, [grant.doc_id]).get(grant.doc_id)
        if document is None or document.state is not DocumentState.INDEXED:
            return None
        key = None if grant.origin is None else self._keys.get_usable(tenant, grant.origin.kid)
        principal = self._principal(grant, key, document.collection)
        if principal is None:
            return None
        decision = decide(principal, document.readers)
        if not decision:
            return None
        return AdmittedLink(principal, document, decision.reason, self._has_original(tenant, document, key))

    def original(self, link: AdmittedLink) -> OriginalContent | OriginalLocation | None:
        """Return the original; None if it is missing, or the key or the collection withholds it.

        Raises:
            NotFound: the store has lost it.
        """
        document, tenant = link.document, link.principal.tenant
        if document.blob is None or not link.has_original:
            return None
        headers = original_headers(document)
        url = self._blobs.download_url(
            tenant, document.blob, headers.media_type, headers.disposition, ORIGINAL_URL_SECONDS
        )
        if url is not None:
            return OriginalLocation(url)
        return OriginalContent(self._blobs.get(tenant, document.blob), headers)

    def _has_original(self, tenant: str, document: Document, key: ApiKey | None) -> bool:
        """Return whether the original may leave: reading a passage and taking the file are two rights."""
        by_key = key is not None and key.options.no_originals
        return document.blob is not None and not is_original_withheld(
            self._collections, tenant, document, by_key=by_key
        )

    def _principal(self, grant: LinkGrant, key: ApiKey | None, collection: str) -> Principal | None:
        """Return the link's current principal.

        None when the user is blocked, or the key is revoked, expired, or lacks the collection or a scope to read.
        """
        sealed, origin = grant.principal, grant.origin
        # A blocked user's links end at once, also those of the previous release.
        state = NO_USER_STATE if sealed.user is None else self._users.state(sealed.tenant, sealed.user)
        if state.is_blocked:
            return None
        if origin is None:
            # A link of the previous release names no key; it ends by its own, short expiry.
            return sealed
        if key is None or not _may_read(key, collection, self._clock()):
            return None
        if key.kind is KeyKind.PERSONAL:
            return principal_for(key, AssertedIdentity(None, None), None)
        if origin.tag_source is TagSource.ENTRY:
            return principal_for(key, AssertedIdentity(sealed.user, None), state.tags)
        # The assertion of a call or a token cannot be renewed: until the link expires it is valid within the present
        # bound of the key. No rule denies by a tag, so fewer tags never show more.
        covered = frozenset(tag for tag in sealed.tags if is_tag_covered(key.max_tags, tag))
        is_refused = key.strict_tags and origin.tag_source is TagSource.CALL and covered != sealed.tags
        return None if is_refused else replace(sealed, tags=covered)


def _may_read(key: ApiKey, collection: str, now: float) -> bool:
    """Return whether a call of the key at `now` could read in the collection."""
    return key.is_active(now) and key.allows_collection(collection) and holds_any(key.scopes, _READING)
