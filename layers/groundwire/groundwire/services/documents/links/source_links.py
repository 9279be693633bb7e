"""Links to the documents of passages: opening a link checks the current rights.

A document with a URL of its own is linked there. Any other gets `<public_url>/o/<code>`: the code names a grant of the
registry and the document; an id of the owner's choice follows it. Where the registry takes no grant, the link is
`<public_url>/open/<sealed>`, with the same facts sealed inside. The facts are tenant, document, user, tags, key and
expiry, and opening the link checks the current rights. A link is the same text for every call in which these are equal,
so that clients can cache what they send to a model. `Citation` is what dialects write, so the form of an address is
decided here alone.

A grant is all of a link but its document: key, principal, source of the tags, expiry. Equal grants are one row of the
registry, written by the first link of a principal, key and hour, and remembered. So a search writes nothing for a
principal that this process has served, and no link has a state of its own.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from groundwire.domain.access.policy import Readers
from groundwire.domain.documents.links import (
    CODE_PURPOSE,
    GRANT_PURPOSE,
    SEAL_PURPOSE,
    LinkGrant,
    LinkNumbers,
    LinkOrigin,
    code_and_id,
    code_with_id,
    count_code_parts,
    expiry_at_least,
    expiry_at_most,
    grant_handles,
    safe_url_or_none,
)
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import DomainError, InvalidInput, Unavailable
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import TagSource
from groundwire.domain.limits import TOKEN_LINK_SECONDS
from groundwire.ports import BlockCodes, Clock, LinkGrants, Sealer

_MAX_REMEMBERED_GRANTS: Final = 8_192
_MAX_CACHED_CODES: Final = 1_024
_RETRY_SECONDS: Final = 60
"""Time without a further attempt after a failed write: no search waits for a store that refuses."""
_MAX_GRANT_BYTES: Final = 1_024
"""Length of a grant, about that of a user with 20 tags; longer links carry more."""
_MAX_GRANTS_PER_HOUR: Final = 20_000
"""New grants of one key in an hour of this process, about 20 MB; a platform has fewer users, and a hog more tags."""
_HOUR_S: Final = 3_600
_NO_DOCUMENT: Final = ""


class ShortLinks:
    """Codes of links, and the grants behind them."""

    def __init__(self, seal: Sealer, codes: BlockCodes, grants: LinkGrants, clock: Clock) -> None:
        self._seal = seal
        self._codes = codes
        self._grants = grants
        self._clock = clock
        self._retry_at = 0.0
        self._hour = 0
        self._new_grants = Counter[str]()
        # A handle depends on the grant alone, and the grant has its end in it.
        self._handle = lru_cache(maxsize=_MAX_REMEMBERED_GRANTS)(self._store)
        self._code = lru_cache(maxsize=_MAX_CACHED_CODES)(self._encode)

    def code(self, grant: LinkGrant) -> str | None:
        """Return the code of a grant for a document; None while the registry takes no grant."""
        try:
            handle = self._handle(replace(grant, doc_id=_NO_DOCUMENT))
        except DomainError:
            # The answer matters more than the length of its links, so a longer one replaces it.
            return None
        return code_with_id(self._code(LinkNumbers.of(handle, grant.doc_id)), grant.doc_id)

    def read(self, code: str) -> LinkGrant | None:
        """Return the grant behind a code; None for a code that was not made here, or whose grant has ended.

        Raises:
            Unavailable: the registry does not answer.
        """
        sealed_code, chosen_id = code_and_id(code)
        block = self._codes.decode(CODE_PURPOSE, sealed_code)
        numbers = None if block is None else LinkNumbers.from_block(block)
        doc_id = None if numbers is None else numbers.doc_id(chosen_id)
        sealed = None if numbers is None or doc_id is None else self._grants.get(numbers.handle, self._clock())
        payload = None if sealed is None else self._seal.unseal(GRANT_PURPOSE, sealed)
        if doc_id is None or payload is None:
            return None
        return replace(LinkGrant.from_bytes(payload), doc_id=doc_id)

    def _store(self, grant: LinkGrant) -> int:
        """Store the grant and return its handle.

        Raises:
            InvalidInput: it is too large, or one too many of its key.
        Unavailable: the registry does not answer; then none is tried for `_RETRY_SECONDS`.
        """
        now = self._clock()
        if now < self._retry_at:
            raise Unavailable("The registry took no grant of a link a moment ago.")
        payload = grant.to_bytes()
        if len(payload) > _MAX_GRANT_BYTES:
            # Callers choose the tags, and what they choose must not fill the registry.
            raise InvalidInput("The grant of this link is too large for a row.")
        self._count(grant, now)
        sealed = self._seal.seal_repeatably(GRANT_PURPOSE, payload)
        try:
            for handle in grant_handles(sealed):
                if self._grants.add(grant.principal.tenant, handle, sealed, now, grant.expires_at):
                    return handle
        except Unavailable:
            # Other errors, such as that of a deleted tenant, are of this grant alone.
            self._retry_at = now + _RETRY_SECONDS
            raise
        raise Unavailable("Other grants have every handle of this one.")

    def _count(self, grant: LinkGrant, now: float) -> None:
        """Count a new grant of a key.

        Raises:
            InvalidInput: it is one too many in this hour.
        """
        if (hour := int(now // _HOUR_S)) != self._hour:
            self._hour = hour
            self._new_grants.clear()
        kid = "" if grant.origin is None else grant.origin.kid
        if self._new_grants[kid] == _MAX_GRANTS_PER_HOUR:
            raise InvalidInput("The key has more grants of links in this hour than are stored.")
        self._new_grants[kid] += 1

    def _encode(self, numbers: LinkNumbers) -> str:
        codes = (self._codes.encode(CODE_PURPOSE, block) for block in numbers.blocks())
        # Models read links, so of the codes that mean the same the one with the fewest tokens serves.
        return min(codes, key=count_code_parts)


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
    # A sentence with a comma and a purpose takes 44 tokens on a host of AWS, this one 40.
    return f"Open: {start} + the code after a source + ?{PASSAGE_PARAMETER}= + a passage's id."


def passage_url(url: str, document: Document, page: int | None) -> str:
    """Return the document's URL at a page, counted from 1, if it is a PDF (RFC 8118, `#page=`).

    A browser applies the fragment after the redirect to the store, and the server never sees it. So all passages of a
    document have one link. A URL with a fragment of its own is returned unchanged.
    """
    if page is None or document.source_file_type != PAGED_TYPE or "#" in url:
        return url
    return f"{url}#page={page}"
