"""What the audit lines of MCP calls say: who, what, why, how much; no document text, no key, no phrase."""

from collections.abc import Mapping
from typing import Final

from groundwire.domain.verdict import Verdict
from groundwire.entry.audit_record import who_calls
from groundwire.entry.telemetry import trace_id
from groundwire.protocol.exchanges import Answer
from groundwire.services.call import Call

_INFORMATIVE: Final = ("x-human-uid", "x-app-uid")
"""Headers that say more about an admitted call; they go to its audit line and decide nothing."""
_MAX_INFORMATIVE_BYTES: Final = 256


def of_admitted(verdict: Verdict, call: Call, headers: Mapping[str, str], answer: Answer) -> dict[str, object]:
    """The line of a call that was let in; `headers` by lower-case name."""
    return {
        "tenant": verdict.tenant,
        "kid": verdict.kid,
        **who_calls(call.caller),
        **{name: _bounded(headers[name]) for name in _INFORMATIVE if name in headers},
        "decision": verdict.decision.value,
        "reason": verdict.reason.value,
        "method": answer.method,
        "tool": answer.tool,
        **({} if answer.session is None else {"session": answer.session}),
        **_result(answer),
        **call.facts,
    }


def of_refused(verdict: Verdict, answer: Answer) -> dict[str, object]:
    """The line of a call that was not let in: small, as strangers may have any number of them written."""
    record = {
        "tenant": verdict.tenant,
        "kid": verdict.kid,
        "decision": verdict.decision.value,
        "reason": verdict.reason.value,
        **_result(answer),
    }
    return {name: value for name, value in record.items() if value is not None}


def _result(answer: Answer) -> dict[str, object]:
    return {
        "outcome": answer.outcome.value,
        "status": answer.response.status,
        "bytes": len(answer.response.body),
        **_traces(answer),
    }


def _traces(answer: Answer) -> dict[str, object]:
    """The caller's trace, and the service's own under a name of its own: either finds the line."""
    own = trace_id()
    if answer.traceparent is None:
        return {"trace": own}
    return {"trace": answer.traceparent, **({} if own is None else {"xray": own})}


def _bounded(value: str) -> str:
    return value.encode("utf-8", "replace")[:_MAX_INFORMATIVE_BYTES].decode("utf-8", "ignore")
