"""The server: one HTTP request in, one response out, both eras on one URL, nothing remembered in between."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic

from groundwire.protocol import jsonrpc
from groundwire.protocol.batches import check_batch, merge
from groundwire.protocol.eras import HandshakeEra, StatelessEra
from groundwire.protocol.exchanges import Answer, Exchange, Subject, accepted, refused, replied, subject
from groundwire.protocol.http import HttpRequest, HttpResponse
from groundwire.protocol.json_edge import Json, JsonFault, JsonTooLarge, decode
from groundwire.protocol.jsonrpc import Message, Request
from groundwire.protocol.offer import ServerInfo
from groundwire.protocol.outcomes import REFUSALS, Outcome, Refusal
from groundwire.protocol.screening import screen
from groundwire.protocol.toolbox import Toolbox
from groundwire.protocol.tools import CallerT, Tool
from groundwire.protocol.versions import HANDSHAKE_VERSIONS, PROTOCOL_VERSION_KEY, STATELESS_VERSIONS, VERSION_HEADER


class McpServer(Generic[CallerT]):
    """MCP over the given tools.

    Args:
        visible: names the tools of the caller's toolset; to it all others are unknown.
        authorize: the scope that the caller lacks for a tool, or None when it may call it.
        allowed_origins: values of `Origin` that may call; requests without one are no browser's.
    """

    def __init__(
        self,
        info: ServerInfo,
        tools: Sequence[Tool[CallerT]],
        visible: Callable[[CallerT], Iterable[str]],
        authorize: Callable[[CallerT, str], str | None],
        allowed_origins: frozenset[str],
    ) -> None:
        toolbox = Toolbox(tools, visible, authorize)
        self._handshake = HandshakeEra(info, toolbox)
        self._stateless = StatelessEra(info, toolbox)
        self._allowed_origins = allowed_origins

    def answer(self, request: HttpRequest, caller: CallerT) -> Answer:
        """The answer to whatever was sent; only what a tool raises beside `ToolFault` gets out."""
        headers = request.headers
        try:
            screen(request, self._allowed_origins)
            value = _read(request.body)
            if isinstance(value, list):
                check_batch(value, headers)
        except Refusal as refusal:
            return refused(Subject(), refusal).answer()
        if isinstance(value, list):
            return merge([self._exchange(each, headers, caller) for each in value])
        return self._exchange(value, headers, caller).answer()

    def _exchange(self, value: Json, headers: Mapping[str, str], caller: CallerT) -> Exchange:
        about = subject(value)
        try:
            message = jsonrpc.read(value)
            era = self._era(message, headers)
            if isinstance(message, Request):
                return replied(about, message.id, era.answer(message, headers, caller))
            era.accept(message, headers)
        except Refusal as refusal:
            return refused(about, refusal)
        return accepted(about)

    def _era(self, message: Message, headers: Mapping[str, str]) -> HandshakeEra[CallerT] | StatelessEra[CallerT]:
        """How the client speaks: by its version header, which must not contradict the body."""
        version = headers[VERSION_HEADER].strip(" \t") if VERSION_HEADER in headers else None
        enveloped = isinstance(message, Request) and PROTOCOL_VERSION_KEY in message.meta
        if isinstance(message, Request) and message.method == "initialize":
            # Some proxies send `initialize` under any header; one with header and envelope of an era that has no
            # handshake is a stateless client's, and hears so there.
            return self._stateless if enveloped and version in STATELESS_VERSIONS else self._handshake
        if version is not None and version not in HANDSHAKE_VERSIONS:
            return self._stateless
        if enveloped:
            why = f"a request with `{PROTOCOL_VERSION_KEY}` must say the same version in {VERSION_HEADER}"
            raise Refusal(Outcome.HEADER_MISMATCH, f"Header mismatch: {why}.")
        return self._handshake


def internal_error(request: HttpRequest) -> HttpResponse:
    """The answer when something of ours broke: with the request's id, without a word about what broke."""
    code, status = REFUSALS[Outcome.INTERNAL_ERROR]
    return jsonrpc.error_response(request, status, code, "Internal error.")


def _read(body: bytes) -> Json:
    try:
        return decode(body)
    except JsonTooLarge as fault:
        raise Refusal(Outcome.TOO_LARGE, f"Invalid request: {fault}.") from fault
    except JsonFault as fault:
        raise Refusal(Outcome.PARSE_ERROR, f"Parse error: {fault}.") from fault
