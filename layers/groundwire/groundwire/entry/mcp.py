"""The MCP function: an API Gateway event in, one buffered response out, one audit line for every call."""

import time
from contextlib import nullcontext
from dataclasses import replace
from functools import lru_cache
from http import HTTPStatus
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from groundwire import wiring
from groundwire.dialects.declaration.routes import ErrorReply
from groundwire.dialects.router import mcp_error_response
from groundwire.domain.audit.lines import CallLine, LineTime, stored_form
from groundwire.domain.errors import DomainError, Unavailable
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.entry.http.api_gateway_event import (
    Event,
    LambdaResponse,
    http_request,
    lambda_response,
    source_address,
)
from groundwire.entry.http.auth_errors import auth_error_response
from groundwire.entry.http.authorizer_context import decision_from_event
from groundwire.entry.http.event_paths import PREFLIGHT_METHOD, request_method
from groundwire.entry.http.oauth_metadata import ProtectedResource
from groundwire.entry.runtime import mcp_audit_record
from groundwire.entry.runtime.address_limit import AddressLimit
from groundwire.entry.runtime.header_comparison import HeaderComparison
from groundwire.entry.runtime.telemetry import Telemetry
from groundwire.entry.runtime.warm_up import WARM_UP_EVENT, WarmUp
from groundwire.services.call_context import CallContext
from groundwire_mcp.jsonrpc.errors import ERROR_CODES, RETRYABLE_CODE, ResultCode
from groundwire_mcp.transport.exchanges import McpResponse
from groundwire_mcp.transport.http import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from groundwire.dialects.router import DialectRouter
    from groundwire.domain.keys.caller import Caller
    from groundwire.ports import AuditLog, Clock
    from groundwire.wiring.services import McpServices
    from groundwire_mcp.transport.origins import AllowedOrigins

_RETRY_AFTER_SECONDS: Final = 5
_EMPTY_REQUEST: Final = HttpRequest("", "", {}, b"")
_INTERNAL_ERROR: Final = AuthDecision(AuthStatus.UNAVAILABLE, AuthReason.INTERNAL_FAULT)


class InvocationContext(Protocol):
    """Attributes of the Lambda service's context object that the handler reads."""

    @property
    def aws_request_id(self) -> str:
        """Id of the invocation."""
        ...


class McpDependencies(NamedTuple):
    """Collaborators of the handler.

    Attributes:
        origins: pages in browsers that may call.
        discovery_limit: rate of callers without a credential, where they get answers.
        protected_resource: metadata for people who sign in; None where only keys are accepted.
        warm_up: starts the backends that a first search needs; None where all of them run.
        header_comparison: counts calls whose identity headers the gateway did not write; None where none is needed.
    """

    server: "DialectRouter"
    audit: "AuditLog"
    telemetry: Telemetry
    clock: "Clock"
    origins: "AllowedOrigins"
    discovery_limit: AddressLimit
    protected_resource: ProtectedResource | None = None
    warm_up: WarmUp | None = None
    header_comparison: HeaderComparison | None = None


class _HandledCall(NamedTuple):
    """A request with its decision and response; `call` is None unless the call was admitted.

    Attributes:
        is_discovery: it came without a credential, and asked what is the same for everybody.
        address: address of the gateway's peer; empty: unknown.
    """

    request: HttpRequest
    decision: AuthDecision
    call: CallContext | None
    response: McpResponse
    is_discovery: bool
    address: str


