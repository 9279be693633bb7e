"""Operator function: takes a command, returns `{"ok": true, …}` or `{"error": {…}}`, and audits each command."""

import json
from collections.abc import Collection, Mapping
from functools import cache
from typing import Final, Protocol, cast

from groundwire import wiring
from groundwire.domain.audit.facts import AuditFacts
from groundwire.domain.error_codes import error_to_members
from groundwire.domain.errors import DomainError
from groundwire.domain.text.json_values import list_or_empty, mapping_or_empty
from groundwire.entry.operator.actions import ACTIONS, read_action
from groundwire.entry.runtime.telemetry import Telemetry
from groundwire.entry.serialization.object_reader import ObjectReader
from groundwire.settings.remedies import OPERATOR_HINTS

_QUEUE_ACTIONS: Final = frozenset({"tenant.sweep"})
"""Actions that the function's own queue may request."""
_UNKNOWN_ACTION: Final = "unknown"
"""Action name in the audit record of a command without a valid action."""


class _InvocationContext(Protocol):
    @property
    def aws_request_id(self) -> str:
        """The id under which CloudTrail records the invocation and its caller."""
        ...


def handler(event: object, context: _InvocationContext) -> dict[str, object]:
    """Execute a command, or the messages of the sweep queue.

    A failed message raises, so that the queue delivers it again.
    """
    if messages := _queue_messages(event):
        for message in messages:
            # Whoever may write to the queue must not reach the other actions.
            _execute(json.loads(message), context, _QUEUE_ACTIONS)
        return {"ok": True}
    try:
        return {"ok": True, **_execute(event, context, ACTIONS)}
    except DomainError as error:
        return {"error": error_to_members(error, OPERATOR_HINTS)}
    except Exception:  # noqa: BLE001 - the function's log has the exception for the operator
        _telemetry().exception("a command failed")
        # The text of an unexpected error may hold data of a tenant.
        return {"error": {"code": "failed", "message": "The operator function failed. Its log group has the error."}}


def _execute(command: object, context: _InvocationContext, allowed: Collection[str]) -> Mapping[str, object]:
    """Execute a command and write its audit record; without the record there is no response."""
    services = wiring.cloud_services()
    name, facts = _UNKNOWN_ACTION, AuditFacts(request_id=context.aws_request_id, outcome="failed")
    try:
        fields = ObjectReader(command)
        name = read_action(fields, allowed)
        result = ACTIONS[name](services, fields)
        facts |= {**result.audit_facts, "outcome": "done"}
    except DomainError as error:
        # The code alone, because a message may hold what somebody typed.
        facts |= {"outcome": "refused", "reason": str(error_to_members(error, OPERATOR_HINTS)["code"])}
        raise
    finally:
        services.administration.audit_operator_action(name, **facts)
    return result.members


def _queue_messages(event: object) -> list[str]:
    """Return the message bodies of a queue event; an empty list for other events."""
    records = list_or_empty(mapping_or_empty(event).get("Records"))
    return [str(record["body"]) for record in cast("list[Mapping[str, object]]", records)]


@cache
def _telemetry() -> Telemetry:
    return Telemetry("operator")
