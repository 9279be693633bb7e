"""Audit records of the API: caller, route, objects, result; no secret, no document text, no body."""

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.entry.runtime.audit_identity import caller_fields
from groundwire.entry.runtime.telemetry import trace_id

if TYPE_CHECKING:
    from groundwire.domain.keys.auth_decision import AuthDecision
    from groundwire.entry.rest.middleware.buffered_response import BufferedResponse
    from groundwire.entry.rest.middleware.context import RestContext

_ANSWERED: Final = "answered"
_NOT_ADMITTED: Final = "not_admitted"
_MAX_CODE_CHARACTERS: Final = 64


def admitted_record(
    decision: "AuthDecision", context: "RestContext", response: "BufferedResponse"
) -> dict[str, object]:
    """Return the audit record of an admitted call; `route` is None where there is no such route."""
    return {
        "tenant": decision.tenant,
        "kid": decision.kid,
        **caller_fields(context.caller),
        "decision": decision.status.value,
        "reason": decision.reason.value,
        "route": context.route,
        "outcome": _outcome(response),
        **_size(response),
        **context.call.audit_fields,
    }


def refused_record(decision: "AuthDecision", response: "BufferedResponse", route: str) -> dict[str, object]:
    """Return the audit record of a denied call: small, since anybody can cause any number of them."""
    record = {
        "tenant": decision.tenant,
        "kid": decision.kid,
        "decision": decision.status.value,
        "reason": decision.reason.value,
        "route": route,
        "outcome": _NOT_ADMITTED,
        **_size(response),
    }
    return {name: value for name, value in record.items() if value is not None}


def _outcome(response: "BufferedResponse") -> str:
    if response.status < HTTPStatus.BAD_REQUEST:
        return _ANSWERED
    return _error_code(response.body) or str(response.status)


def _error_code(body: bytes) -> str | None:
    """Return the code of an error in the form of the REST API; None for other forms, which a dialect's errors have."""
    try:
        code: object = json.loads(body)["error"]["code"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return code if isinstance(code, str) and len(code) <= _MAX_CODE_CHARACTERS else None


def _size(response: "BufferedResponse") -> dict[str, object]:
    return {"status": response.status, "bytes": len(response.body), "trace": trace_id()}
