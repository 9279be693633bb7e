"""The server: one HTTP request in, one response out, both eras on one URL, nothing remembered in between."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Generic

from groundwire.protocol.definitions.tools import CallerT
from groundwire.protocol.handshake import HandshakeRevisions, negotiated_version
from groundwire.protocol.jsonrpc import messages
from groundwire.protocol.jsonrpc.errors import ERROR_CODES, ProtocolError, ResultCode
from groundwire.protocol.jsonrpc.json_codec import Json, JsonError, JsonTooLarge, decode
from groundwire.protocol.jsonrpc.messages import JsonRpcRequest, Message
from groundwire.protocol.methods.registry import build_registry
from groundwire.protocol.request_context import HttpContext
from groundwire.protocol.sessions import SessionLifecycle
from groundwire.protocol.stateless import StatelessRevisions
from groundwire.protocol.transport.batches import check_batch, merge_exchanges
from groundwire.protocol.transport.exchanges import (
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
from groundwire.protocol.transport.http import HttpRequest, HttpResponse, error_response
from groundwire.protocol.transport.request_checks import (
    accepts_event_stream,
    check_method_and_media_types,
    check_origin,
    method_not_allowed,
)
from groundwire.protocol.versions import HANDSHAKE_VERSIONS, PROTOCOL_VERSION_KEY, STATELESS_VERSIONS, VERSION_HEADER

if TYPE_CHECKING:
    from groundwire.protocol.definitions.server import ServerDefinition, ServerDependencies


_ERRORS_WITHOUT_ID: Final = frozenset({ResultCode.FORBIDDEN_ORIGIN, ResultCode.PARSE_ERROR})
"""Refusals that carry no id: of a foreign web page, and of a body that is no JSON."""


class McpServer(Generic[CallerT]):
    """MCP over what is offered, by the rules for who gets it."""

    def __init__(self, definition: "ServerDefinition[CallerT]", dependencies: "ServerDependencies[CallerT]") -> None:
        offered = build_registry(definition, dependencies)
        self._sessions = SessionLifecycle(dependencies)
        self._handshake = HandshakeRevisions(definition, offered, self._sessions)
        self._stateless = StatelessRevisions(definition, offered)
        self._allowed_origins = dependencies.allowed_origins

    def handle(self, request: HttpRequest, caller: CallerT) -> McpResponse:
        """The answer to whatever was sent; only what the offer raises beside `ToolFault` gets out."""
        try:
            check_origin(request, self._allowed_origins)
            if request.method == "DELETE":
                return self._end_session(request.headers, caller)
            check_method_and_media_types(request)
            value = _decode_body(request.body)
            if isinstance(value, list):
                return self._handle_batch(value, HttpContext(request.headers, caller, accepts_notifications=False))
        except ProtocolError as refusal:
            about = MessageInfo() if refusal.result_code in _ERRORS_WITHOUT_ID else message_info_from_body(request.body)
            return error_exchange(about, refusal).to_response()
        listens = accepts_event_stream(request.headers.get("accept", ""))
        return self._handle_message(value, HttpContext(request.headers, caller, listens)).to_response()

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
        about = message_info(value)
        notifications: list[Mapping[str, object]] = []
        try:
            message = messages.parse_message(value)
            era = self._revisions_for(message, http.headers)
            if isinstance(message, JsonRpcRequest):
                return result_exchange(about, message.id, era.handle(message, http, notifications), notifications)
            era.accept(message, http)
        except ProtocolError as refusal:
            return error_exchange(about, refusal, notifications)
        return accepted_exchange(about)

    def _revisions_for(
        self, message: Message, headers: Mapping[str, str]
    ) -> HandshakeRevisions[CallerT] | StatelessRevisions[CallerT]:
        """How the client speaks: by its version header, which must not contradict the body."""
        version = _version_header(headers)
        enveloped = isinstance(message, JsonRpcRequest) and PROTOCOL_VERSION_KEY in message.meta
        if isinstance(message, JsonRpcRequest) and message.method == "initialize":
            # Some proxies send `initialize` under any header; one with header and envelope of an era that has no
            # handshake is a stateless client's, and hears so there.
            return self._stateless if enveloped and version in STATELESS_VERSIONS else self._handshake
        if _is_not_handshake_version(version):
            return self._stateless
        if enveloped:
            why = f"a request with `{PROTOCOL_VERSION_KEY}` must say the same version in {VERSION_HEADER}"
            raise ProtocolError(ResultCode.HEADER_MISMATCH, f"Header mismatch: {why}.")
        return self._handshake


def internal_error_response(request: HttpRequest) -> HttpResponse:
    """The answer when something of ours broke: with the request's id, without a word about what broke."""
    code, status = ERROR_CODES[ResultCode.INTERNAL_ERROR]
    return error_response(request, status, code, "Internal error.")


def _version_header(headers: Mapping[str, str]) -> str | None:
    return headers[VERSION_HEADER].strip(" \t") if VERSION_HEADER in headers else None


def _is_not_handshake_version(version: str | None) -> bool:
    """Whether the header is of no handshake revision: what is unknown is taken for something newer."""
    return version is not None and version not in HANDSHAKE_VERSIONS


def _decode_body(body: bytes) -> Json:
    try:
        return decode(body)
    except JsonTooLarge as fault:
        raise ProtocolError(ResultCode.TOO_LARGE, f"Invalid request: {fault}.") from fault
    except JsonError as fault:
        raise ProtocolError(ResultCode.PARSE_ERROR, f"Parse error: {fault}.") from fault
