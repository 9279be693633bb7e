"""Orders that concern tenants as a whole."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from groundwire.domain.documents.ids import is_tenant_id
from groundwire.domain.errors import NotFound, Unavailable
from groundwire.entry.operator.action_result import ActionResult
from groundwire.entry.serialization.entities import tenant_to_json
from groundwire.entry.serialization.object_reader import ObjectReader

if TYPE_CHECKING:
    from groundwire.wiring.cloud.services import CloudServices


def create(services: "CloudServices", fields: ObjectReader) -> ActionResult:
    """A tenant without a key."""
    name = fields.text("name")
    fields.reject_unread()
    tenant = services.tenant_admin.create(name)
    return ActionResult(
        {"tenant": tenant_to_json(tenant), "url": services.settings.public_url}, {"tenant": tenant.tenant}
    )


def list_all(services: "CloudServices", fields: ObjectReader) -> ActionResult:
    """All tenants by name."""
    fields.reject_unread()
    rows = [tenant_to_json(tenant) for tenant in services.tenant_admin.all()]
    return ActionResult({"tenants": rows}, {"tenants": len(rows)})


def delete(services: "CloudServices", fields: ObjectReader) -> ActionResult:
    """A tenant with everything that is its own; of one that is gone already, what was written behind its deletion."""
    named = fields.text("tenant")
    fields.reject_unread()
    care = services.tenant_admin
    try:
        tenant = care.find(named).tenant
    except NotFound:
        if not is_tenant_id(named):
            raise
        return _deletion_result(named, care.erase_remaining(named), _schedule_sweep(services, named))
    return _deletion_result(tenant, care.delete(tenant), _schedule_sweep(services, tenant))


def sweep(services: "CloudServices", fields: ObjectReader) -> ActionResult:
    """What was written behind a deletion is gone."""
    tenant = fields.text("tenant")
    fields.reject_unread()
    return _deletion_result(tenant, services.tenant_admin.erase_remaining(tenant), None)


def _schedule_sweep(services: "CloudServices", tenant: str) -> int | None:
    """In how many seconds it is looked after once more; None: nobody will unless it is asked for."""
    try:
        return services.tenant_sweep_queue.send(tenant)
    except Unavailable:
        return None


def _deletion_result(tenant: str, counts: Mapping[str, int], sweep_delay_seconds: int | None) -> ActionResult:
    told = {"tenant": tenant, "deleted": dict(counts)}
    return ActionResult({**told, "again_in_s": sweep_delay_seconds}, told)