class McpHandler:
    """Answers admitted calls, refuses all others, and records both."""

    def __init__(self, dependencies: McpDependencies) -> None:
        self._dependencies = dependencies

    def __call__(self, event: Event, context: InvocationContext) -> LambdaResponse:
        """Return the response in API Gateway's payload format 2.0; never raises."""
        started = time.perf_counter()
        handled = self._handle_event(event)
        # Nobody reads unseen: an answer whose audit line could not be written is not given.
        if self._record_call(handled, context, started):
            return self._lambda_response(handled.request, handled.response.response)
        unrecorded = _unavailable("The call could not be recorded in the audit log")
        return self._lambda_response(handled.request, self._refuse(handled.request, unrecorded))

    def warm_up(self) -> LambdaResponse:
        """Warm up idle services; a schedule invokes this."""
        if self._dependencies.warm_up is not None:
            self._dependencies.warm_up.run()
        return lambda_response(HttpResponse(204, {}, b""))

    def _lambda_response(self, request: HttpRequest, response: HttpResponse) -> LambdaResponse:
        """Return the response, an error too, with the headers by which a page of an allowed origin may read it."""
        headers = {**response.headers, **self._dependencies.origins.response_headers(request.headers.get("origin"))}
        return lambda_response(response._replace(headers=headers))

    def _handle_event(self, event: Event) -> _HandledCall:
        request, decision, call, is_discovery, address = _EMPTY_REQUEST, _INTERNAL_ERROR, None, False, ""
        try:
            request = http_request(event)
            address = source_address(event)
            decision = decision_from_event(event)
            call = None if decision.caller is None else CallContext(_with_user_token(decision.caller, request))
            # Only a call that was decided, and found without any credential: a wrong one is refused.
            is_discovery = decision.reason is AuthReason.NO_CREDENTIAL and self._admits_discovery(request)
            if call is not None:
                self._compare_headers(event, request, call)
                answer = self._handle_admitted(request, call)
            elif is_discovery:
                answer = self._handle_discovery(request, address)
            else:
                answer = self._handle_denied(request, decision)
        except Unavailable as problem:
            self._dependencies.telemetry.error(str(problem))
            response = self._refuse(request, _unavailable("A part of the service does not answer"))
            answer = McpResponse(response, ResultCode.UNAVAILABLE, None, None, None)
        except Exception:  # noqa: BLE001 - nothing of ours may reach the caller as anything but an error answer
            self._dependencies.telemetry.exception("a call failed")
            code, status = ERROR_CODES[ResultCode.INTERNAL_ERROR]
            response = self._refuse(request, ErrorReply(status, code, "Internal error.", {}))
            answer = McpResponse(response, ResultCode.INTERNAL_ERROR, None, None, None)
        return _HandledCall(request, decision, call, answer, is_discovery, address)

    def _compare_headers(self, event: Event, request: HttpRequest, call: CallContext) -> None:
        if self._dependencies.header_comparison is not None:
            self._dependencies.header_comparison.compare(call.caller.principal.tenant, event, request.headers)

    def _handle_admitted(self, request: HttpRequest, call: CallContext) -> McpResponse:
        warming = self._dependencies.warm_up
        with warming.during_call(request.body, call.caller.principal.tenant) if warming else nullcontext():
            answer = self._dependencies.server.handle(request, call)
        if self._dependencies.protected_resource is None:
            return answer
        response = answer.response
        return answer._replace(
            response=response._replace(
                headers=self._dependencies.protected_resource.with_metadata_link(response.headers)
            )
        )

    def _admits_discovery(self, request: HttpRequest) -> bool:
        return self._dependencies.server.admits_discovery(request)

    def _handle_discovery(self, request: HttpRequest, address: str) -> McpResponse:
        wait = self._dependencies.discovery_limit.seconds_until_admitted(address)
        if not wait:
            return self._dependencies.server.discover(request)
        response = self._refuse(request, _too_many_calls(ceil(wait)))
        return McpResponse(response, ResultCode.NOT_ADMITTED, None, None, None)

    def _handle_denied(self, request: HttpRequest, decision: AuthDecision) -> McpResponse:
        refused = auth_error_response(decision, self._dependencies.protected_resource)
        response = None
        if decision.status is AuthStatus.OVER_LIMIT and decision.retry_after_s is not None:
            toolset, retry_after_s = decision.toolset, decision.retry_after_s
            response = self._dependencies.server.limited_tool_call(request, toolset, retry_after_s)
        if response is None:
            reply = ErrorReply(
                refused.status, refused.code, refused.message, refused.headers, refused.data or _retry_data(decision)
            )
            response = self._refuse(request, reply._replace(refused_header=refused.header))
        return McpResponse(response, ResultCode.NOT_ADMITTED, None, None, None)

    def _refuse(self, request: HttpRequest, reply: ErrorReply) -> HttpResponse:
        try:
            return self._dependencies.server.refuse(request, reply)
        except Exception:  # noqa: BLE001 - whatever a dialect's form does, the call gets its answer and its audit line
            self._dependencies.telemetry.exception("an error could not be converted to the form of its dialect")
            return mcp_error_response(request, reply)

    def _record_call(self, call: _HandledCall, context: InvocationContext, started: float) -> bool:
        try:
            milliseconds = round((time.perf_counter() - started) * 1000, 3)
            line_time = LineTime(self._dependencies.clock(), context.aws_request_id, milliseconds)
            record = stored_form(self._audit_line(call), line_time)
            # As for OPTIONS: constants that anybody may ask for, in any number, cause no write.
            if not call.is_discovery:
                self._dependencies.audit.append(record)
            self._dependencies.telemetry.record_call(record)
        except Exception:  # noqa: BLE001 - whatever it was, the call must not go by unseen
            self._dependencies.telemetry.exception("a call could not be recorded")
            return False
        return True

    def _audit_line(self, handled: _HandledCall) -> CallLine:
        request, decision, call, answer = handled.request, handled.decision, handled.call, handled.response
        if call is not None:
            return mcp_audit_record.admitted_line(decision, call, request, answer)
        route = self._dependencies.server.find_route(request.path)
        return mcp_audit_record.denied_line(decision, answer, route, handled.address)


