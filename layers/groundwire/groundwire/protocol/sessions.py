"""Sessions of the handshake revisions: begun by `initialize`, looked up where an id is sent, never asked for.

A session proves nothing: each call is authorised by its key, and a session that is another owner's is unknown.
"""

from typing import TYPE_CHECKING, Final, Generic

from groundwire.domain.errors import Conflict, Unavailable
from groundwire.domain.limits import MAX_CLIENT_NAME_CHARACTERS, MAX_SESSION_ID_CHARACTERS
from groundwire.protocol.definitions.tools import CallerT
from groundwire.protocol.jsonrpc.errors import ProtocolError, ResultCode
from groundwire.protocol.jsonrpc.json_codec import Json, JsonObject
from groundwire.protocol.request_context import HttpContext
from groundwire.protocol.versions import SESSION_HEADER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.domain.sessions import Session
    from groundwire.protocol.definitions.server import ServerDependencies
    from groundwire.protocol.definitions.tool_context import LogLevel

_RETRY_AFTER_SECONDS: Final = 5


class SessionLifecycle(Generic[CallerT]):
    """What is done with sessions, over the store that keeps them."""

    def __init__(self, dependencies: "ServerDependencies[CallerT]") -> None:
        self._dependencies = dependencies

    def create(self, caller: CallerT, params: JsonObject, version: str) -> str:
        """The id of a new session; Raises Refusal."""
        from groundwire.domain.sessions import UNUSED_SESSION_SECONDS, Session

        now = self._dependencies.clock()
        client = params.get("clientInfo")
        session = Session(
            id=self._dependencies.new_session_id(),
            owner=self._dependencies.session_owner(caller),
            protocol_version=version,
            client_name=_client_info_text(client, "name"),
            client_version=_client_info_text(client, "version"),
            log_level=None,
            created_at=now,
            expires_at=now + UNUSED_SESSION_SECONDS,
        )
        try:
            self._dependencies.sessions.add(session)
        except (Unavailable, Conflict) as problem:
            # Nobody else's id: a store that writes again after a lost answer finds what it wrote itself.
            raise _store_unavailable(problem) from problem
        return session.id

    def resume(self, http: HttpContext[CallerT]) -> "Session | None":
        """The session that the request was sent in, its end moved; None when it names none; Raises Refusal."""
        session = self.find(http)
        if (
            session is not None
            and http.session is None
            and not self._extend_expiry(session, self._dependencies.clock())
        ):
            raise _session_not_found()
        return session

    def find(self, http: HttpContext[CallerT]) -> "Session | None":
        """Return the session that the message was sent in, as it is; None when it names none; Raises Refusal."""
        if http.session is not None:
            return http.session
        session_id = _session_id_header(http.headers)
        if session_id is None:
            return None
        now = self._dependencies.clock()
        try:
            session = self._dependencies.sessions.get(self._dependencies.session_owner(http.caller), session_id, now)
        except Unavailable as problem:
            raise _store_unavailable(problem) from problem
        if session is None:
            raise _session_not_found()
        return session

    def set_log_level(self, session: "Session", level: "LogLevel") -> None:
        """The session's client is told no less from now on; Raises Refusal."""
        try:
            kept = self._dependencies.sessions.set_log_level(
                session.owner, session.id, self._dependencies.clock(), level
            )
        except Unavailable as problem:
            raise _store_unavailable(problem) from problem
        if not kept:
            raise _session_not_found()

    def end(self, headers: "Mapping[str, str]", caller: CallerT) -> bool:
        """Whether the request named a session, which is over now; Raises Refusal."""
        session_id = _session_id_header(headers)
        if session_id is None:
            return False
        try:
            ended = self._dependencies.sessions.end(
                self._dependencies.session_owner(caller), session_id, self._dependencies.clock()
            )
        except Unavailable as problem:
            raise _store_unavailable(problem) from problem
        if not ended:
            raise _session_not_found()
        return True

    def _extend_expiry(self, session: "Session", now: float) -> bool:
        """Whether the session lives on."""
        from groundwire.domain.sessions import EXPIRY_UPDATE_SECONDS, SESSION_SECONDS

        if now <= session.expires_at - SESSION_SECONDS + EXPIRY_UPDATE_SECONDS:
            return True
        try:
            return self._dependencies.sessions.extend(session.owner, session.id, now, now + SESSION_SECONDS)
        except Unavailable:
            # It has been read, and lives long enough for a later call to move its end.
            return True


def _session_id_header(headers: "Mapping[str, str]") -> str | None:
    """The id in the header; None without a header; Raises Refusal for one that cannot be ours, unread."""
    session_id = headers.get(SESSION_HEADER)
    if session_id is None:
        return None
    is_visible = session_id.isascii() and session_id.isprintable() and " " not in session_id
    if not is_visible or not 0 < len(session_id) <= MAX_SESSION_ID_CHARACTERS:
        raise _session_not_found()
    return session_id


def _client_info_text(client: Json, name: str) -> str:
    value = client.get(name) if isinstance(client, dict) else None
    return value[:MAX_CLIENT_NAME_CHARACTERS] if isinstance(value, str) else ""


def _session_not_found() -> ProtocolError:
    return ProtocolError(
        ResultCode.UNKNOWN_SESSION, "Session not found: it has ended or expired; send initialize again."
    )


def _store_unavailable(error: Unavailable | Conflict) -> ProtocolError:
    seconds = error.retry_after_s if isinstance(error, Unavailable) else _RETRY_AFTER_SECONDS
    return ProtocolError(
        ResultCode.UNAVAILABLE,
        "Sessions cannot be reached just now; try again after the stated seconds.",
        data={"retryable": True, "retry_after_s": seconds},
        headers={"retry-after": str(seconds)},
    )
