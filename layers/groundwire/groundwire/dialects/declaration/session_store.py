"""The server's store of sessions as the MCP core needs it: with the core's own error."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import Conflict, Unavailable
from groundwire_mcp.definitions.sessions import SessionsUnavailable

if TYPE_CHECKING:
    from groundwire.ports.system import Sessions
    from groundwire_mcp.definitions.sessions import Session, SessionOwner

_RETRY_AFTER_SECONDS: Final = 5


class McpSessionStore:
    """Implements the core's `SessionStore` by the port `Sessions`."""

    def __init__(self, sessions: "Sessions") -> None:
        self._sessions = sessions

    def add(self, session: "Session") -> None:
        """Add the session; an id that exists counts as a store that does not respond."""
        try:
            with _unavailable_as_error_of_the_core():
                self._sessions.add(session)
        except Conflict as error:
            # Ids are unguessable: a conflict is with this session's own write, repeated after a lost response.
            raise SessionsUnavailable(str(error), _RETRY_AFTER_SECONDS) from error

    def get(self, owner: "SessionOwner", session_id: str, now: float) -> "Session | None":
        """Return the live session; None for one that is unknown, ended, expired or another owner's."""
        with _unavailable_as_error_of_the_core():
            return self._sessions.get(owner, session_id, now)

    def extend(self, owner: "SessionOwner", session_id: str, now: float, expires_at: float) -> bool:
        """Extend a live session; return False when it no longer exists."""
        with _unavailable_as_error_of_the_core():
            return self._sessions.extend(owner, session_id, now, expires_at)

    def set_log_level(self, owner: "SessionOwner", session_id: str, now: float, level: str) -> bool:
        """Store the log level that the client requested; return False when the session no longer exists."""
        with _unavailable_as_error_of_the_core():
            return self._sessions.set_log_level(owner, session_id, now, level)

    def end(self, owner: "SessionOwner", session_id: str, now: float) -> bool:
        """End the session; return False if it was missing."""
        with _unavailable_as_error_of_the_core():
            return self._sessions.end(owner, session_id, now)


@contextmanager
def _unavailable_as_error_of_the_core() -> Generator[None]:
    try:
        yield
    except Unavailable as error:
        # The MCP core is a package of its own, which knows no error of the server.
        raise SessionsUnavailable(str(error), error.retry_after_s) from error
