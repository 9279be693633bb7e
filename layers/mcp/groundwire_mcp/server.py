"""MCP server: one HTTP request in, one response out, all revisions on one URL, no state between requests."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Generic

from groundwire_mcp.definitions.tools import CallerT
from groundwire_mcp.handshake import HandshakeRevisions, negotiated_version
from groundwire_mcp.jsonrpc import messages
from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode
from groundwire_mcp.jsonrpc.json_codec import Json, JsonError, JsonTooLarge, decode
from groundwire_mcp.jsonrpc.messages import JsonRpcRequest, Message
from groundwire_mcp.methods.registry import build_registry
from groundwire_mcp.request_context import HttpContext
from groundwire_mcp.sessions import SessionLifecycle
from groundwire_mcp.stateless import StatelessRevisions
from groundwire_mcp.transport.batches import check_batch, merge_exchanges
from groundwire_mcp.transport.exchanges import (
    Exchange,
    McpResponse,
    MessageInfo,
    accepted_exchange,
    error_exchange,
    message_info,
    message_info_from_body,
    result_exchange,
    session_ended_response,
)
from groundwire_mcp.transport.http import HttpRequest
from groundwire_mcp.transport.request_checks import (
    accepts_event_stream,
    check_method_and_media_types,
    check_origin,
    method_not_allowed,
)
from groundwire_mcp.versions import HANDSHAKE_VERSIONS, PROTOCOL_VERSION_KEY, STATELESS_VERSIONS, VERSION_HEADER

if TYPE_CHECKING:
    from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies


class McpServer(Generic[CallerT]):
    """Stateless MCP endpoint for one definition and its dependencies."""

    def __init__(self, definition: "ServerDefinition[CallerT]", dependencies: "ServerDependencies[CallerT]") -> None:
        registry = build_registry(definition, dependencies)
        self._sessions = SessionLifecycle(dependencies)
        self._handshake = HandshakeRevisions(definition, registry, self._sessions)
        self._stateless = StatelessRevisions(definition, registry)
        self._allowed_origins = dependencies.allowed_origins

    def handle(self, request: HttpRequest, caller: CallerT) -> McpResponse:
        """Return the response to a request.

        Exceptions from the definition's functions pass through, except `ToolError`.
        """
        try:
            check_origin(request, self._allowed_origins)
            if request.method == "DELETE":
                return self._end_session(request.headers, caller)
            check_method_and_media_types(request)
            value = _decode_body(request.body)
            if isinstance(value, list):
                http = HttpContext(request.headers, caller, accepts_notifications=False, path=request.path)
                return self._handle_batch(value, http)
        except ProtocolError as error:
            info = message_info_from_body(request.body)
            if error.result_code is ResultCode.FORBIDDEN_ORIGIN:
                # MCP: such an answer has no id, whatever the body.
                info = MessageInfo(version=info.version)
            return error_exchange(info, error, request.headers).to_response()
        accepts_notifications = accepts_event_stream(request.headers.get("accept", ""))
        http = HttpContext(request.headers, caller, accepts_notifications, request.path)
        return self._handle_message(value, http).to_response()

    def _handle_batch(self, values: Sequence[Json], http: HttpContext[CallerT]) -> McpResponse:
        version = _version_header(http.headers)
        session = None if _is_not_handshake_version(version) else self._sessions.resume(http)
        check_batch(values, negotiated_version(http.headers, session))
        return merge_exchanges([self._handle_message(value, http._replace(session=session)) for value in values])

    def _end_session(self, headers: Mapping[str, str], caller: CallerT) -> McpResponse:
        if _is_not_handshake_version(_version_header(headers)) or not self._sessions.end(headers, caller):
            raise method_not_allowed()
        return session_ended_response()

    def _handle_message(self, value: Json, http: HttpContext[CallerT]) -> Exchange:
        info = message_info(value)
        notifications: list[Mapping[str, object]] = []
        try:
            message = messages.parse_message(value)
            revisions = self._revisions_for(message, http.headers)
            if isinstance(message, JsonRpcRequest):
                return result_exchange(info, message.id, revisions.handle(message, http, notifications), notifications)
            revisions.accept(message, http)
        except ProtocolError as error:
            return error_exchange(info, error, http.headers, notifications)
        return accepted_exchange(info)

    def _revisions_for(
        self, message: Message, headers: Mapping[str, str]
    ) -> HandshakeRevisions[CallerT] | StatelessRevisions[CallerT]:
        """Return the handler for the version header's revisions; the body must not contradict the header.

        Raises:
            ProtocolError: the body has a version in `_meta`, the header names a handshake revision or is missing.
        """
        version = _version_header(headers)
        has_version_metadata = isinstance(message, JsonRpcRequest) and PROTOCOL_VERSION_KEY in message.meta
        if isinstance(message, JsonRpcRequest) and message.method == "initialize":
            # Some proxies send `initialize` with any header. With header and `_meta` of a stateless revision it comes
            # from a stateless client, and the stateless revisions answer it with their error.
            return self._stateless if has_version_metadata and version in STATELESS_VERSIONS else self._handshake
        if _is_not_handshake_version(version):
            return self._stateless
        if has_version_metadata:
            # Gateways route by the header: they would treat this as a request of a handshake revision.
            reason = f"a request with `{PROTOCOL_VERSION_KEY}` must have the same version in {VERSION_HEADER}"
            raise ProtocolError(ResultCode.HEADER_MISMATCH, f"Header mismatch: {reason}.")
        return self._handshake


def _version_header(headers: Mapping[str, str]) -> str | None:
    return headers[VERSION_HEADER].strip(" \t") if VERSION_HEADER in headers else None


def _is_not_handshake_version(version: str | None) -> bool:
    """Return whether the version is set and no handshake revision; unknown versions count as newer ones."""
    return version is not None and version not in HANDSHAKE_VERSIONS


def _decode_body(body: bytes) -> Json:
    try:
        return decode(body)
    except JsonTooLarge as error:
        raise ProtocolError(ResultCode.TOO_LARGE, f"Invalid request: {error}.") from error
    except JsonError as error:
        raise ProtocolError(ResultCode.PARSE_ERROR, f"Parse error: {error}.") from error
