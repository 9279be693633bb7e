"""Table of the operator's actions: the function of a stack and the command line of a machine execute the same ones."""

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import InvalidInput
from groundwire.entry.operator import keys, reindex, stack, tenants
from groundwire.entry.serialization.object_reader import ObjectReader

if TYPE_CHECKING:
    from groundwire.entry.operator.action_result import ActionResult
    from groundwire.wiring.services import ApiServices

    Action = Callable[[ApiServices, ObjectReader], ActionResult]

ACTIONS: Final["Mapping[str, Action]"] = {
    "tenant.create": tenants.create,
    "tenant.list": tenants.list_all,
    "tenant.delete": tenants.delete,
    "tenant.sweep": tenants.sweep,
    "tenant.rebuild": tenants.rebuild,
    "key.create": keys.create,
    "key.list": keys.list_all,
    "key.policy_tags": keys.list_policy_tags,
    "key.rotate": keys.rotate,
    "key.revoke": keys.revoke,
    "reindex.run": reindex.run,
    "reindex.status": reindex.status,
    "reindex.abandon": reindex.abandon,
    "stack.report": stack.report,
    "stack.wake_index": stack.wake_index,
    "stack.create_scratch_tenant": stack.create_scratch_tenant,
    "stack.list_scratch_tenants": stack.list_scratch_tenants,
}
READING_ACTIONS: Final = frozenset(
    {
        *("tenant.list", "key.list", "key.policy_tags", "reindex.status", "stack.report"),
        *("stack.list_scratch_tenants", "stack.wake_index"),
    }
)
"""Actions that change nothing."""


def read_action(fields: ObjectReader, allowed: Collection[str]) -> str:
    """Return the name of the action that a command asks for.

    Raises:
        InvalidInput: there is none, or it is not allowed.
    """
    name = fields.text("action")
    if name not in allowed:
        raise InvalidInput(f"There is no action {name!r}. Actions: {', '.join(ACTIONS)}.")
    return name
