"""People who are signed in to the page by the identity provider: opened once for an attempt, found, and ended."""

from dataclasses import replace
from typing import TYPE_CHECKING

from groundwire.domain.keys.forms.page_session import PAGE_SESSION_SECONDS
from groundwire.domain.keys.forms.provider_session import (
    OpenedSession,
    SignInAttempt,
    mint_provider_session,
    parse_provider_session,
    session_digest,
)
from groundwire.services.keys.sign_in.page_sessions import OpenedPage

if TYPE_CHECKING:
    from groundwire.domain.keys.forms.key_text import RandomBytes, Secret
    from groundwire.domain.keys.forms.oauth import IdentityProvider, TokenIdentity
    from groundwire.ports import Clock, ProviderSessions


class SignedInUsers:
    """Users of one provider who are signed in to the page."""

    def __init__(
        self,
        sessions: "ProviderSessions",
        provider: "IdentityProvider",
        pepper: bytes,
        clock: "Clock",
        random_bytes: "RandomBytes",
    ) -> None:
        self._sessions = sessions
        self._provider = provider
        self._pepper = pepper
        self._clock = clock
        self._random_bytes = random_bytes

    def open(self, attempt: SignInAttempt, identity: "TokenIdentity") -> OpenedPage | None:
        """Open the session of an attempt, until its token ends or a working day is over; None where it had one.

        Raises:
            NotFound: the tenant was deleted meanwhile.
        """
        now = self._clock()
        # A token may state any number as its end, even one that no float holds.
        end = float(min(identity.expires_at, now + PAGE_SESSION_SECONDS))
        minted = mint_provider_session(identity.tenant, attempt.attempt, self._random_bytes)
        opened = OpenedSession(
            replace(identity, expires_at=end),
            attempt.attempt,
            session_digest(self._pepper, minted.text, self._provider),
            max(end, attempt.expires_at),
        )
        if not self._sessions.open(opened, now):
            return None
        return OpenedPage(minted.text, max(0, int(end - now)))

    def find(self, cookie: "Secret") -> "TokenIdentity | None":
        """Return the identity of an open session; None if there is no such session. Any other text reads no store."""
        session = parse_provider_session(cookie.reveal())
        if session is None:
            return None
        digest = session_digest(self._pepper, session.text, self._provider)
        return self._sessions.find(session, digest, self._clock())

    def end(self, cookie: "Secret") -> None:
        """End a session; nothing happens where it has ended."""
        session = parse_provider_session(cookie.reveal())
        if session is not None:
            self._sessions.end(session, session_digest(self._pepper, session.text, self._provider), self._clock())
