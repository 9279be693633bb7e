"""User actions: the tags that a tenant stores for its users."""

from typing import TYPE_CHECKING

from groundwire.domain.access.policy_input import parse_tags
from groundwire.domain.access.tags import parse_user
from groundwire.entry.operator.action_result import NEW_TAGS, ActionResult
from groundwire.entry.serialization.entities import user_to_json

if TYPE_CHECKING:
    from groundwire.entry.serialization.object_reader import ObjectReader
    from groundwire.wiring.services import ApiServices


def set_tags(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Replace the tags of a user.

    Raises:
        InvalidInput: the user or a tag is not valid.
    """
    tenant, user, tags = fields.text("tenant"), fields.text_or_empty("user"), fields.texts("tags")
    fields.boolean(NEW_TAGS)
    fields.reject_unread()
    services.stores.users.set(tenant, parse_user(user), parse_tags(tags))
    return ActionResult({}, {"tenant": tenant, "user": user})


def list_all(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the entries by user."""
    tenant = fields.text("tenant")
    fields.reject_unread()
    rows = [user_to_json(user, tags) for user, tags in services.stores.users.all(tenant)]
    return ActionResult({"users": rows}, {"tenant": tenant})


def delete(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Delete the entry of a user.

    Raises:
        NotFound: the user has none.
    """
    tenant, user = fields.text("tenant"), fields.text_or_empty("user")
    fields.reject_unread()
    services.stores.users.delete(tenant, user)
    return ActionResult({}, {"tenant": tenant, "user": user})
