"""User actions: the tags that a tenant stores for its users, blocks of users, and offboarding."""

from typing import TYPE_CHECKING

from groundwire.domain.access.policy_input import parse_tags
from groundwire.domain.access.tags import parse_user
from groundwire.entry.operator.action_result import NEW_TAGS, ActionResult, ListPage
from groundwire.entry.operator.sources import operator_call
from groundwire.entry.serialization.entities import user_to_json
from groundwire.entry.serialization.users import (
    block_facts,
    block_to_json,
    blocks_after,
    receipt_facts,
    receipt_to_json,
    users_after,
)

if TYPE_CHECKING:
    from groundwire.domain.access.decision import Decision
    from groundwire.domain.keys.api_key import ApiKey
    from groundwire.entry.serialization.object_reader import ObjectReader
    from groundwire.wiring.services import ApiServices


def set_tags(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Replace the tags of a user.

    Raises:
        InvalidInput: the user or a tag is not valid.
    """
    tenant, user, tags = _tenant(services, fields), fields.text_or_empty("user"), fields.texts("tags")
    fields.boolean(NEW_TAGS)
    fields.reject_unread()
    services.stores.users.set(tenant, parse_user(user), parse_tags(tags))
    return ActionResult({}, {"tenant": tenant, "user": user})


def change_tags(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Add tags to those of a user, and remove others.

    Raises:
        InvalidInput: the user or a tag is not valid, or the user would have no tag.
        Conflict: the entry was changed too often meanwhile.
    """
    tenant, user = _tenant(services, fields), fields.text_or_empty("user")
    added, removed = fields.texts("add_tags"), fields.texts("remove_tags")
    fields.boolean(NEW_TAGS)
    fields.reject_unread()
    name, tags = services.administration.user_admin.change_tags(tenant, user, parse_tags(added), parse_tags(removed))
    return ActionResult(user_to_json(name, tags), {"tenant": tenant, "user": name})


def list_all(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the entries by user, or a page of them."""
    tenant, page = _tenant(services, fields), ListPage.read(fields)
    fields.reject_unread()
    rows = users_after(services.stores.users.all(tenant), page.after)
    return ActionResult(page.answer("users", rows), {"tenant": tenant})


def delete(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Delete the entry of a user.

    Raises:
        NotFound: the user has none.
    """
    tenant, user = _tenant(services, fields), fields.text_or_empty("user")
    fields.reject_unread()
    services.stores.users.delete(tenant, user)
    return ActionResult({}, {"tenant": tenant, "user": user})


def list_blocked(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the blocked users, the earliest block first, or a page of them."""
    tenant, page = _tenant(services, fields), ListPage.read(fields)
    fields.reject_unread()
    rows = blocks_after(services.administration.user_admin.blocked(tenant), page.after)
    return ActionResult(page.answer("users", rows), {"tenant": tenant})


def block(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Block users.

    Raises:
        InvalidInput: an id or the reason is not valid, or there are none or too many ids.
    """
    tenant, users, decision = _tenant(services, fields), fields.texts("users"), _decision(services, fields)
    fields.reject_unread()
    blocks = services.administration.user_admin.block(tenant, users, decision)
    facts = block_facts([block.user for block in blocks], decision)
    return ActionResult({"users": [block_to_json(block) for block in blocks]}, {"tenant": tenant, **facts})


def unblock(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """End the blocks of users.

    Raises:
        NotFound: a user is not blocked; then no block ends.
    """
    tenant, users = _tenant(services, fields), fields.texts("users")
    fields.reject_unread()
    ended = services.administration.user_admin.unblock(tenant, users)
    return ActionResult({"users": ended}, {"tenant": tenant, "unblocked": ended})


def offboard(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """End everything that the ids of a person allow, and return the receipt.

    Raises:
        InvalidInput: an id or the reason is not valid, or there are none or too many ids.
    """
    tenant, users, decision = _tenant(services, fields), fields.texts("users"), _decision(services, fields)
    revoke_created = fields.boolean("revoke_created")
    fields.reject_unread()
    sources = [record.source for record in services.sources.registry.records(operator_call(tenant))]
    receipt = services.administration.user_admin.offboard(
        tenant, users, decision, sources, revoke_created=revoke_created, sees_key=_sees_each_key
    )
    return ActionResult({"receipt": receipt_to_json(receipt)}, {"tenant": tenant, **receipt_facts(receipt, decision)})


def _tenant(services: "ApiServices", fields: "ObjectReader") -> str:
    return services.administration.tenant_admin.find(fields.text("tenant")).tenant


def _sees_each_key(_: "ApiKey") -> bool:
    # The operator of the installation has no bounds.
    return True


def _decision(services: "ApiServices", fields: "ObjectReader") -> "Decision":
    # In a stack, AWS knows the operator, and CloudTrail has the name.
    operator, reason = services.installation.os_user or "", fields.text_or_empty("decision_reason")
    return services.administration.user_admin.decision(operator, "", reason)
