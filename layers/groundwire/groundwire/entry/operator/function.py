"""The function's handler: an order in, `{"ok": true, …}` or `{"error": {…}}` out, a line in the audit log for each."""

import json
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol, cast

from groundwire import wiring
from groundwire.domain.advice import COMMANDS
from groundwire.domain.errors import Invalid, Problem
from groundwire.domain.problem_codes import problem_members
from groundwire.entry.fields import Fields
from groundwire.entry.operator import keys, reindex, tenants
from groundwire.entry.telemetry import Telemetry

if TYPE_CHECKING:
    from groundwire.entry.operator.done import Done
    from groundwire.wiring.cloud import CloudServices

    Action = Callable[[CloudServices, Fields], Done]

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
_QUEUED: Final = frozenset({"tenant.sweep"})
"""What the function's own queue may order."""
_NO_ACTION: Final = "unknown"
"""In the audit log, of an order that names none of them."""


class _Invocation(Protocol):
    @property
    def aws_request_id(self) -> str:
        """By which CloudTrail names whoever invoked the function."""
        ...


def handler(event: object, context: _Invocation) -> dict[str, object]:
    """The Lambda entry point, for orders and for messages of the queue of sweeps.

    A message that cannot be carried out raises, so that it comes again.
    """
    if messages := _messages(event):
        for message in messages:
            _carry_out(json.loads(message), context, _QUEUED)
        return {"ok": True}
    try:
        return {"ok": True, **_carry_out(event, context, ACTIONS)}
    except Problem as problem:
        return {"error": problem_members(problem, COMMANDS)}
    except Exception:  # noqa: BLE001 - said to the operator by the function's log
        _telemetry().failure("an order broke")
        return {"error": {"code": "failed", "message": "The operator function failed; its log group says how."}}


def _carry_out(order: object, context: _Invocation, allowed: Collection[str]) -> Mapping[str, object]:
    """What could not be recorded is not answered."""
    services = wiring.deployment()
    name, line = _NO_ACTION, dict[str, object](request_id=context.aws_request_id, outcome="failed")
    try:
        fields = Fields(order)
        name = _action(fields, allowed)
        done = ACTIONS[name](services, fields)
        line |= {**done.facts, "outcome": "done"}
    except Problem as problem:
        line |= {"outcome": "refused", "reason": problem_members(problem, COMMANDS)["code"]}
        raise
    finally:
        services.operator_audit(name, **line)
    return done.answer


def _action(fields: Fields, allowed: Collection[str]) -> str:
    name = fields.text("action")
    if name not in allowed:
        raise Invalid(f"There is no action {name!r}; there are: {', '.join(ACTIONS)}.")
    return name


def _messages(event: object) -> list[str]:
    """Bodies of the messages of a queue; empty for anything else."""
    records = cast("Mapping[str, object]", event).get("Records") if isinstance(event, Mapping) else None
    if not isinstance(records, list):
        return []
    return [str(record["body"]) for record in cast("list[Mapping[str, object]]", records)]


@cache
def _telemetry() -> Telemetry:
    return Telemetry("operator")
