"""Orders that concern a tenant's keys: the first one above all, and what is needed when the last one is lost."""

from typing import TYPE_CHECKING

from groundwire.domain import limits
from groundwire.domain.keys.grants import KeyKind
from groundwire.entry.operator.action_result import ActionResult
from groundwire.entry.serialization.entities import key_to_json
from groundwire.entry.serialization.key_spec import parse_key_spec
from groundwire.entry.serialization.object_reader import ObjectReader

if TYPE_CHECKING:
    from groundwire.wiring.cloud.services import CloudServices


def create(services: "CloudServices", fields: ObjectReader) -> ActionResult:
    """A key with its text, this once; for people who sign in, one without."""
    tenant = services.tenant_admin.find(fields.text("tenant")).tenant
    order = parse_key_spec(tenant, fields)
    fields.reject_unread()
    url = services.settings.public_url
    if order.kind is KeyKind.OAUTH:
        key = services.key_admin.create_token_key(order)
        return ActionResult({"key": key_to_json(key), "url": url}, {"tenant": tenant, "kid": key.kid})
    issued = services.key_admin.create(order)
    row = {**key_to_json(issued.key), "key": issued.secret.reveal()}
    return ActionResult({"key": row, "url": url}, {"tenant": tenant, "kid": issued.key.kid})


def list_all(services: "CloudServices", fields: ObjectReader) -> ActionResult:
    """The tenant's keys, without their secrets."""
    tenant = services.tenant_admin.find(fields.text("tenant")).tenant
    fields.reject_unread()
    return ActionResult({"keys": [key_to_json(key) for key in services.key_admin.all(tenant)]}, {"tenant": tenant})


def rotate(services: "CloudServices", fields: ObjectReader) -> ActionResult:
    """A key with its next text, this once."""
    tenant, kid = services.tenant_admin.find(fields.text("tenant")).tenant, fields.text("kid")
    hours = fields.integer("overlap_hours", limits.ROTATION_OVERLAP_HOURS)
    fields.reject_unread()
    issued = services.key_admin.rotate(tenant, kid, hours)
    return ActionResult(
        {"key": {**key_to_json(issued.key), "key": issued.secret.reveal()}}, {"tenant": tenant, "kid": kid}
    )


def revoke(services: "CloudServices", fields: ObjectReader) -> ActionResult:
    """A key that admits nobody any more."""
    tenant, kid = services.tenant_admin.find(fields.text("tenant")).tenant, fields.text("kid")
    fields.reject_unread()
    key = services.key_admin.revoke(tenant, kid)
    return ActionResult({"key": key_to_json(key)}, {"tenant": tenant, "kid": kid})
