"""JSON-RPC over HTTP with one server: a message is a POST, its response is JSON or a stream of events."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from http import HTTPStatus
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire_egress import EgressLimits, EgressRequest, EgressResponse, EgressSession
from groundwire_egress.mcp_client.calls import McpUnavailable
from groundwire_egress.mcp_client.event_stream import event_data
from groundwire_egress.mcp_client.limits import MAX_SOURCE_RESPONSE_BYTES, SOURCE_CALL_SECONDS, SOURCE_CONNECT_SECONDS
from groundwire_mcp.jsonrpc.json_codec import JsonError, decode, encode
from groundwire_mcp.versions import SESSION_HEADER

if TYPE_CHECKING:
    from groundwire_mcp.jsonrpc.json_codec import Json, JsonObject

NO_ANSWER: Final = "The source's server did not answer as an MCP server in time: try again later."
"""Text of every failure: a caller must not learn from it what is at an address."""
_MAX_NODES: Final = 200_000
"""Values of a response: about all that its size allows."""
_REDIRECTS: Final = 2
"""Servers redirect `/mcp` to `/mcp/`; another origin gets no POST."""
_JSON: Final = "application/json"
_EVENTS: Final = "text/event-stream"
_TYPES: Final = {"accept": f"{_JSON}, {_EVENTS}", "content-type": _JSON}
_CLIENT_ERRORS: Final = range(400, 500)
_MAX_RECEIPT_BYTES: Final = 4_096
"""Size of the response to a notification that is read; of a larger one, the connection is closed."""


class RpcError(NamedTuple):
    """Error that a server returned in place of a result."""

    code: int
    message: str


class RpcReply(NamedTuple):
    """Response to a request: a result or an error.

    Attributes:
        session: id of the session that the server opened with it.
    """

    result: "JsonObject"
    error: RpcError | None
    session: str | None


class SourceRejected(McpUnavailable):
    """Error for an HTTP response that holds no response to the request.

    Attributes:
        status: its HTTP status.
    """

    def __init__(self, status: int) -> None:
        super().__init__(NO_ANSWER)
        self.status = status


class RpcChannel:
    """Messages to one server, one at a time.

    Args:
        session: its time and bytes are those of all messages.
        credential: headers that are sent with every message.

    Attributes:
        last_id: id of the last request.
        sent_bytes, received_bytes: size of all bodies so far.
    """

    def __init__(self, session: EgressSession, url: str, credential: Mapping[str, str]) -> None:
        self._session = session
        self._url = url
        self.credential = credential
        self._ids = count(1)
        self.last_id = 0
        self.sent_bytes = 0
        self.received_bytes = 0

    def request(
        self,
        method: str,
        params: Mapping[str, object],
        headers: Mapping[str, str],
        *,
        seconds: float = SOURCE_CALL_SECONDS,
        is_repeatable: bool = True,
    ) -> RpcReply:
        """Return the response.

        Raises:
            SourceRejected: the server answers without a response to the request.
            McpUnavailable: the response is not valid.
            EgressError: there is none within the limits.
        """
        self.last_id = next(self._ids)
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        response = self._send("POST", encode(message), {**_TYPES, **headers}, seconds, is_repeatable=is_repeatable)
        with ExitStack() as unread:
            unread.callback(response.close)
            reply = self._reply(response)
            unread.pop_all()
        return reply

    def notify(
        self,
        method: str,
        params: Mapping[str, object],
        headers: Mapping[str, str],
        seconds: float = SOURCE_CALL_SECONDS,
    ) -> None:
        """Send a notification, whatever the server answers.

        Raises:
            EgressError: there is no answer within the limits.
        """
        message = encode({"jsonrpc": "2.0", "method": method, "params": params})
        with self._send("POST", message, {**_TYPES, **headers}, seconds, is_repeatable=True) as response:
            length = response.headers.get("content-length", "")
            # A body without a length may never end; then the connection is closed instead.
            if length.isdecimal() and int(length[:9]) <= _MAX_RECEIPT_BYTES:
                b"".join(self._counted(response))

    def delete(self, headers: Mapping[str, str], seconds: float) -> None:
        """End a session of the server.

        Raises:
            EgressError: there is no answer within the limits.
        """
        self._send("DELETE", None, headers, seconds, is_repeatable=True).close()

    def _send(
        self, method: str, body: bytes | None, headers: Mapping[str, str], seconds: float, *, is_repeatable: bool
    ) -> EgressResponse:
        limits = EgressLimits(seconds, MAX_SOURCE_RESPONSE_BYTES, _REDIRECTS, SOURCE_CONNECT_SECONDS)
        self.sent_bytes += len(body or b"")
        # A tenant chooses the name of its key's header, which must not replace one of the protocol.
        credential = {name: value for name, value in self.credential.items() if name not in headers}
        request = EgressRequest(method, self._url, {**credential, **headers}, body, limits, is_repeatable)
        return self._session.send(request)

    def _reply(self, response: EgressResponse) -> RpcReply:
        session = response.headers.get(SESSION_HEADER)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        chunks = self._counted(response)
        if response.status == HTTPStatus.OK and kind == _EVENTS:
            return self._first_reply(chunks, session)
        body = b"".join(chunks)
        if response.status == HTTPStatus.OK and kind == _JSON:
            return _parse(_decoded(body), self.last_id, session)
        # In the stateless era, errors of JSON-RPC have a status of HTTP as well.
        if response.status in _CLIENT_ERRORS and response.status != HTTPStatus.UNAUTHORIZED and kind == _JSON:
            with suppress(McpUnavailable):
                reply = _parse(_decoded(body), self.last_id, session)
                if reply.error is not None:
                    return reply
        raise SourceRejected(response.status)

    def _first_reply(self, chunks: Iterable[bytes], session: str | None) -> RpcReply:
        """Return the response that the stream holds; requests and notifications of the server are ignored.

        The rest of the stream is left: the session reads it before its next request, if it is there by then.
        """
        for data in event_data(chunks):
            value = _decoded(data)
            if _is_reply(value, self.last_id):
                return _parse(value, self.last_id, session)
        raise McpUnavailable(NO_ANSWER)

    def _counted(self, response: EgressResponse) -> Iterator[bytes]:
        for chunk in response:
            self.received_bytes += len(chunk)
            yield chunk


def _decoded(body: bytes) -> "Json":
    try:
        return decode(body, MAX_SOURCE_RESPONSE_BYTES, max_nodes=_MAX_NODES, has_any_numbers=True)
    except JsonError:
        raise McpUnavailable(NO_ANSWER) from None


def _is_reply(value: "Json", identifier: int) -> bool:
    if not isinstance(value, dict) or "method" in value:
        return False
    found = value.get("id")
    # In Python, `True == 1`: the id `true` would match the first request.
    return isinstance(found, int) and not isinstance(found, bool) and found == identifier


def _parse(value: "Json", identifier: int, session: str | None) -> RpcReply:
    """Return the reply that a message is.

    Raises:
        McpUnavailable: it is none to this request.
    """
    if isinstance(value, dict) and _is_reply(value, identifier) and value.get("jsonrpc") == "2.0":
        result, error = value.get("result"), value.get("error")
        if isinstance(result, dict) and "error" not in value:
            return RpcReply(result, None, session)
        if isinstance(error, dict) and "result" not in value:
            code, message = error.get("code"), error.get("message")
            if isinstance(code, int) and isinstance(message, str):
                return RpcReply({}, RpcError(code, message), session)
    raise McpUnavailable(NO_ANSWER)
