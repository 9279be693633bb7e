"""What the audit lines of the API say: who, which route, on what, how it ended; no secret, no text, no body."""

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.entry.audit_record import who_calls
from groundwire.entry.telemetry import trace_id

if TYPE_CHECKING:
    from groundwire.domain.verdict import Verdict
    from groundwire.entry.rest.buffered import Buffered
    from groundwire.entry.rest.work import Work

_ANSWERED: Final = "answered"
_NOT_ADMITTED: Final = "not_admitted"


def of_admitted(verdict: "Verdict", work: "Work", answer: "Buffered") -> dict[str, object]:
    """The line of a call that was let in; `route` is None where there is no such route."""
    return {
        "tenant": verdict.tenant,
        "kid": verdict.kid,
        **who_calls(work.caller),
        "decision": verdict.decision.value,
        "reason": verdict.reason.value,
        "route": work.route,
        "outcome": _outcome(answer),
        **_size(answer),
        **work.call.facts,
    }


def of_refused(verdict: "Verdict", answer: "Buffered") -> dict[str, object]:
    """The line of a call that was not let in: small, as strangers may have any number of them written."""
    record = {
        "tenant": verdict.tenant,
        "kid": verdict.kid,
        "decision": verdict.decision.value,
        "reason": verdict.reason.value,
        "route": "/v1",
        "outcome": _NOT_ADMITTED,
        **_size(answer),
    }
    return {name: value for name, value in record.items() if value is not None}


def _outcome(answer: "Buffered") -> str:
    if answer.status < HTTPStatus.BAD_REQUEST:
        return _ANSWERED
    return str(json.loads(answer.body)["error"]["code"])


def _size(answer: "Buffered") -> dict[str, object]:
    return {"status": answer.status, "bytes": len(answer.body), "trace": trace_id()}
