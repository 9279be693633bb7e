"""Tables of the operator's actions: the function of a stack and the command line of a machine execute the same ones."""

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import InvalidInput
from groundwire.entry.operator import collections, documents, keys, reindex, sources, tenants
from groundwire.entry.operator.access import explanations, tags, users
from groundwire.entry.operator.monitoring import evaluations, ingestions, stack
from groundwire.entry.serialization.object_reader import ObjectReader

if TYPE_CHECKING:
    from groundwire.entry.operator.action_result import ActionResult
    from groundwire.wiring.services import ApiServices

    Action = Callable[[ApiServices, ObjectReader], ActionResult]

ACTIONS: Final["Mapping[str, Action]"] = {
    "tenant.create": tenants.create,
    "tenant.list": tenants.list_all,
    "tenant.set-rate": tenants.set_rate,
    "tenant.suspend": tenants.suspend,
    "tenant.resume": tenants.resume,
    "tenant.delete": tenants.delete,
    "tenant.sweep": tenants.sweep,
    "tenant.rebuild": tenants.rebuild,
    "key.create": keys.create,
    "key.list": keys.list_all,
    "key.policy_tags": keys.list_policy_tags,
    "tags.list": tags.list_tags,
    "tags.check": tags.check_tags,
    "tags.plan_rename": tags.plan_rename,
    "tags.rename": tags.rename_tag,
    "key.explain_token": tags.explain_token,
    "key.change": keys.change,
    "key.rotate": keys.rotate,
    "key.revoke": keys.revoke,
    "user.set": users.set_tags,
    "user.change": users.change_tags,
    "user.list": users.list_all,
    "user.delete": users.delete,
    "user.seen": tags.list_callers,
    "user.blocked": users.list_blocked,
    "user.block": users.block,
    "user.unblock": users.unblock,
    "user.offboard": users.offboard,
    "access.check": explanations.check,
    "access.readers": explanations.readers,
    "access.documents": explanations.documents,
    "access.what-if": explanations.what_if,
    "audit.list": explanations.audit_lines,
    "group.set": tags.set_group,
    "group.list": tags.list_groups,
    "group.delete": tags.delete_group,
    "documents.list": documents.list_all,
    "documents.show": documents.show,
    "documents.copies": documents.list_copies,
    "documents.set-policy": documents.set_policy,
    "documents.close": documents.close,
    "documents.lift": documents.lift,
    "documents.delete": documents.delete,
    "documents.list-deleted": documents.list_deleted,
    "documents.restore": documents.restore,
    "documents.forget": documents.forget,
    "reindex.run": reindex.run,
    "reindex.status": reindex.status,
    "reindex.abandon": reindex.abandon,
    "stack.report": stack.report,
    "stack.wake_index": stack.wake_index,
    "stack.create_scratch_tenant": stack.create_scratch_tenant,
    "stack.list_scratch_tenants": stack.list_scratch_tenants,
}
"""Actions of a machine and of a stack's function, by name; names and JSON are those of other releases, too."""
MACHINE_ACTIONS: Final["Mapping[str, Action]"] = {
    "access.why-not": explanations.why_not,
    "collection.list": collections.list_all,
    "collection.show": collections.show,
    "collection.set": collections.set_settings,
    "collection.describe": collections.describe,
    "collection.propose": collections.propose_description,
    "collection.delete": collections.delete,
    "ingestion.list": ingestions.execute_list,
    "ingestion.show": ingestions.execute_show,
    "ingestion.cancel": ingestions.execute_cancel,
    "evaluation.list": evaluations.execute_list,
    "evaluation.show": evaluations.execute_show,
    "evaluation.compare": evaluations.execute_compare,
    "evaluation.delete": evaluations.execute_delete,
    "source.list": sources.list_all,
    "source.inspect": sources.inspect,
    "source.create": sources.create,
    "source.change": sources.change,
    "source.delete": sources.delete,
}
"""Actions of a machine alone, within the tenant of an id; in a stack, they are left to the tenant's keys."""
READING_ACTIONS: Final = frozenset(
    {
        *("audit.list", "tenant.list", "key.list", "key.policy_tags", "reindex.status", "stack.report"),
        *("stack.list_scratch_tenants", "stack.wake_index"),
        *("key.explain_token", "tags.plan_rename", "group.list", "tags.list", "tags.check"),
        *("user.list", "user.seen", "user.blocked", "collection.list", "collection.show", "collection.propose"),
        *("documents.list", "documents.list-deleted", "documents.show", "documents.copies"),
        *("access.check", "access.readers", "access.documents", "access.what-if", "access.why-not"),
        *("ingestion.list", "ingestion.show"),
        *("source.list", "source.inspect", "evaluation.list", "evaluation.show", "evaluation.compare"),
    }
)
"""Actions that change nothing; the name of any other one is in its audit line."""


def read_action(fields: ObjectReader, allowed: Collection[str]) -> str:
    """Return the name of the action that a command asks for.

    Raises:
        InvalidInput: there is none, or it is not allowed.
    """
    name = fields.text("action")
    if name not in allowed:
        raise InvalidInput(f"There is no action {name!r}. Actions: {', '.join(ACTIONS)}.")
    return name
