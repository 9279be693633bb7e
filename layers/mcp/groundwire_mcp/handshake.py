"""Handshake revisions 2024-11-05 to 2025-11-25; `initialize` is optional, since only sessions depend on it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Generic

from groundwire_mcp.definitions.log_levels import LOG_LEVELS, LogLevel, parse_log_level
from groundwire_mcp.definitions.tools import CallerT
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.json_codec import JsonObject
from groundwire_mcp.jsonrpc.messages import (
    ClientResponse,
    JsonRpcNotification,
    JsonRpcRequest,
    check_notification,
    invalid_params,
    required_string,
)
from groundwire_mcp.methods.registry import MethodRegistry
from groundwire_mcp.request_context import HttpContext, MethodResult, RequestContext
from groundwire_mcp.sessions import SessionLifecycle
from groundwire_mcp.versions import (
    BATCH_VERSION,
    HANDSHAKE_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    SESSION_HEADER,
    VERSION_HEADER,
)

if TYPE_CHECKING:
    from groundwire_mcp.definitions.server import ServerDefinition
    from groundwire_mcp.definitions.sessions import Session

_DEFAULT_LOG_LEVEL: Final = "info"
"""Level for a client that reads notifications but set no level: MCP leaves the default to the server."""


class HandshakeRevisions(Generic[CallerT]):
    """Request handling for the revisions that open with `initialize`."""

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
            # Methods of MCP come later in this table, so that a definition cannot replace one of them.
            **{name: _extra_method(method) for name, method in definition.extra_methods.items()},
            **registry.methods,
            # 2026-07-28 removed these two, so the registry that all revisions share lacks them.
            "ping": lambda _context: MethodResult({}),
            "logging/setLevel": self._set_log_level,
        }

    def handle(
        self, request: JsonRpcRequest, http: HttpContext[CallerT], notifications: list[Mapping[str, object]]
    ) -> MethodResult:
        """Return the method's result; append the messages that precede it to `notifications`.

        Raises:
            ProtocolError: the method is unknown or rejects the request, or the session has ended.
        """
        if request.method == "initialize":
            return self._initialize(request, http)
        # Most requests name no session.
        session = self._sessions.resume(http) if SESSION_HEADER in http.headers or http.session is not None else None
        method = self._methods.get(request.method)
        if method is None:
            raise ProtocolError(ResultCode.UNKNOWN_METHOD, "Method not found.")
        version = negotiated_version(http.headers, session)
        level: LogLevel = (parse_log_level(session.log_level) if session else None) or _DEFAULT_LOG_LEVEL
        return method(RequestContext(request, http, version, {}, level, notifications, session))

    def accept(self, message: JsonRpcNotification | ClientResponse, http: HttpContext[CallerT]) -> None:
        """Check a notification or a client's response.

        Such a message does not extend the session, because every client ends its handshake with one.

        Raises:
            ProtocolError: the message is not a valid notification, or its session has ended.
        """
        self._sessions.find(http)
        if isinstance(message, JsonRpcNotification):
            check_notification(message)

    def _initialize(self, request: JsonRpcRequest, http: HttpContext[CallerT]) -> MethodResult:
        requested = request.params.get("protocolVersion")
        # MCP (lifecycle): a server answers an unknown version with one of its own, and the client decides whether to go
        # on.
        version = next((each for each in HANDSHAKE_VERSIONS if each == requested), LATEST_HANDSHAKE_VERSION)
        session_id = self._sessions.create(http.caller, request.params, version)
        result: dict[str, object] = {
            "protocolVersion": version,
            "capabilities": self._capabilities,
            "serverInfo": self._server_info.implementation(version),
            "instructions": self._server_info.instructions,
        }
        if session_id is None:
            return MethodResult(result)
        return MethodResult(result, headers={SESSION_HEADER: session_id}, session_event="begun")

    def _set_log_level(self, context: RequestContext[CallerT]) -> MethodResult:
        level = parse_log_level(required_string(context.params, "level"))
        if level is None:
            raise invalid_params(f"`level` must be one of {', '.join(LOG_LEVELS)}")
        if context.session is not None:
            self._sessions.set_log_level(context.session, level)
        return MethodResult({})


def negotiated_version(headers: Mapping[str, str], session: "Session | None") -> str:
    """Return the request's revision: from its header, else from its session, else 2025-03-26."""
    sent = headers.get(VERSION_HEADER)
    if sent is not None:
        return sent.strip(" \t")
    # MCP (2025-06-18, transports): without a header and another clue, a server assumes 2025-03-26.
    return BATCH_VERSION if session is None else session.protocol_version


def _extra_method(
    method: Callable[[JsonObject, CallerT], Mapping[str, object]],
) -> Callable[[RequestContext[CallerT]], MethodResult]:
    return lambda context: MethodResult(method(context.params, context.caller))
