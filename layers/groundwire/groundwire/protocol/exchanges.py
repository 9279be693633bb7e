"""One message and what it was answered: the body for the client, the facts for the audit line."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from groundwire.protocol.asked import Notifications, Reply, SessionEvent
from groundwire.protocol.event_stream import event_response
from groundwire.protocol.http import HttpResponse
from groundwire.protocol.json_edge import Json, JsonFault, decode
from groundwire.protocol.jsonrpc import RequestId, error_message, json_response, readable_id, result_message
from groundwire.protocol.outcomes import Outcome, Refusal

_OK: Final = 200
_MAX_METHOD_CHARACTERS: Final = 64
_TRACEPARENT_LENGTHS: Final = [2, 32, 16, 2]
_HEXADECIMAL: Final = frozenset("0123456789abcdef")


class Subject(NamedTuple):
    """What a message says about itself, as far as it can be read.

    Attributes:
        method: as the client wrote it, at most 64 characters of it.
        traceparent: W3C trace context of `_meta`, when it is well-formed.
    """

    id: RequestId | None = None
    method: str | None = None
    traceparent: str | None = None


class Answer(NamedTuple):
    """The response to an HTTP request, and what to record of it.

    Attributes:
        outcome: why it was answered so. Of a batch, the one that means work counts, else the first message.
        method, traceparent: see `Subject`.
        tool: the tool that was called, if it is one of the caller's.
        session: whether the request began or ended one.
    """

    response: HttpResponse
    outcome: Outcome
    method: str | None
    tool: str | None
    traceparent: str | None
    session: SessionEvent | None = None


class Exchange(NamedTuple):
    """One message and its answer.

    Attributes:
        payload: the JSON-RPC response; None where none is due.
        notifications: what the client is told before it; none for a client that does not listen.
    """

    payload: Mapping[str, object] | None
    status: int
    headers: Mapping[str, str]
    outcome: Outcome
    subject: Subject
    tool: str | None
    notifications: Notifications = ()
    session: SessionEvent | None = None

    def answer(self) -> Answer:
        """The message came alone."""
        if self.notifications and self.payload is not None and self.status == _OK:
            return self._told(event_response((*self.notifications, self.payload), self.headers))
        return self.answered_with(self.payload, self.status, self.headers)

    def answered_with(self, payload: object, status: int, headers: Mapping[str, str]) -> Answer:
        """The facts are this exchange's, the response is another."""
        response = HttpResponse(status, headers, b"") if payload is None else json_response(status, payload, headers)
        return self._told(response)

    def _told(self, response: HttpResponse) -> Answer:
        method, traceparent = self.subject.method, self.subject.traceparent
        return Answer(response, self.outcome, method, self.tool, traceparent, self.session)


def subject_of_body(body: bytes) -> Subject:
    """Read id, method and trace from the body of a refused request, as far as the body can be parsed.

    The gateway bounds the size of a body over the limit; `decode` bounds its depth and its number of values.
    """
    try:
        return subject(decode(body, max_bytes=len(body)))
    except JsonFault:
        return Subject()


def subject(value: Json) -> Subject:
    """What `value` says about itself; it need not be a valid message."""
    if not isinstance(value, dict):
        return Subject()
    method = value.get("method")
    return Subject(
        readable_id(value),
        method[:_MAX_METHOD_CHARACTERS] if isinstance(method, str) else None,
        _traceparent(value.get("params")),
    )


def replied(about: Subject, identifier: RequestId, reply: Reply, notifications: Notifications) -> Exchange:
    """A request got its result."""
    payload = result_message(identifier, reply.result)
    return Exchange(payload, _OK, reply.headers, reply.outcome, about, reply.tool, notifications, reply.session)


def refused(about: Subject, refusal: Refusal, notifications: Notifications = ()) -> Exchange:
    """A message got an error."""
    payload = error_message(about.id, refusal.code, str(refusal), refusal.data)
    return Exchange(payload, refusal.status, refusal.headers, refusal.outcome, about, refusal.tool, notifications)


def ended() -> Answer:
    """A session is over."""
    return Answer(HttpResponse(204, {}, b""), Outcome.SESSION_ENDED, None, None, None, "ended")


def accepted(about: Subject) -> Exchange:
    """A notification or a response was taken note of."""
    return Exchange(None, 202, {}, Outcome.ACCEPTED, about, None)


def _traceparent(params: Json) -> str | None:
    meta = params.get("_meta") if isinstance(params, dict) else None
    value = meta.get("traceparent") if isinstance(meta, dict) else None
    if not isinstance(value, str):
        return None
    fields = value.split("-")
    well_formed = [len(field) for field in fields] == _TRACEPARENT_LENGTHS and _HEXADECIMAL.issuperset("".join(fields))
    return value if well_formed else None
