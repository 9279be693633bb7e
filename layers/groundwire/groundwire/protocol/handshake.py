"""2024-11-05 to 2025-11-25; `initialize` is answered but not required, since nothing but a session hangs on it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Generic

from groundwire.protocol.definitions.tool_context import LOG_LEVELS, LogLevel, parse_log_level
from groundwire.protocol.definitions.tools import CallerT
from groundwire.protocol.jsonrpc.errors import ProtocolError, ResultCode
from groundwire.protocol.jsonrpc.json_codec import JsonObject
from groundwire.protocol.jsonrpc.messages import ClientResponse, JsonRpcNotification, JsonRpcRequest, check_notification
from groundwire.protocol.jsonrpc.params import invalid_params, required_string
from groundwire.protocol.methods.registry import MethodRegistry
from groundwire.protocol.request_context import HttpContext, MethodResult, RequestContext
from groundwire.protocol.sessions import SessionLifecycle
from groundwire.protocol.versions import (
    BATCH_VERSION,
    HANDSHAKE_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    SESSION_HEADER,
    VERSION_HEADER,
)

if TYPE_CHECKING:
    from groundwire.domain.sessions import Session
    from groundwire.protocol.definitions.server import ServerDefinition

_DEFAULT_LOG_LEVEL: Final = "info"
"""What a client is told that listens and never said how much it wants to hear: the choice is the server's."""


class HandshakeRevisions(Generic[CallerT]):
    """The revisions that open with `initialize`."""

    def __init__(
        self,
        definition: "ServerDefinition[CallerT]",
        registry: MethodRegistry[CallerT],
        sessions: SessionLifecycle[CallerT],
    ) -> None:
        self._server_info = definition.server_info
        self._capabilities: Mapping[str, object] = {**registry.capabilities, "logging": {}}
        self._sessions = sessions
        self._methods: Mapping[str, Callable[[RequestContext[CallerT]], MethodResult]] = {
            **{name: _extra_method(method) for name, method in definition.extra_methods.items()},
            **registry.methods,
            "ping": lambda _asked: MethodResult({}),
            "logging/setLevel": self._set_log_level,
        }

    def handle(
        self, request: JsonRpcRequest, http: HttpContext[CallerT], notifications: list[Mapping[str, object]]
    ) -> MethodResult:
        """The reply, with what precedes it put into `notifications`; Raises Refusal."""
        if request.method == "initialize":
            return self._initialize(request, http)
        session = self._sessions.resume(http)
        method = self._methods.get(request.method)
        if method is None:
            raise ProtocolError(ResultCode.UNKNOWN_METHOD, "Method not found.")
        version = negotiated_version(http.headers, session)
        level: LogLevel = parse_log_level(session.log_level if session else None) or _DEFAULT_LOG_LEVEL
        return method(RequestContext(request, http, version, {}, level, notifications, session))

    def accept(self, message: JsonRpcNotification | ClientResponse, http: HttpContext[CallerT]) -> None:
        """Raises Refusal when the message cannot be meant as one without an answer, or its session is over.

        It is no use of the session: every client ends its handshake with one.
        """
        self._sessions.find(http)
        if isinstance(message, JsonRpcNotification):
            check_notification(message)

    def _initialize(self, request: JsonRpcRequest, http: HttpContext[CallerT]) -> MethodResult:
        asked = request.params.get("protocolVersion")
        version = next((each for each in HANDSHAKE_VERSIONS if each == asked), LATEST_HANDSHAKE_VERSION)
        session_id = self._sessions.create(http.caller, request.params, version)
        result: dict[str, object] = {
            "protocolVersion": version,
            "capabilities": self._capabilities,
            "serverInfo": self._server_info.implementation(version),
            "instructions": self._server_info.instructions,
        }
        return MethodResult(result, headers={SESSION_HEADER: session_id}, session_event="begun")

    def _set_log_level(self, context: RequestContext[CallerT]) -> MethodResult:
        level = parse_log_level(required_string(context.params, "level"))
        if level is None:
            raise invalid_params(f"`level` must be one of {', '.join(LOG_LEVELS)}")
        if context.session is not None:
            self._sessions.set_log_level(context.session, level)
        return MethodResult({})


def negotiated_version(headers: Mapping[str, str], session: "Session | None") -> str:
    """The revision of a request: what its header says, else what its session agreed on, else the oldest without one."""
    sent = headers.get(VERSION_HEADER)
    if sent is not None:
        return sent.strip(" \t")
    return BATCH_VERSION if session is None else session.protocol_version


def _extra_method(
    method: Callable[[JsonObject, CallerT], Mapping[str, object]],
) -> Callable[[RequestContext[CallerT]], MethodResult]:
    return lambda asked: MethodResult(method(asked.params, asked.caller))
