"""The MCP function: an API Gateway event in, one buffered response out, one audit line for every call."""

import time
from contextlib import nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from groundwire import wiring
from groundwire.domain.errors import Problem, Unavailable
from groundwire.domain.verdict import EdgeDecision, EdgeReason, Verdict
from groundwire.entry import call_record
from groundwire.entry.caller_context import from_event
from groundwire.entry.http_event import Event, LambdaResponse, http_request, lambda_response
from groundwire.entry.refusals import RETRYABLE, refusal
from groundwire.entry.sign_in import SignIn
from groundwire.entry.telemetry import Telemetry
from groundwire.entry.warming import ORDER, Warming
from groundwire.protocol.exchanges import Answer
from groundwire.protocol.http import HttpRequest, HttpResponse
from groundwire.protocol.jsonrpc import error_response
from groundwire.protocol.outcomes import Outcome
from groundwire.protocol.server import McpServer, internal_error
from groundwire.services.call import Call

if TYPE_CHECKING:
    from groundwire.ports import Audit, Clock

_RETRY_S: Final = 5
_NOTHING: Final = HttpRequest("", {}, b"")
_UNDECIDED: Final = Verdict(EdgeDecision.UNAVAILABLE, EdgeReason.INTERNAL_FAULT)


class LambdaContext(Protocol):
    """What the handler reads of the Lambda service's context object."""

    aws_request_id: str


class McpParts(NamedTuple):
    """What the handler works with.

    Attributes:
        sign_in: where people sign in who have no key; None where only keys are accepted.
        warming: wakes what a first search needs; None where nothing sleeps.
    """

    server: McpServer[Call]
    audit: "Audit"
    telemetry: Telemetry
    clock: "Clock"
    sign_in: SignIn | None = None
    warming: Warming | None = None


class _Handled(NamedTuple):
    """A call and what became of it; `call` is None unless the call was let in."""

    request: HttpRequest
    verdict: Verdict
    call: Call | None
    answer: Answer


class McpHandler:
    """Answers admitted calls, refuses all others, and records both."""

    def __init__(self, parts: McpParts) -> None:
        self._parts = parts

    def __call__(self, event: Event, context: LambdaContext) -> LambdaResponse:
        """The response in API Gateway's payload format 2.0; never raises."""
        started = time.perf_counter()
        handled = self._handle(event)
        # Nobody reads unseen: an answer whose audit line could not be written is not given.
        if self._is_recorded(handled, context, started):
            return lambda_response(handled.answer.response)
        known = _known(handled.request, handled.verdict)
        return lambda_response(_not_now(known, "The call could not be recorded just now"))

    def keep_awake(self) -> LambdaResponse:
        """What a schedule asks for: nothing sleeps, as far as that could be had."""
        if self._parts.warming is not None:
            self._parts.warming.now()
        return lambda_response(HttpResponse(204, {}, b""))

    def _handle(self, event: Event) -> _Handled:
        request, verdict, call = _NOTHING, _UNDECIDED, None
        try:
            request = http_request(event)
            verdict = from_event(event)
            call = Call(verdict.caller) if verdict.caller is not None else None
            answer = self._refuse(request, verdict) if call is None else self._answer(request, call)
        except Unavailable as problem:
            self._parts.telemetry.problem(str(problem))
            response = _not_now(_known(request, verdict), "The service does not answer just now")
            answer = Answer(response, Outcome.UNAVAILABLE, None, None, None)
        except Exception:  # noqa: BLE001 - nothing of ours may reach the caller as anything but an error answer
            self._parts.telemetry.failure("a call broke")
            answer = Answer(internal_error(_known(request, verdict)), Outcome.INTERNAL_ERROR, None, None, None)
        return _Handled(request, verdict, call, answer)

    def _answer(self, request: HttpRequest, call: Call) -> Answer:
        warming = self._parts.warming
        with warming.beside(request.body, call.caller.principal.tenant) if warming else nullcontext():
            answer = self._parts.server.answer(request, call)
        if self._parts.sign_in is None:
            return answer
        response = answer.response
        return answer._replace(response=response._replace(headers=self._parts.sign_in.pointed(response.headers)))

    def _refuse(self, request: HttpRequest, verdict: Verdict) -> Answer:
        refused = refusal(verdict, self._parts.sign_in)
        data = _retry_data(verdict)
        known = _known(request, verdict)
        response = error_response(known, refused.status, refused.code, refused.message, data, refused.headers)
        return Answer(response, Outcome.NOT_ADMITTED, None, None, None)

    def _is_recorded(self, handled: _Handled, context: LambdaContext, started: float) -> bool:
        try:
            record = _record(handled)
            record["time"] = self._parts.clock()
            record["request_id"] = context.aws_request_id
            record["duration_ms"] = round((time.perf_counter() - started) * 1000, 3)
            self._parts.audit.append(record)
            self._parts.telemetry.call(record)
        except Exception:  # noqa: BLE001 - whatever it was, the call must not go by unseen
            self._parts.telemetry.failure("a call could not be recorded")
            return False
        return True


def _record(handled: _Handled) -> dict[str, object]:
    request, verdict, call, answer = handled
    if call is None:
        return call_record.of_refused(verdict, answer)
    return call_record.of_admitted(verdict, call, request.headers, answer)


def _known(request: HttpRequest, verdict: Verdict) -> HttpRequest:
    """What may be read of the request to answer it: strangers get one body for all, whatever they sent."""
    return _NOTHING if verdict.decision is EdgeDecision.UNAUTHENTICATED or verdict is _UNDECIDED else request


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


@lru_cache(maxsize=1)
def _handler_of(services: wiring.CallServices) -> McpHandler:
    sign_in, telemetry = SignIn.of(services.settings), Telemetry("mcp")
    warming = None if services.warmers is None else Warming(services.warmers, telemetry)
    return McpHandler(McpParts(services.mcp_server, services.audit, telemetry, services.clock, sign_in, warming))


def handler(event: Event, context: LambdaContext) -> LambdaResponse:
    """The Lambda entry point."""
    try:
        answer = _handler_of(wiring.calls())
    except Problem as problem:
        # Raised, it would reach the caller as the gateway's own 500, without a word about coming back.
        Telemetry("mcp").problem(str(problem))
        return lambda_response(_not_now(http_request(event), "The service does not answer just now"))
    return answer.keep_awake() if event == ORDER else answer(event, context)
