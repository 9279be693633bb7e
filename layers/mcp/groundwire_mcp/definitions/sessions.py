"""Sessions of clients that open with a handshake: owner, negotiated version, lifetimes, and the store that keeps them.

A session proves no identity.
"""

from typing import Final, NamedTuple, Protocol

SESSION_SECONDS: Final = 30 * 86_400
"""Lifetime of a session after its last use: real clients do not recover from one that has ended."""
UNUSED_SESSION_SECONDS: Final = 86_400
"""Lifetime of a session without a request after `initialize`: many clients open a session for each look-up."""
EXPIRY_UPDATE_SECONDS: Final = 3_600
"""Least time between two updates of a session's expiry, so that most calls in a session cost a read and no write."""


class SessionOwner(NamedTuple):
    """Owner of a session; for all other callers the session is unknown.

    Attributes:
        user: the end user of the call that opened the session; None for nobody.
    """

    tenant: str
    kid: str
    user: str | None


class Session(NamedTuple):
    """State agreed on in one handshake.

    Attributes:
        id: 43 characters of the URL-safe base64 alphabet, 256 bits.
        protocol_version: the negotiated revision.
        client_name, client_version: as the client gave them, truncated; for the operator only.
        log_level: the last level that `logging/setLevel` requested; None before.
        created_at, expires_at: epoch seconds; use extends `expires_at`.
        shows_apps: whether the client's capabilities name MCP Apps.
    """

    id: str
    owner: SessionOwner
    protocol_version: str
    client_name: str
    client_version: str
    log_level: str | None
    created_at: float
    expires_at: float
    shows_apps: bool = False


class SessionsUnavailable(Exception):
    """Error when the store of sessions does not respond, or does not take a new session.

    Attributes:
        retry_after_s: whole seconds after which a repeat is worth trying.
    """

    def __init__(self, message: str, retry_after_s: int = 5) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class SessionStore(Protocol):
    """Store of sessions by owner and id; each method raises SessionsUnavailable when the store does not respond."""

    def add(self, session: Session) -> None:
        """Add the session.

        Raises:
            SessionsUnavailable: also when the id exists.
        """
        ...

    def get(self, owner: SessionOwner, session_id: str, now: float) -> Session | None:
        """Return the live session, in one read; None for one that is unknown, ended, expired or another owner's."""
        ...

    def extend(self, owner: SessionOwner, session_id: str, now: float, expires_at: float) -> bool:
        """Extend a live session until `expires_at`; return False when it no longer exists, and never restore it."""
        ...

    def set_log_level(self, owner: SessionOwner, session_id: str, now: float, level: str) -> bool:
        """Store the log level that the client requested; return False as `extend` does."""
        ...

    def end(self, owner: SessionOwner, session_id: str, now: float) -> bool:
        """End the session; return False if it was missing (of two concurrent calls, one returns True)."""
        ...
