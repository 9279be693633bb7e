"""Tenant actions of the operator function."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from groundwire.domain.documents.ids import is_tenant_id
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.operator.action_result import ActionResult
from groundwire.entry.operator.monitoring.stack import SCRATCH_PREFIX
from groundwire.entry.serialization.entities import tenant_to_json
from groundwire.entry.serialization.object_reader import ObjectReader

if TYPE_CHECKING:
    from groundwire.domain.audit.facts import AuditFacts
    from groundwire.wiring.services import ApiServices


def create(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Create a tenant without a key."""
    name = fields.text("name")
    fields.reject_unread()
    if name.startswith(SCRATCH_PREFIX):
        raise InvalidInput(f"Names that begin with {SCRATCH_PREFIX} belong to checks, which delete their tenants.")
    tenant = services.administration.tenant_admin.create(name)
    return ActionResult(
        {"tenant": tenant_to_json(tenant), "url": services.settings.public_url}, {"tenant": tenant.tenant}
    )


def list_all(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Return all tenants by name."""
    fields.reject_unread()
    rows = [tenant_to_json(tenant) for tenant in services.administration.tenant_admin.all()]
    return ActionResult({"tenants": rows}, {"tenants": len(rows)})


def set_rate(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Set the limit over all keys of a tenant.

    Raises:
        NotFound: there is no such tenant. InvalidInput: a number is out of range.
    """
    name, rate, burst = fields.text("tenant"), fields.integer("rate_per_minute", 0), fields.integer("burst", 0)
    fields.reject_unread()
    return _changed(services.administration.tenant_admin.set_rate(name, rate, burst))


def suspend(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Refuse every call of a tenant's keys; nothing is deleted.

    Raises:
        NotFound: there is no such tenant.
    """
    name = fields.text("tenant")
    fields.reject_unread()
    return _changed(services.administration.tenant_admin.suspend(name))


def resume(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """End the suspension of a tenant.

    Raises:
        NotFound: there is no such tenant.
    """
    name = fields.text("tenant")
    fields.reject_unread()
    return _changed(services.administration.tenant_admin.resume(name))


def _changed(tenant: Tenant) -> ActionResult:
    return ActionResult({"tenant": tenant_to_json(tenant)}, {"tenant": tenant.tenant})


def delete(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Delete a tenant with all of its data; for a deleted tenant, erase data that was written after the deletion."""
    name_or_id = fields.text("tenant")
    fields.reject_unread()
    admin = services.administration.tenant_admin
    try:
        tenant = admin.find(name_or_id).tenant
    except NotFound:
        # Only by id: the name of a deleted tenant may be another one's by now.
        if not is_tenant_id(name_or_id):
            raise
        return _deletion_result(
            name_or_id, admin.erase_remaining(name_or_id), services.installation.schedule_sweep(name_or_id)
        )
    return _deletion_result(tenant, admin.delete(tenant), services.installation.schedule_sweep(tenant))


def sweep(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Erase data of a deleted tenant that was written after the deletion."""
    tenant = fields.text("tenant")
    fields.reject_unread()
    return _deletion_result(tenant, services.administration.tenant_admin.erase_remaining(tenant), None)


def rebuild(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Queue one page of a tenant's files again; the caller repeats it with `after` until that is null."""
    tenant = services.administration.tenant_admin.find(fields.text("tenant")).tenant
    after, every_file = fields.text_or_empty("after"), fields.boolean("all")
    fields.reject_unread()
    page = services.installation.rebuild(tenant, after, every_file=every_file)
    facts: AuditFacts = {"tenant": tenant, "counts": {"queued": page.queued}}
    members = {"tenant": tenant, "queued": page.queued, "without_file": page.without_file, "after": page.after}
    return ActionResult(members, facts)


def _deletion_result(tenant: str, counts: Mapping[str, int], sweep_delay_seconds: int | None) -> ActionResult:
    # Earlier lines of a stack have the one member, those of a machine the other.
    facts: AuditFacts = {"tenant": tenant, "deleted": dict(counts), "counts": dict(counts)}
    return ActionResult({"tenant": tenant, "deleted": dict(counts), "again_in_s": sweep_delay_seconds}, facts)
