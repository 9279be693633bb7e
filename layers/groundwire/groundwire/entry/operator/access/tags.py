"""Actions about the tags of a tenant, and about groups of the identity provider that give tags."""

from typing import TYPE_CHECKING

from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.entry.operator.action_result import NEW_TAGS, ActionResult
from groundwire.entry.serialization.tags import (
    new_tags_to_json,
    rename_counts,
    rename_to_json,
    seen_callers_to_json,
    tags_with_calls_to_json,
)
from groundwire.entry.serialization.token_explanation import group_to_json, token_decision_to_json
from groundwire.services.documents.tags.view import operator_view

if TYPE_CHECKING:
    from groundwire.domain.audit.facts import AuditFacts
    from groundwire.entry.serialization.object_reader import ObjectReader
    from groundwire.services.documents.tags.rename import RenamePlan
    from groundwire.services.documents.tags.view import TagView
    from groundwire.services.keys.token_authorizer import TokenAuthorizer
    from groundwire.wiring.services import ApiServices


def list_tags(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the tags in use, with the number of their uses."""
    view = operator_view(_tenant(services, fields))
    fields.reject_unread()
    return ActionResult(tags_with_calls(services, view), {"tenant": view.tenant})


def tags_with_calls(services: "ApiServices", view: "TagView") -> dict[str, object]:
    """Return the tags in use with their last calls by the audit log, which a view of the whole tenant may know."""
    found = services.administration.tags.directory(view)
    records = services.installation.recent_calls(view.tenant)
    calls = services.administration.tags.calls(view.tenant, records, found.uses)
    return tags_with_calls_to_json(found, view, calls)


def list_callers(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return who called since a time, in a part of the audit log, and as `next` where the next part starts.

    Raises:
        InvalidInput: the time or the position is not valid.
    """
    from groundwire.domain.audit.selection import since_selection

    view, selection = operator_view(_tenant(services, fields)), since_selection(fields.text("since"), services.clock())
    after = fields.optional_text("after")
    fields.reject_unread()
    found = services.administration.tags.seen_callers(services.installation.audit_trail)(view, selection, after)
    members = {"callers": seen_callers_to_json(found), "next": found.next_after}
    return ActionResult(members, {"tenant": view.tenant})


def check_tags(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return which of some tags nobody has."""
    view = operator_view(_tenant(services, fields))
    tags = fields.texts("tags")
    fields.reject_unread()
    return ActionResult(new_tags_to_json(services.administration.tags.new_tags(view, tags)), {"tenant": view.tenant})


def plan_rename(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return what the renaming of a tag changes.

    Raises:
        InvalidInput: a tag is not valid. NotFound: nobody has the old one.
    """
    tenant, old, new = _tenant(services, fields), fields.text("tag"), fields.text("new_tag")
    fields.reject_unread()
    return ActionResult(rename_to_json(services.administration.tag_renaming.plan(tenant, old, new)), {"tenant": tenant})


def rename_tag(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Rename a tag wherever the tenant uses it.

    Raises:
        InvalidInput: a tag is not valid. NotFound: nobody has the old one.
        Conflict: the new one is in use, and the two are not to be merged.
    """
    tenant, old, new = _tenant(services, fields), fields.text("tag"), fields.text("new_tag")
    merges = fields.boolean("merge")
    fields.reject_unread()
    plan = services.administration.tag_renaming(tenant, old, new, merges=merges)
    return ActionResult(rename_to_json(plan), {"tenant": tenant, **rename_facts(plan)})


def rename_facts(plan: "RenamePlan") -> "AuditFacts":
    """Return the members of the one audit line of a renaming."""
    return {"tag_before": plan.old, "tag_after": plan.new, "counts": rename_counts(plan)}


def list_groups(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the tenant's mapping by group."""
    tenant = _tenant(services, fields)
    fields.reject_unread()
    rows = [group_to_json(group, tags) for group, tags in services.administration.group_admin.all(tenant).items()]
    return ActionResult({"groups": rows}, {"tenant": tenant})


def set_group(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Map a group to exactly these tags.

    Raises:
        InvalidInput: the group or a tag is not valid.
    """
    tenant, group, tags = _tenant(services, fields), fields.text_or_empty("group"), fields.texts("tags")
    fields.boolean(NEW_TAGS)
    fields.reject_unread()
    name, stored = services.administration.group_admin.set(tenant, group, tags)
    return ActionResult(group_to_json(name, stored), {"tenant": tenant, "entry": name})


def delete_group(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Delete the mapping of a group.

    Raises:
        NotFound: no mapping names it.
    """
    tenant, group = _tenant(services, fields), fields.text_or_empty("group")
    fields.reject_unread()
    name = services.administration.group_admin.delete(tenant, group)
    return ActionResult({"group": name}, {"tenant": tenant, "entry": name})


def explain_token(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the explanation of an access token of the tenant; its call counts like any other.

    Raises:
        InvalidInput: this server accepts no tokens.
    """
    tenant, token = _tenant(services, fields), Secret(fields.text("token"))
    fields.reject_unread()
    decided = token_authorizer(services).explain(token, tenant)
    return ActionResult(token_decision_to_json(decided), {"tenant": tenant})


def token_authorizer(services: "ApiServices") -> "TokenAuthorizer":
    """Return the authorizer of calls with tokens.

    Raises:
        InvalidInput: this server accepts no tokens, or its settings for them are incomplete.
    """
    authorizer = services.access.authorize_token
    if authorizer is None:
        raise InvalidInput("This server accepts no access tokens.", remedy="set_identity_provider")
    return authorizer


def _tenant(services: "ApiServices", fields: "ObjectReader") -> str:
    return services.administration.tenant_admin.find(fields.text("tenant")).tenant
