"""2024-11-05 to 2025-11-25; `initialize` is answered but not required, since nothing but a session hangs on it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Generic

from groundwire.protocol.asked import Asked, Reply, Visit
from groundwire.protocol.features import Features
from groundwire.protocol.json_edge import JsonObject
from groundwire.protocol.jsonrpc import ClientResponse, Notification, Request
from groundwire.protocol.notifications import check_notification
from groundwire.protocol.outcomes import Outcome, Refusal
from groundwire.protocol.params import invalid, text
from groundwire.protocol.sessions import SessionRules
from groundwire.protocol.tools import CallerT
from groundwire.protocol.turn import LOG_LEVELS, LogLevel, log_level
from groundwire.protocol.versions import (
    BATCH_VERSION,
    HANDSHAKE_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    SESSION_HEADER,
    VERSION_HEADER,
)

if TYPE_CHECKING:
    from groundwire.domain.sessions import Session
    from groundwire.protocol.offer import Offer

_UNASKED_LEVEL: Final = "info"
"""What a client is told that listens and never said how much it wants to hear: the choice is the server's."""


class HandshakeEra(Generic[CallerT]):
    """The revisions that open with `initialize`."""

    def __init__(self, offer: "Offer[CallerT]", features: Features[CallerT], sessions: SessionRules[CallerT]) -> None:
        self._info = offer.info
        self._capabilities: Mapping[str, object] = {**features.capabilities, "logging": {}}
        self._sessions = sessions
        self._methods: Mapping[str, Callable[[Asked[CallerT]], Reply]] = {
            **{name: _further(method) for name, method in offer.further.items()},
            **features.methods,
            "ping": lambda _asked: Reply({}),
            "logging/setLevel": self._set_level,
        }

    def answer(self, request: Request, visit: Visit[CallerT], notifications: list[Mapping[str, object]]) -> Reply:
        """The reply, with what precedes it put into `notifications`; Raises Refusal."""
        if request.method == "initialize":
            return self._initialize(request, visit)
        session = self._sessions.resume(visit)
        method = self._methods.get(request.method)
        if method is None:
            raise Refusal(Outcome.UNKNOWN_METHOD, "Method not found.")
        version = spoken(visit.headers, session)
        level: LogLevel = log_level(session.log_level if session else None) or _UNASKED_LEVEL
        return method(Asked(request, visit, version, {}, level, notifications, session))

    def accept(self, message: Notification | ClientResponse, visit: Visit[CallerT]) -> None:
        """Raises Refusal when the message cannot be meant as one without an answer, or its session is over.

        It is no use of the session: every client ends its handshake with one.
        """
        self._sessions.find(visit)
        if isinstance(message, Notification):
            check_notification(message)

    def _initialize(self, request: Request, visit: Visit[CallerT]) -> Reply:
        asked = request.params.get("protocolVersion")
        version = next((each for each in HANDSHAKE_VERSIONS if each == asked), LATEST_HANDSHAKE_VERSION)
        session_id = self._sessions.begin(visit.caller, request.params, version)
        result: dict[str, object] = {
            "protocolVersion": version,
            "capabilities": self._capabilities,
            "serverInfo": self._info.implementation(version),
            "instructions": self._info.instructions,
        }
        return Reply(result, headers={SESSION_HEADER: session_id}, session="begun")

    def _set_level(self, asked: Asked[CallerT]) -> Reply:
        level = log_level(text(asked.params, "level"))
        if level is None:
            raise invalid(f"`level` must be one of {', '.join(LOG_LEVELS)}")
        if asked.session is not None:
            self._sessions.keep_level(asked.session, level)
        return Reply({})


def spoken(headers: Mapping[str, str], session: "Session | None") -> str:
    """The revision of a request: what its header says, else what its session agreed on, else the oldest without one."""
    sent = headers.get(VERSION_HEADER)
    if sent is not None:
        return sent.strip(" \t")
    return BATCH_VERSION if session is None else session.protocol_version


def _further(method: Callable[[JsonObject, CallerT], Mapping[str, object]]) -> Callable[[Asked[CallerT]], Reply]:
    return lambda asked: Reply(method(asked.params, asked.caller))
