"""Audit records of MCP calls: caller, decision, method, result, sizes; no document text, key or search phrase."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from groundwire.domain.keys.auth_decision import AuthDecision, AuthStatus
from groundwire.entry.runtime.audit_identity import caller_fields
from groundwire.entry.runtime.telemetry import trace_id
from groundwire.protocol.transport.exchanges import McpResponse
from groundwire.services.call_context import CallContext

_INFORMATIONAL_HEADERS: Final = ("x-human-uid", "x-app-uid")
"""Headers that go into the audit record of an admitted call and affect no decision."""
_MAX_INFORMATIONAL_BYTES: Final = 256


def admitted_record(
    decision: AuthDecision, call: CallContext, headers: Mapping[str, str], response: McpResponse
) -> dict[str, object]:
    """Return the audit record of an admitted call; `headers` by lower-case name."""
    return {
        "tenant": decision.tenant,
        "kid": decision.kid,
        **caller_fields(call.caller),
        **{name: _truncate(headers[name]) for name in _INFORMATIONAL_HEADERS if name in headers},
        "decision": decision.status.value,
        "reason": decision.reason.value,
        "method": response.method,
        "tool": response.tool,
        **({} if response.session_event is None else {"session": response.session_event}),
        **_result_fields(response),
        **call.audit_fields,
    }


def denied_record(decision: AuthDecision, response: McpResponse) -> dict[str, object]:
    """Return the audit record of a denied call: small, since anybody can cause any number of them."""
    record = {
        "tenant": decision.tenant,
        "kid": decision.kid,
        "decision": decision.status.value,
        "reason": decision.reason.value,
        **_result_fields(response),
    }
    if decision.status is AuthStatus.OVER_LIMIT:
        # An MCP client may be told in a result with status 200; the line counts its call among the refused ones.
        record["status"] = HTTPStatus.TOO_MANY_REQUESTS.value
    return {name: value for name, value in record.items() if value is not None}


def _result_fields(response: McpResponse) -> dict[str, object]:
    return {
        "outcome": response.result_code.value,
        "status": response.response.status,
        "bytes": len(response.response.body),
        **_trace_fields(response),
    }


def _trace_fields(response: McpResponse) -> dict[str, object]:
    """Return the caller's trace and, under another name, the service's own; both identify the call."""
    service_trace = trace_id()
    if response.traceparent is None:
        return {"trace": service_trace}
    return {"trace": response.traceparent, **({} if service_trace is None else {"xray": service_trace})}


def _truncate(value: str) -> str:
    return value.encode("utf-8", "replace")[:_MAX_INFORMATIONAL_BYTES].decode("utf-8", "ignore")
