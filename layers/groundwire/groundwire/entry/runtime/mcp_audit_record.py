"""Audit lines of MCP calls: caller, decision, method, result, sizes; no document text, key or search phrase."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.domain.audit.lines import (
    CallingPerson,
    CallLine,
    CallResult,
    McpTarget,
    RouteTarget,
    UnknownTarget,
)
from groundwire.domain.keys.auth_decision import AuthDecision, AuthStatus
from groundwire.entry.runtime.telemetry import trace_id
from groundwire.services.call_context import CallContext
from groundwire_mcp.jsonrpc.errors import ResultCode
from groundwire_mcp.transport.exchanges import McpResponse

if TYPE_CHECKING:
    from groundwire_mcp.transport.http import HttpRequest

_INFORMATIONAL_HEADERS: Final = ("x-human-uid", "x-app-uid")
"""Headers that go into the audit record of an admitted call and affect no decision."""
_MAX_INFORMATIONAL_BYTES: Final = 256


def admitted_line(decision: AuthDecision, call: CallContext, request: "HttpRequest", response: McpResponse) -> CallLine:
    """Return the line of an admitted call."""
    headers = request.headers
    informational = {name: _truncate(headers[name]) for name in _INFORMATIONAL_HEADERS if name in headers}
    target = McpTarget(response.method, response.tool, response.session_event)
    return CallLine(
        tenant=decision.tenant,
        kid=decision.kid,
        person=CallingPerson.from_caller(call.caller, informational),
        decision=decision,
        target=UnknownTarget(request.method, request.path)
        if response.result_code is ResultCode.UNKNOWN_PATH
        else target,
        result=_result(response, response.response.status),
        facts=call.audit_fields,
    )


def denied_line(decision: AuthDecision, response: McpResponse, route: str | None, address: str) -> CallLine:
    """Return the line of a denied call.

    Args:
        decision: the denial.
        response: its response.
        route: path of the route; None: unknown.
        address: address of the gateway's peer; empty: unknown.
    """
    # An MCP client may be told in a result with status 200; the line counts its call among the refused ones.
    is_over_limit = decision.status is AuthStatus.OVER_LIMIT
    status = HTTPStatus.TOO_MANY_REQUESTS.value if is_over_limit else response.response.status
    result = _result(response, status)
    return CallLine(
        tenant=decision.tenant,
        kid=decision.kid,
        decision=decision,
        target=None if route is None else RouteTarget(route),
        result=result,
        address=address or None,
    )


def _result(response: McpResponse, status: int) -> CallResult:
    """Return the result with the caller's trace and, under another name, the service's own; both identify the call."""
    outcome, size, service_trace = response.result_code.value, len(response.response.body), trace_id()
    if response.traceparent is None:
        return CallResult(outcome, status, size, service_trace)
    return CallResult(outcome, status, size, response.traceparent, service_trace)


def _truncate(value: str) -> str:
    return value.encode("utf-8", "replace")[:_MAX_INFORMATIONAL_BYTES].decode("utf-8", "ignore")
