"""Ports that are created on first use, since MCP discovery needs none of them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.domain.sessions import Session, SessionOwner
    from groundwire.ports import Sealer, Sessions


class LazySealer:
    """A `ports.Sealer` that delegates to the result of `make`."""

    def __init__(self, make: "Callable[[], Sealer]") -> None:
        self._make = make

    def seal(self, purpose: str, payload: bytes) -> str:
        """Seal the payload; see `ports.Sealer`."""
        return self._make().seal(purpose, payload)

    def unseal(self, purpose: str, token: str) -> bytes | None:
        """Unseal the token; see `ports.Sealer`."""
        return self._make().unseal(purpose, token)


class LazySessions:
    """A `ports.Sessions` that delegates to the result of `make`."""

    def __init__(self, make: "Callable[[], Sessions]") -> None:
        self._make = make

    def add(self, session: "Session") -> None:
        """Add the session; see `ports.Sessions`."""
        self._make().add(session)

    def get(self, owner: "SessionOwner", session_id: str, now: float) -> "Session | None":
        """Return the session; see `ports.Sessions`."""
        return self._make().get(owner, session_id, now)

    def extend(self, owner: "SessionOwner", session_id: str, now: float, expires_at: float) -> bool:
        """Extend the session; see `ports.Sessions`."""
        return self._make().extend(owner, session_id, now, expires_at)

    def set_log_level(self, owner: "SessionOwner", session_id: str, now: float, level: str) -> bool:
        """Set the session's log level; see `ports.Sessions`."""
        return self._make().set_log_level(owner, session_id, now, level)

    def end(self, owner: "SessionOwner", session_id: str, now: float) -> bool:
        """End the session; see `ports.Sessions`."""
        return self._make().end(owner, session_id, now)
