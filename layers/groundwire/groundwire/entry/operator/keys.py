"""Key actions of the operator function, such as creating a tenant's first key or replacing a missing one."""

from typing import TYPE_CHECKING

from groundwire.domain import limits
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.entry.operator.action_result import NEW_TAGS, ActionResult, ListPage
from groundwire.entry.serialization.entities import key_to_json, keys_after, policy_tags_to_json
from groundwire.entry.serialization.key_spec import changed_key_facts, parse_key_change, parse_key_spec
from groundwire.entry.serialization.object_reader import ObjectReader

if TYPE_CHECKING:
    from groundwire.wiring.services import ApiServices


def create(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Create a key and return it with its secret, this once; a key for signed-in users has no secret."""
    tenant = services.administration.tenant_admin.find(fields.text("tenant")).tenant
    spec = parse_key_spec(tenant, fields)
    fields.boolean(NEW_TAGS)
    fields.reject_unread()
    url = services.settings.public_url
    if spec.kind is KeyKind.OAUTH:
        key = services.administration.key_admin.create_token_key(spec)
        return ActionResult({"key": key_to_json(key), "url": url}, {"tenant": tenant, "kid": key.kid})
    issued = services.administration.key_admin.create(spec)
    row = {**key_to_json(issued.key), "key": issued.secret.reveal()}
    return ActionResult({"key": row, "url": url}, {"tenant": tenant, "kid": issued.key.kid})


def list_all(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Return the tenant's keys without their secrets, or a page of them."""
    tenant, page = services.administration.tenant_admin.find(fields.text("tenant")).tenant, ListPage.read(fields)
    fields.reject_unread()
    keys = services.administration.key_admin.all(tenant)
    return ActionResult(page.answer("keys", keys_after(keys, page.after)), {"tenant": tenant})


def list_policy_tags(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Return the tags that the tenant's policies use."""
    tenant = services.administration.tenant_admin.find(fields.text("tenant")).tenant
    fields.reject_unread()
    return ActionResult(
        policy_tags_to_json(services.administration.tags.in_policies(tenant, ALL_COLLECTIONS)), {"tenant": tenant}
    )


def rotate(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Rotate a key and return it with its new secret, this once."""
    tenant, kid = services.administration.tenant_admin.find(fields.text("tenant")).tenant, fields.text("kid")
    hours = fields.integer("overlap_hours", limits.ROTATION_OVERLAP_HOURS)
    fields.reject_unread()
    issued = services.administration.key_admin.rotate(tenant, kid, hours)
    return ActionResult(
        {"key": {**key_to_json(issued.key), "key": issued.secret.reveal()}}, {"tenant": tenant, "kid": kid}
    )


def change(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Change a key that is in force; members that are missing keep their values."""
    tenant, kid = services.administration.tenant_admin.find(fields.text("tenant")).tenant, fields.text("kid")
    wanted = parse_key_change(fields)
    fields.boolean(NEW_TAGS)
    fields.reject_unread()
    changed = services.administration.key_admin.change(tenant, kid, wanted)
    return ActionResult(
        {"key": key_to_json(changed.after)}, {"tenant": tenant, "kid": kid, **changed_key_facts(changed)}
    )


def revoke(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Revoke a key."""
    tenant, kid = services.administration.tenant_admin.find(fields.text("tenant")).tenant, fields.text("kid")
    fields.reject_unread()
    key = services.administration.key_admin.revoke(tenant, kid)
    return ActionResult({"key": key_to_json(key)}, {"tenant": tenant, "kid": kid})