def _with_user_token(caller: "Caller", request: HttpRequest) -> "Caller":
    """Return the caller with the access token by which they signed in; an API key's caller as it is."""
    if not caller.is_named_by_token:
        return caller
    # Not before: a call with an API key needs neither the module nor the ones for digests that it loads.
    from groundwire.domain.keys.identity import sign_in_token

    return replace(caller, user_token=sign_in_token(request.headers))


def _retry_data(decision: AuthDecision) -> dict[str, object] | None:
    """Return the retry members of the error, for clients that read no HTTP headers; None if it is not retryable."""
    if decision.retry_after_s is None:
        return None
    return {"retryable": True, "retry_after_s": decision.retry_after_s}


def _unavailable(reason: str) -> ErrorReply:
    data = {"retryable": True, "retry_after_s": _RETRY_AFTER_SECONDS}
    headers = {"retry-after": str(_RETRY_AFTER_SECONDS)}
    message = f"{reason}. Try again after the stated seconds."
    return ErrorReply(Unavailable.http_status, RETRYABLE_CODE, message, headers, data)


def _too_many_calls(retry_after_s: int) -> ErrorReply:
    data = {"retryable": True, "retry_after_s": retry_after_s}
    headers = {"retry-after": str(retry_after_s)}
    message = "Too many calls without a key from this address. Try again after the stated seconds."
    return ErrorReply(HTTPStatus.TOO_MANY_REQUESTS, RETRYABLE_CODE, message, headers, data)


@lru_cache(maxsize=1)
def _build_handler(services: "McpServices") -> McpHandler:
    sign_in, telemetry = ProtectedResource.from_settings(services.settings), Telemetry("mcp")
    warming = (
        None
        if services.installation.warmup_factory is None
        else WarmUp(services.installation.warmup_factory, telemetry)
    )
    checks = services.stores.header_checks
    return McpHandler(
        McpDependencies(
            services.agents.mcp_server,
            services.stores.audit,
            telemetry,
            services.clock,
            services.agents.allowed_origins,
            AddressLimit(services.clock),
            sign_in,
            warming,
            None if checks is None else HeaderComparison(checks, services.clock, telemetry),
        )
    )


def handler(event: Event, context: InvocationContext) -> LambdaResponse:
    """The Lambda entry point."""
    try:
        services = wiring.mcp_services()
        if request_method(event) == PREFLIGHT_METHOD:
            # A browser asks without a key. Anybody may, and learns nothing: no store is opened and no line is written.
            return lambda_response(services.agents.allowed_origins.preflight_response(http_request(event).headers))
        answer = _build_handler(services)
    except DomainError as problem:
        # Raised, it would reach the caller as the gateway's own 500, without a word about coming back.
        Telemetry("mcp").error(str(problem))
        unavailable = _unavailable("A part of the service does not answer")
        return lambda_response(mcp_error_response(http_request(event), unavailable))
    return answer.warm_up() if event == WARM_UP_EVENT else answer(event, context)
