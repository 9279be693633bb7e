"""Sessions of the handshake revisions: created by `initialize`, looked up when a request names one, never required.

A session is no proof of identity: the key authorises each call, and a session of another owner counts as unknown.

A client that initialises without a credential, where that is open, gets an id that is random, stored nowhere, and proof
of nothing. It sends it with later calls, those with a key among them. Such an id has the form of a UUID, which no id of
a stored session has, and is never looked up.
"""

import re
from typing import TYPE_CHECKING, Final, Generic

from groundwire_mcp.definitions.sessions import (
    EXPIRY_UPDATE_SECONDS,
    SESSION_SECONDS,
    UNUSED_SESSION_SECONDS,
    Session,
    SessionsUnavailable,
)
from groundwire_mcp.definitions.tools import CallerT
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.json_codec import Json, JsonObject
from groundwire_mcp.limits import MAX_CLIENT_NAME_CHARACTERS, MAX_SESSION_ID_CHARACTERS
from groundwire_mcp.request_context import HttpContext, shows_apps
from groundwire_mcp.versions import SESSION_HEADER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire_mcp.definitions.log_levels import LogLevel
    from groundwire_mcp.definitions.server import ServerDependencies
    from groundwire_mcp.definitions.sessions import SessionStore
    from groundwire_mcp.transport.exchanges import McpResponse
    from groundwire_mcp.transport.http import HttpRequest

_OPEN_SESSION: Final = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"


class SessionLifecycle(Generic[CallerT]):
    """Creation, lookup, extension and end of sessions in the session store."""

    def __init__(self, dependencies: "ServerDependencies[CallerT]") -> None:
        self._dependencies = dependencies

    def create(self, caller: CallerT, params: JsonObject, version: str) -> str | None:
        """Store a new session and return its id; None where the server keeps no sessions.

        Raises:
            ProtocolError: the session store is unavailable.
        """
        if self._dependencies.sessions is None:
            return None
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
            shows_apps=shows_apps(params.get("capabilities")),
        )
        try:
            self._store.add(session)
        except SessionsUnavailable as error:
            raise _store_unavailable(error) from error
        return session.id

    def resume(self, http: HttpContext[CallerT]) -> "Session | None":
        """Return the request's session after extending it; None when the request names none.

        Raises:
            ProtocolError: the session is unknown or ended, or the store is unavailable.
        """
        session = self.find(http)
        if (
            session is not None
            and http.session is None
            and not self._extend_expiry(session, self._dependencies.clock())
        ):
            raise _session_not_found()
        return session

    def find(self, http: HttpContext[CallerT]) -> "Session | None":
        """Return the message's session without extending it; None when the message names none.

        Raises:
            ProtocolError: the session is unknown or ended, or the store is unavailable.
        """
        if http.session is not None:
            return http.session
        sessions = self._dependencies.sessions
        session_id = None if sessions is None else _session_id_header(http.headers)
        if sessions is None or session_id is None:
            return None
        now = self._dependencies.clock()
        try:
            session = sessions().get(self._dependencies.session_owner(http.caller), session_id, now)
        except SessionsUnavailable as error:
            raise _store_unavailable(error) from error
        if session is None:
            raise _session_not_found()
        return session

    def set_log_level(self, session: "Session", level: "LogLevel") -> None:
        """Store the least severe level that the session's client wants.

        Raises:
            ProtocolError: the session is unknown or ended, or the store is unavailable.
        """
        try:
            is_stored = self._store.set_log_level(session.owner, session.id, self._dependencies.clock(), level)
        except SessionsUnavailable as error:
            raise _store_unavailable(error) from error
        if not is_stored:
            raise _session_not_found()

    def end(self, headers: "Mapping[str, str]", caller: CallerT) -> bool:
        """End the request's session; return False when the request names none.

        Raises:
            ProtocolError: the session is unknown or ended, or the store is unavailable.
        """
        sessions = self._dependencies.sessions
        session_id = None if sessions is None else _session_id_header(headers)
        if sessions is None or session_id is None:
            return False
        try:
            is_ended = sessions().end(self._dependencies.session_owner(caller), session_id, self._dependencies.clock())
        except SessionsUnavailable as error:
            raise _store_unavailable(error) from error
        if not is_ended:
            raise _session_not_found()
        return True

    @property
    def _store(self) -> "SessionStore":
        """Store of the sessions; a session that was found has one."""
        if self._dependencies.sessions is None:
            raise LookupError("sessions")
        return self._dependencies.sessions()

    def _extend_expiry(self, session: "Session", now: float) -> bool:
        """Extend the session if it is due; return whether the session still exists."""
        # A new session ends a day after its handshake, which is before this bound: its first request extends it.
        if now <= session.expires_at - SESSION_SECONDS + EXPIRY_UPDATE_SECONDS:
            return True
        try:
            return self._store.extend(session.owner, session.id, now, now + SESSION_SECONDS)
        except SessionsUnavailable:
            # The session was just read; a later call extends it.
            return True


def with_open_session(answer: "McpResponse") -> "McpResponse":
    """Return the answer of open discovery; that to `initialize` names a new id."""
    if answer.method != "initialize" or answer.result_code is not ResultCode.ANSWERED:
        return answer
    # Only open discovery needs the module, and a cold start waits for every import.
    from uuid import uuid4

    headers = {**answer.response.headers, SESSION_HEADER: str(uuid4())}
    return answer._replace(response=answer.response._replace(headers=headers))


def without_open_session(request: "HttpRequest") -> "HttpRequest":
    """Return the request without an id of open discovery."""
    # The pattern is compiled at its first use: most servers have no open discovery.
    if not re.fullmatch(_OPEN_SESSION, request.headers.get(SESSION_HEADER, "")):
        return request
    return request._replace(headers={name: text for name, text in request.headers.items() if name != SESSION_HEADER})


def _session_id_header(headers: "Mapping[str, str]") -> str | None:
    """Return the id in the header; None without a header.

    Raises:
        ProtocolError: the value cannot be an id of this server; the store is not read for it.
    """
    session_id = headers.get(SESSION_HEADER)
    if session_id is None:
        return None
    # MCP (transports): a session id consists of visible ASCII characters, 0x21 to 0x7E.
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


def _store_unavailable(error: SessionsUnavailable) -> ProtocolError:
    seconds = error.retry_after_s
    return ProtocolError(
        ResultCode.UNAVAILABLE,
        "Sessions are not available at this moment. Try again after the stated seconds.",
        data={"retryable": True, "retry_after_s": seconds},
        headers={"retry-after": str(seconds)},
    )
