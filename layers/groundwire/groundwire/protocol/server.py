"""The server: one HTTP request in, one response out, both eras on one URL, nothing remembered in between."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Generic

from groundwire.protocol import jsonrpc
from groundwire.protocol.asked import Visit
from groundwire.protocol.batches import check_batch, merge
from groundwire.protocol.exchanges import (
    Answer,
    Exchange,
    Subject,
    accepted,
    ended,
    refused,
    replied,
    subject,
    subject_of_body,
)
from groundwire.protocol.features import features
from groundwire.protocol.handshake import HandshakeEra, spoken
from groundwire.protocol.http import HttpRequest, HttpResponse
from groundwire.protocol.json_edge import Json, JsonFault, JsonTooLarge, decode
from groundwire.protocol.jsonrpc import Message, Request
from groundwire.protocol.outcomes import REFUSALS, Outcome, Refusal
from groundwire.protocol.screening import accepts_events, check_form, check_origin, not_allowed
from groundwire.protocol.sessions import SessionRules
from groundwire.protocol.stateless import StatelessEra
from groundwire.protocol.tools import CallerT
from groundwire.protocol.versions import HANDSHAKE_VERSIONS, PROTOCOL_VERSION_KEY, STATELESS_VERSIONS, VERSION_HEADER

if TYPE_CHECKING:
    from groundwire.protocol.offer import Offer, Rules


_UNREAD: Final = frozenset({Outcome.FORBIDDEN_ORIGIN, Outcome.PARSE_ERROR})
"""Refusals that carry no id: of a foreign web page, and of a body that is no JSON."""


class McpServer(Generic[CallerT]):
    """MCP over what is offered, by the rules for who gets it."""

    def __init__(self, offer: "Offer[CallerT]", rules: "Rules[CallerT]") -> None:
        offered = features(offer, rules)
        self._sessions = SessionRules(rules)
        self._handshake = HandshakeEra(offer, offered, self._sessions)
        self._stateless = StatelessEra(offer, offered)
        self._allowed_origins = rules.allowed_origins

    def answer(self, request: HttpRequest, caller: CallerT) -> Answer:
        """The answer to whatever was sent; only what the offer raises beside `ToolFault` gets out."""
        try:
            check_origin(request, self._allowed_origins)
            if request.method == "DELETE":
                return self._end(request.headers, caller)
            check_form(request)
            value = _read(request.body)
            if isinstance(value, list):
                return self._batch(value, Visit(request.headers, caller, listens=False))
        except Refusal as refusal:
            about = Subject() if refusal.outcome in _UNREAD else subject_of_body(request.body)
            return refused(about, refusal).answer()
        listens = accepts_events(request.headers.get("accept", ""))
        return self._exchange(value, Visit(request.headers, caller, listens)).answer()

    def _batch(self, values: Sequence[Json], visit: Visit[CallerT]) -> Answer:
        version = _version(visit.headers)
        session = None if _is_foreign(version) else self._sessions.resume(visit)
        check_batch(values, spoken(visit.headers, session))
        return merge([self._exchange(value, visit._replace(session=session)) for value in values])

    def _end(self, headers: Mapping[str, str], caller: CallerT) -> Answer:
        if _is_foreign(_version(headers)) or not self._sessions.end(headers, caller):
            raise not_allowed()
        return ended()

    def _exchange(self, value: Json, visit: Visit[CallerT]) -> Exchange:
        about = subject(value)
        notifications: list[Mapping[str, object]] = []
        try:
            message = jsonrpc.read(value)
            era = self._era(message, visit.headers)
            if isinstance(message, Request):
                return replied(about, message.id, era.answer(message, visit, notifications), notifications)
            era.accept(message, visit)
        except Refusal as refusal:
            return refused(about, refusal, notifications)
        return accepted(about)

    def _era(self, message: Message, headers: Mapping[str, str]) -> HandshakeEra[CallerT] | StatelessEra[CallerT]:
        """How the client speaks: by its version header, which must not contradict the body."""
        version = _version(headers)
        enveloped = isinstance(message, Request) and PROTOCOL_VERSION_KEY in message.meta
        if isinstance(message, Request) and message.method == "initialize":
            # Some proxies send `initialize` under any header; one with header and envelope of an era that has no
            # handshake is a stateless client's, and hears so there.
            return self._stateless if enveloped and version in STATELESS_VERSIONS else self._handshake
        if _is_foreign(version):
            return self._stateless
        if enveloped:
            why = f"a request with `{PROTOCOL_VERSION_KEY}` must say the same version in {VERSION_HEADER}"
            raise Refusal(Outcome.HEADER_MISMATCH, f"Header mismatch: {why}.")
        return self._handshake


def internal_error(request: HttpRequest) -> HttpResponse:
    """The answer when something of ours broke: with the request's id, without a word about what broke."""
    code, status = REFUSALS[Outcome.INTERNAL_ERROR]
    return jsonrpc.error_response(request, status, code, "Internal error.")


def _version(headers: Mapping[str, str]) -> str | None:
    return headers[VERSION_HEADER].strip(" \t") if VERSION_HEADER in headers else None


def _is_foreign(version: str | None) -> bool:
    """Whether the header is of no handshake revision: what is unknown is taken for something newer."""
    return version is not None and version not in HANDSHAKE_VERSIONS


def _read(body: bytes) -> Json:
    try:
        return decode(body)
    except JsonTooLarge as fault:
        raise Refusal(Outcome.TOO_LARGE, f"Invalid request: {fault}.") from fault
    except JsonFault as fault:
        raise Refusal(Outcome.PARSE_ERROR, f"Parse error: {fault}.") from fault
