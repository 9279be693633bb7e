"""Orders that concern a tenant's keys: the first one above all, and what is needed when the last one is lost."""

from typing import TYPE_CHECKING

from groundwire.domain import limits
from groundwire.domain.grants import KeyKind
from groundwire.entry.fields import Fields
from groundwire.entry.key_orders import order_from
from groundwire.entry.operator.done import Done
from groundwire.entry.rows import key_row

if TYPE_CHECKING:
    from groundwire.wiring.cloud import CloudServices


def create(services: "CloudServices", fields: Fields) -> Done:
    """A key with its text, this once; for people who sign in, one without."""
    tenant = services.tenant_care.find(fields.text("tenant")).tenant
    order = order_from(tenant, fields)
    fields.end()
    url = services.settings.public_url
    if order.kind is KeyKind.OAUTH:
        key = services.key_care.admit_tokens(order)
        return Done({"key": key_row(key), "url": url}, {"tenant": tenant, "kid": key.kid})
    issued = services.key_care.create(order)
    row = {**key_row(issued.key), "key": issued.text.reveal()}
    return Done({"key": row, "url": url}, {"tenant": tenant, "kid": issued.key.kid})


def list_all(services: "CloudServices", fields: Fields) -> Done:
    """The tenant's keys, without their secrets."""
    tenant = services.tenant_care.find(fields.text("tenant")).tenant
    fields.end()
    return Done({"keys": [key_row(key) for key in services.key_care.all(tenant)]}, {"tenant": tenant})


def rotate(services: "CloudServices", fields: Fields) -> Done:
    """A key with its next text, this once."""
    tenant, kid = services.tenant_care.find(fields.text("tenant")).tenant, fields.text("kid")
    hours = fields.whole("overlap_hours", limits.ROTATION_OVERLAP_HOURS)
    fields.end()
    issued = services.key_care.rotate(tenant, kid, hours)
    return Done({"key": {**key_row(issued.key), "key": issued.text.reveal()}}, {"tenant": tenant, "kid": kid})


def revoke(services: "CloudServices", fields: Fields) -> Done:
    """A key that admits nobody any more."""
    tenant, kid = services.tenant_care.find(fields.text("tenant")).tenant, fields.text("kid")
    fields.end()
    key = services.key_care.revoke(tenant, kid)
    return Done({"key": key_row(key)}, {"tenant": tenant, "kid": kid})
