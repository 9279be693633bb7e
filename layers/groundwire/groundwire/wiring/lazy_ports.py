"""Ports that are made when they are first used: a server that only introduces itself needs none of them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.domain.sessions import Session, SessionOwner
    from groundwire.ports import Sealer, Sessions


class LazySealer:
    """Implements `ports.Seal` by the one that `make` gives."""

    def __init__(self, make: "Callable[[], Sealer]") -> None:
        self._make = make

    def seal(self, purpose: str, payload: bytes) -> str:
        """See `ports.Seal`."""
        return self._make().seal(purpose, payload)

    def unseal(self, purpose: str, token: str) -> bytes | None:
        """See `ports.Seal`."""
        return self._make().unseal(purpose, token)


class LazySessions:
    """Implements `ports.Sessions` by the store that `make` gives."""

    def __init__(self, make: "Callable[[], Sessions]") -> None:
        self._make = make

    def add(self, session: "Session") -> None:
        """See `ports.Sessions`."""
        self._make().add(session)

    def get(self, owner: "SessionOwner", session_id: str, now: float) -> "Session | None":
        """See `ports.Sessions`."""
        return self._make().get(owner, session_id, now)

    def extend(self, owner: "SessionOwner", session_id: str, now: float, expires_at: float) -> bool:
        """See `ports.Sessions`."""
        return self._make().extend(owner, session_id, now, expires_at)

    def set_log_level(self, owner: "SessionOwner", session_id: str, now: float, level: str) -> bool:
        """See `ports.Sessions`."""
        return self._make().set_log_level(owner, session_id, now, level)

    def end(self, owner: "SessionOwner", session_id: str, now: float) -> bool:
        """See `ports.Sessions`."""
        return self._make().end(owner, session_id, now)
