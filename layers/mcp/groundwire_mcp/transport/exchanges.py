"""A message with its response: the body for the client, the facts for the audit record."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from groundwire_mcp.jsonrpc.errors import ProtocolError, ResultCode, code_for_version
from groundwire_mcp.jsonrpc.json_codec import Json, JsonError, decode
from groundwire_mcp.jsonrpc.messages import RequestId, error_message, named_version, readable_id, result_message
from groundwire_mcp.request_context import MethodResult, NotificationMessages, SessionEvent
from groundwire_mcp.transport.http import (
    HttpResponse,
    event_stream_response,
    json_response,
    requested_version,
)

_OK: Final = 200
_MAX_METHOD_CHARACTERS: Final = 64
_TRACEPARENT_LENGTHS: Final = [2, 32, 16, 2]
_HEXADECIMAL: Final = frozenset("0123456789abcdef")


class MessageInfo(NamedTuple):
    """Facts of a message, as far as it is readable.

    Attributes:
        method: as the client wrote it, cut to 64 characters.
        traceparent: W3C trace context of `_meta`, when it is well-formed.
        version: the revision that the message names.
    """

    id: RequestId | None = None
    method: str | None = None
    traceparent: str | None = None
    version: str | None = None


class McpResponse(NamedTuple):
    """The response to an HTTP request, and the facts to record about it.

    Attributes:
        result_code: the result; for a batch, that of the costly method, else of the first message.
        method, traceparent: see `MessageInfo`.
        tool: the called tool, if it is one of the caller's.
        session_event: whether the request began or ended a session.
    """

    response: HttpResponse
    result_code: ResultCode
    method: str | None
    tool: str | None
    traceparent: str | None
    session_event: SessionEvent | None = None


class Exchange(NamedTuple):
    """One message and its response.

    Attributes:
        payload: the JSON-RPC response; None when the message expects none.
        notifications: messages that precede the response; empty for a client that does not accept them.
    """

    payload: Mapping[str, object] | None
    status: int
    headers: Mapping[str, str]
    result_code: ResultCode
    message: MessageInfo
    tool: str | None
    notifications: NotificationMessages = ()
    session_event: SessionEvent | None = None

    def to_response(self) -> McpResponse:
        """Return the response to a message that was sent alone."""
        # A stream starts with status 200, so an error with a status of its own is sent as plain JSON.
        if self.notifications and self.payload is not None and self.status == _OK:
            return self._mcp_response(event_stream_response((*self.notifications, self.payload), self.headers))
        return self.response_with(self.payload, self.status, self.headers)

    def response_with(self, payload: object, status: int, headers: Mapping[str, str]) -> McpResponse:
        """Return a response with this payload, status and headers, and with this exchange's facts."""
        response = HttpResponse(status, headers, b"") if payload is None else json_response(status, payload, headers)
        return self._mcp_response(response)

    def _mcp_response(self, response: HttpResponse) -> McpResponse:
        method, traceparent = self.message.method, self.message.traceparent
        return McpResponse(response, self.result_code, method, self.tool, traceparent, self.session_event)


def message_info_from_body(body: bytes) -> MessageInfo:
    """Read id, method and trace from the body of a refused request, as far as the body can be parsed.

    The gateway bounds the size of a body over the limit; `decode` bounds its depth and its number of values.
    """
    try:
        return message_info(decode(body, max_bytes=len(body)))
    except JsonError:
        return MessageInfo()


def message_info(value: Json) -> MessageInfo:
    """Return the facts of `value`, which need not be a valid message."""
    if not isinstance(value, dict):
        return MessageInfo()
    method = value.get("method")
    return MessageInfo(
        readable_id(value),
        method[:_MAX_METHOD_CHARACTERS] if isinstance(method, str) else None,
        _traceparent(value.get("params")),
        named_version(value),
    )


def result_exchange(
    message: MessageInfo, identifier: RequestId, result: MethodResult, notifications: NotificationMessages
) -> Exchange:
    """Return the exchange of a request with its result."""
    payload = result_message(identifier, result.result)
    return Exchange(
        payload, _OK, result.headers, result.result_code, message, result.tool, notifications, result.session_event
    )


def error_exchange(
    message: MessageInfo,
    error: ProtocolError,
    request_headers: Mapping[str, str],
    notifications: NotificationMessages = (),
) -> Exchange:
    """Return the exchange of a message with an error."""
    version = requested_version(request_headers, message.version)
    # An error of a tool is in the form of the tool's contract, which has one code for all revisions.
    code = error.code if error.tool is not None else code_for_version(error.code, error.status, version)
    payload = error_message(message.id, code, str(error), error.data, version)
    return Exchange(payload, error.status, error.headers, error.result_code, message, error.tool, notifications)


def session_ended_response() -> McpResponse:
    """Return the response to a request that ended a session."""
    return McpResponse(HttpResponse(204, {}, b""), ResultCode.SESSION_ENDED, None, None, None, "ended")


def accepted_exchange(message: MessageInfo) -> Exchange:
    """Return the exchange of an accepted notification or client response."""
    return Exchange(None, 202, {}, ResultCode.ACCEPTED, message, None)


def _traceparent(params: Json) -> str | None:
    meta = params.get("_meta") if isinstance(params, dict) else None
    value = meta.get("traceparent") if isinstance(meta, dict) else None
    if not isinstance(value, str):
        return None
    fields = value.split("-")
    # W3C Trace Context §3.2: lower-case hexadecimal fields. Any other text must not reach the audit log.
    well_formed = [len(field) for field in fields] == _TRACEPARENT_LENGTHS and _HEXADECIMAL.issuperset("".join(fields))
    return value if well_formed else None
