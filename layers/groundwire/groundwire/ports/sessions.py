"""Sessions of clients that open with a handshake."""

from typing import Protocol

from groundwire.domain.sessions import Session, SessionOwner


class Sessions(Protocol):
    """Sessions by owner and id; each method raises Unavailable when the store does not answer."""

    def add(self, session: Session) -> None:
        """The session is there; Raises Conflict when the id is taken."""
        ...

    def get(self, owner: SessionOwner, session_id: str, now: float) -> Session | None:
        """The living session, in one read; None for one that is unknown, ended, expired or another owner's."""
        ...

    def extend(self, owner: SessionOwner, session_id: str, now: float, expires_at: float) -> bool:
        """Moves the end of a living session; False when there is none any more: nothing is brought back to life."""
        ...

    def set_log_level(self, owner: SessionOwner, session_id: str, now: float, level: str) -> bool:
        """Keeps what the client wants to be told; False as with `slide`."""
        ...

    def end(self, owner: SessionOwner, session_id: str, now: float) -> bool:
        """There is no such session any more; False when there was none (of two that end it, one hears True)."""
        ...
