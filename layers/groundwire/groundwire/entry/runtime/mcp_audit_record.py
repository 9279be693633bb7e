"""What the audit lines of MCP calls say: who, what, why, how much; no document text, no key, no phrase."""

from collections.abc import Mapping
from typing import Final

from groundwire.domain.keys.auth_decision import AuthDecision
from groundwire.entry.runtime.audit_identity import caller_fields
from groundwire.entry.runtime.telemetry import trace_id
from groundwire.protocol.transport.exchanges import McpResponse
from groundwire.services.call_context import CallContext

_INFORMATIONAL_HEADERS: Final = ("x-human-uid", "x-app-uid")
"""Headers that say more about an admitted call; they go to its audit line and decide nothing."""
_MAX_INFORMATIONAL_BYTES: Final = 256


def admitted_record(
    decision: AuthDecision, call: CallContext, headers: Mapping[str, str], response: McpResponse
) -> dict[str, object]:
    """The line of a call that was let in; `headers` by lower-case name."""
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
    """The line of a call that was not let in: small, as strangers may have any number of them written."""
    record = {
        "tenant": decision.tenant,
        "kid": decision.kid,
        "decision": decision.status.value,
        "reason": decision.reason.value,
        **_result_fields(response),
    }
    return {name: value for name, value in record.items() if value is not None}


def _result_fields(response: McpResponse) -> dict[str, object]:
    return {
        "outcome": response.result_code.value,
        "status": response.response.status,
        "bytes": len(response.response.body),
        **_trace_fields(response),
    }


def _trace_fields(response: McpResponse) -> dict[str, object]:
    """The caller's trace, and the service's own under a name of its own: either finds the line."""
    own = trace_id()
    if response.traceparent is None:
        return {"trace": own}
    return {"trace": response.traceparent, **({} if own is None else {"xray": own})}


def _truncate(value: str) -> str:
    return value.encode("utf-8", "replace")[:_MAX_INFORMATIONAL_BYTES].decode("utf-8", "ignore")
