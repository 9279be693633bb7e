"""The MCP function: an API Gateway event in, one buffered response out, one audit line for every call."""

import base64
import binascii
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol, cast

from groundwire import wiring
from groundwire.domain.errors import Problem, Unavailable
from groundwire.domain.verdict import EdgeDecision, Verdict
from groundwire.entry.audit_record import who
from groundwire.entry.caller_context import from_event
from groundwire.entry.refusals import RETRYABLE, refusal
from groundwire.entry.telemetry import Telemetry, trace_id
from groundwire.protocol.exchanges import Answer
from groundwire.protocol.http import HttpRequest, HttpResponse
from groundwire.protocol.jsonrpc import error_response
from groundwire.protocol.outcomes import Outcome
from groundwire.protocol.server import McpServer, internal_error
from groundwire.services.call import Call

if TYPE_CHECKING:
    from groundwire.ports import Audit, Clock

Event = Mapping[str, object]
LambdaResponse = dict[str, object]

_RETRY_S: Final = 5
_INFORMATIVE: Final = ("x-human-uid", "x-app-uid")
"""Headers that say more about a call; they go to the audit line and decide nothing."""


class LambdaContext(Protocol):
    """What the handler reads of the Lambda service's context object."""

    aws_request_id: str


@dataclass(frozen=True, slots=True)
class McpParts:
    """What the handler works with."""

    server: McpServer[Call]
    audit: "Audit"
    telemetry: Telemetry
    clock: "Clock"


class McpHandler:
    """Answers admitted calls, refuses all others, and records both."""

    def __init__(self, parts: McpParts) -> None:
        self._parts = parts

    def __call__(self, event: Event, context: LambdaContext) -> LambdaResponse:
        """The response in API Gateway's payload format 2.0; never raises."""
        started = time.perf_counter()
        request = http_request(event)
        verdict = from_event(event)
        call = Call(verdict.caller) if verdict.caller is not None else None
        answer = self._refuse(request, verdict) if call is None else self._answer(request, call)
        record = _record(request, verdict, call, answer)
        record["time"] = self._parts.clock()
        record["request_id"] = context.aws_request_id
        record["duration_ms"] = round((time.perf_counter() - started) * 1000, 3)
        # Nobody reads unseen: an answer whose audit line could not be written is not given.
        unrecorded = "The call could not be recorded just now"
        response = answer.response if self._is_recorded(record) else _not_now(request, unrecorded)
        self._parts.telemetry.call(record)
        return lambda_response(response)

    def _is_recorded(self, record: dict[str, object]) -> bool:
        try:
            self._parts.audit.append(record)
        except Unavailable:
            self._parts.telemetry.failure("a call could not be recorded")
            return False
        return True

    def _answer(self, request: HttpRequest, call: Call) -> Answer:
        try:
            return self._parts.server.answer(request, call)
        except Exception:  # noqa: BLE001 - nothing of ours may reach the caller as anything but an error answer
            self._parts.telemetry.failure("a call broke")
            return Answer(internal_error(request), Outcome.INTERNAL_ERROR, None, None, None)

    def _refuse(self, request: HttpRequest, verdict: Verdict) -> Answer:
        refused = refusal(verdict)
        # Strangers get one body for all, and nothing of what they sent is read.
        known = request if verdict.decision is not EdgeDecision.UNAUTHENTICATED else request._replace(body=b"")
        data = _retry_data(verdict)
        response = error_response(known, refused.status, refused.code, refused.message, data, refused.headers)
        return Answer(response, Outcome.NOT_ADMITTED, None, None, None)


def _retry_data(verdict: Verdict) -> dict[str, object] | None:
    """What a client that reads no HTTP headers needs to know, in the form of every retryable error."""
    if verdict.retry_after_s is None:
        return None
    return {"retryable": True, "retry_after_s": verdict.retry_after_s}


def _not_now(request: HttpRequest, why: str) -> HttpResponse:
    data = {"retryable": True, "retry_after_s": _RETRY_S}
    headers = {"retry-after": str(_RETRY_S)}
    message = f"{why}; try again after the stated seconds."
    return error_response(request, Unavailable.http_status, RETRYABLE, message, data, headers)


def http_request(event: Event) -> HttpRequest:
    """The HTTP request inside an API Gateway event."""
    context = cast("Mapping[str, Mapping[str, str]]", event["requestContext"])
    headers = cast("Mapping[str, str]", event.get("headers") or {})
    return HttpRequest(
        context["http"]["method"], {name.lower(): value for name, value in headers.items()}, _body(event)
    )


def lambda_response(response: HttpResponse) -> LambdaResponse:
    """API Gateway's payload format 2.0; every body of ours is UTF-8 text."""
    return {
        "statusCode": response.status,
        "headers": dict(response.headers),
        "body": response.body.decode(),
        "isBase64Encoded": False,
    }


def _body(event: Event) -> bytes:
    body = str(event.get("body") or "")
    if not event.get("isBase64Encoded"):
        return body.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(body)
    except binascii.Error:
        return b""


def _record(request: HttpRequest, verdict: Verdict, call: Call | None, answer: Answer) -> dict[str, object]:
    """The audit line of a call: who, what, why, how much; no document text, no key, no phrase."""
    informative = {name: request.headers[name][:256] for name in _INFORMATIVE if name in request.headers}
    return {
        "tenant": verdict.tenant,
        "kid": verdict.kid,
        **who(call.caller.principal if call else None),
        **informative,
        "decision": verdict.decision.value,
        "reason": verdict.reason,
        "method": answer.method,
        "tool": answer.tool,
        "outcome": answer.outcome.value,
        "status": answer.response.status,
        "bytes": len(answer.response.body),
        "trace": answer.traceparent or trace_id(),
        **(call.facts if call else {}),
    }


@lru_cache(maxsize=1)
def _handler_of(services: wiring.Services) -> McpHandler:
    return McpHandler(McpParts(services.mcp_server, services.audit, Telemetry("mcp"), services.clock))


def handler(event: Event, context: LambdaContext) -> LambdaResponse:
    """The Lambda entry point."""
    try:
        answer = _handler_of(wiring.current())
    except Problem as problem:
        # Raised, it would reach the caller as the gateway's own 500, without a word about coming back.
        Telemetry("mcp").problem(str(problem))
        return lambda_response(_not_now(http_request(event), "The service does not answer just now"))
    return answer(event, context)
