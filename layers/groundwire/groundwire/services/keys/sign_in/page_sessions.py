"""Sign-in to the page: a key, or a one-time address, is exchanged for a page session."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.domain.access.call_headers import TAGS_HEADER, USER_HEADER
from groundwire.domain.errors import Forbidden
from groundwire.domain.keys.forms.key_text import RandomBytes, Secret, key_digest
from groundwire.domain.keys.forms.page_session import (
    PAGE_SESSION_SECONDS,
    TICKET_SECONDS,
    PageSession,
    mint_page_session,
    parse_page_session,
)
from groundwire.domain.keys.grants import KeyKind, TagSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.domain.keys.caller import Caller
    from groundwire.ports import Clock, Keys


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """Text of a page session, to be sent once as a cookie, and the seconds until it ends."""

    text: Secret
    seconds: int


class PageSessions:
    """Maker and ender of the sign-ins of keys."""

    def __init__(self, keys: "Keys", pepper: bytes, clock: "Clock", random_bytes: RandomBytes) -> None:
        self._keys = keys
        self._pepper = pepper
        self._clock = clock
        self._random_bytes = random_bytes

    def sign_in(self, caller: "Caller") -> OpenedPage:
        """Open a page session with the rights of this call: its key, and the user and tags that it names.

        Raises:
            Forbidden: an access token names the user, which lives shorter than the page.
            InvalidInput: the tags are too long for a cookie.
            NotFound: the key was revoked meanwhile. Conflict: its former secret has just ended.
        """
        if caller.kind is KeyKind.OAUTH or caller.is_named_by_token:
            raise Forbidden("The page takes no access token: sign in with an API key.")
        return self._open(caller.principal.tenant, caller.kid, _identity_of(caller), PAGE_SESSION_SECONDS)

    def issue_ticket(self, tenant: str, kid: str) -> OpenedPage:
        """Return the ticket of a one-time address, for a page session with the rights of the key and no user.

        Raises:
            NotFound: the key is revoked, or does not exist.
        """
        return self._open(tenant, kid, {}, TICKET_SECONDS, is_ticket=True)

    def sign_out(self, cookie: Secret) -> None:
        """End a page session; nothing happens where it has ended."""
        page = parse_page_session(cookie.reveal())
        if page is not None:
            self._keys.close_page(page.kid, self._digest(page), self._clock())

    def _digest(self, page: PageSession) -> bytes:
        return key_digest(self._pepper, page.text.reveal())

    def _open(
        self, tenant: str, kid: str, identity: "Mapping[str, str]", seconds: int, *, is_ticket: bool = False
    ) -> OpenedPage:
        page = mint_page_session(kid, identity, self._random_bytes, is_ticket=is_ticket)
        now = self._clock()
        end = self._keys.open_page(tenant, kid, self._digest(page), now + seconds, now)
        return OpenedPage(page.text, int(end - now))


def _identity_of(caller: "Caller") -> dict[str, str]:
    """Return the identity headers that name the principal of a call once more, by lower-case name."""
    user, tags = caller.principal.user, caller.principal.tags
    # A personal key has its own principal. Tags of the user's entry are read with each call, as for any agent.
    named = {} if user is None or caller.tag_source is TagSource.KEY else {USER_HEADER: user}
    if caller.tag_source is not TagSource.CALL or (user is None and not tags):
        return named
    return {**named, TAGS_HEADER: json.dumps(sorted(tags), ensure_ascii=False)}
