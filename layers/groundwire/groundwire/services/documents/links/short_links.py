"""Short links: a code of 22 characters names a grant of the registry and a document.

The id of a document follows the code where its owner chose it. A grant is all of a link but its document: key,
principal, source of the tags, expiry. Equal grants are one row of the registry, written by the first link of a
principal, key and hour, and remembered. So a search writes nothing for a principal that this process has served, and no
link has a state of its own.
"""

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import Final

from groundwire.domain.documents.links.download_link import LinkGrant
from groundwire.domain.documents.links.short_link import (
    CODE_PURPOSE,
    GRANT_PURPOSE,
    LinkNumbers,
    code_and_id,
    code_with_id,
    count_code_parts,
    grant_handles,
)
from groundwire.domain.errors import DomainError, InvalidInput, Unavailable
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
