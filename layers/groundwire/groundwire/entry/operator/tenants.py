"""Orders that concern tenants as a whole."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from groundwire.domain.errors import NotFound, Unavailable
from groundwire.domain.references import is_tenant_id
from groundwire.entry.fields import Fields
from groundwire.entry.operator.done import Done
from groundwire.entry.rows import tenant_row

if TYPE_CHECKING:
    from groundwire.wiring.cloud import CloudServices


def create(services: "CloudServices", fields: Fields) -> Done:
    """A tenant without a key."""
    name = fields.text("name")
    fields.end()
    tenant = services.tenant_care.create(name)
    return Done({"tenant": tenant_row(tenant), "url": services.settings.public_url}, {"tenant": tenant.tenant})


def list_all(services: "CloudServices", fields: Fields) -> Done:
    """All tenants by name."""
    fields.end()
    rows = [tenant_row(tenant) for tenant in services.tenant_care.all()]
    return Done({"tenants": rows}, {"tenants": len(rows)})


def delete(services: "CloudServices", fields: Fields) -> Done:
    """A tenant with everything that is its own; of one that is gone already, what was written behind its deletion."""
    named = fields.text("tenant")
    fields.end()
    care = services.tenant_care
    try:
        tenant = care.find(named).tenant
    except NotFound:
        if not is_tenant_id(named):
            raise
        return _deleted(named, care.sweep(named), _later(services, named))
    return _deleted(tenant, care.delete(tenant), _later(services, tenant))


def sweep(services: "CloudServices", fields: Fields) -> Done:
    """What was written behind a deletion is gone."""
    tenant = fields.text("tenant")
    fields.end()
    return _deleted(tenant, services.tenant_care.sweep(tenant), None)


def _later(services: "CloudServices", tenant: str) -> int | None:
    """In how many seconds it is looked after once more; None: nobody will unless it is asked for."""
    try:
        return services.sweeps.send(tenant)
    except Unavailable:
        return None


def _deleted(tenant: str, counts: Mapping[str, int], again_in_s: int | None) -> Done:
    told = {"tenant": tenant, "deleted": dict(counts)}
    return Done({**told, "again_in_s": again_in_s}, told)
