"""Port of sessions of clients that open with a handshake."""

from typing import Protocol

from groundwire.domain.keys.sessions import Session, SessionOwner


class Sessions(Protocol):
    """Store of sessions by owner and id; each method raises Unavailable when the store does not respond."""

    def add(self, session: Session) -> None:
        """Add the session.

        Raises:
            Conflict: the id exists.
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
        """End the session; return False when there was none (of two concurrent calls, one returns True)."""
        ...
