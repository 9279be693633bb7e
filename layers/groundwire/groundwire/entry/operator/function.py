"""The function's handler: an order in, `{"ok": true, …}` or `{"error": {…}}` out, a line in the audit log for each."""

import json
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol, cast

from groundwire import wiring
from groundwire.domain.error_codes import COMMAND_HINTS, error_to_members
from groundwire.domain.errors import DomainError, InvalidInput
from groundwire.entry.operator import keys, reindex, tenants
from groundwire.entry.runtime.telemetry import Telemetry
from groundwire.entry.serialization.object_reader import ObjectReader

if TYPE_CHECKING:
    from groundwire.entry.operator.action_result import ActionResult
    from groundwire.wiring.cloud.services import CloudServices

    Action = Callable[[CloudServices, ObjectReader], ActionResult]

ACTIONS: Final["Mapping[str, Action]"] = {
    "tenant.create": tenants.create,
    "tenant.list": tenants.list_all,
    "tenant.delete": tenants.delete,
    "tenant.sweep": tenants.sweep,
    "key.create": keys.create,
    "key.list": keys.list_all,
    "key.rotate": keys.rotate,
    "key.revoke": keys.revoke,
    "reindex.run": reindex.run,
    "reindex.status": reindex.status,
    "reindex.abandon": reindex.abandon,
}
_QUEUE_ACTIONS: Final = frozenset({"tenant.sweep"})
"""What the function's own queue may order."""
_UNKNOWN_ACTION: Final = "unknown"
"""In the audit log, of an order that names none of them."""


class _InvocationContext(Protocol):
    @property
    def aws_request_id(self) -> str:
        """By which CloudTrail names whoever invoked the function."""
        ...


def handler(event: object, context: _InvocationContext) -> dict[str, object]:
    """The Lambda entry point, for orders and for messages of the queue of sweeps.

    A message that cannot be carried out raises, so that it comes again.
    """
    if messages := _queue_messages(event):
        for message in messages:
            _execute(json.loads(message), context, _QUEUE_ACTIONS)
        return {"ok": True}
    try:
        return {"ok": True, **_execute(event, context, ACTIONS)}
    except DomainError as problem:
        return {"error": error_to_members(problem, COMMAND_HINTS)}
    except Exception:  # noqa: BLE001 - said to the operator by the function's log
        _telemetry().exception("an order broke")
        return {"error": {"code": "failed", "message": "The operator function failed; its log group says how."}}


def _execute(command: object, context: _InvocationContext, allowed: Collection[str]) -> Mapping[str, object]:
    """What could not be recorded is not answered."""
    services = wiring.cloud_services()
    name, line = _UNKNOWN_ACTION, dict[str, object](request_id=context.aws_request_id, outcome="failed")
    try:
        fields = ObjectReader(command)
        name = _read_action(fields, allowed)
        done = ACTIONS[name](services, fields)
        line |= {**done.audit_facts, "outcome": "done"}
    except DomainError as problem:
        line |= {"outcome": "refused", "reason": error_to_members(problem, COMMAND_HINTS)["code"]}
        raise
    finally:
        services.audit_operator_action(name, **line)
    return done.members


def _read_action(fields: ObjectReader, allowed: Collection[str]) -> str:
    name = fields.text("action")
    if name not in allowed:
        raise InvalidInput(f"There is no action {name!r}; there are: {', '.join(ACTIONS)}.")
    return name


def _queue_messages(event: object) -> list[str]:
    """Bodies of the messages of a queue; empty for anything else."""
    records = cast("Mapping[str, object]", event).get("Records") if isinstance(event, Mapping) else None
    if not isinstance(records, list):
        return []
    return [str(record["body"]) for record in cast("list[Mapping[str, object]]", records)]


@cache
def _telemetry() -> Telemetry:
    return Telemetry("operator")
