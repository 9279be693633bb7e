"""Audit lines of the API: caller, route, objects, result; no secret, no document text, no body."""

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.domain.audit.lines import CallingPerson, CallLine, CallResult, RouteTarget, UnknownTarget
from groundwire.entry.runtime.telemetry import trace_id

if TYPE_CHECKING:
    from groundwire.domain.keys.auth_decision import AuthDecision
    from groundwire.entry.rest.middleware.buffered_response import BufferedResponse
    from groundwire.entry.rest.middleware.context import RestContext

_ANSWERED: Final = "answered"
_NOT_ADMITTED: Final = "not_admitted"
_MAX_CODE_CHARACTERS: Final = 64


def admitted_line(
    decision: "AuthDecision", context: "RestContext", response: "BufferedResponse", sent: UnknownTarget
) -> CallLine:
    """Return the line of an admitted call; with method and path as they were sent where there is no such route."""
    return CallLine(
        tenant=decision.tenant,
        kid=decision.kid,
        person=CallingPerson.from_caller(context.caller),
        decision=decision,
        target=sent if context.route is None else RouteTarget(context.route),
        result=_result(response, _outcome(response)),
        facts=context.call.audit_fields,
    )


def refused_line(decision: "AuthDecision", response: "BufferedResponse", route: str, address: str) -> CallLine:
    """Return the line of a denied call; `address` is that of the gateway's peer, empty where it is unknown."""
    return CallLine(
        tenant=decision.tenant,
        kid=decision.kid,
        decision=decision,
        target=RouteTarget(route),
        result=_result(response, _NOT_ADMITTED),
        address=address or None,
    )


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


def _result(response: "BufferedResponse", outcome: str) -> CallResult:
    return CallResult(outcome, response.status, len(response.body), trace_id())
