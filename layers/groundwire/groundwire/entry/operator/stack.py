"""Report of the operator function about its deployment, which `groundwire --stack NAME doctor` judges."""

from typing import TYPE_CHECKING

from groundwire import __version__
from groundwire.entry.operator.action_result import ActionResult
from groundwire.entry.serialization.object_reader import ObjectReader

if TYPE_CHECKING:
    from groundwire.wiring.admin import AdminServices


def report(services: "AdminServices", fields: ObjectReader) -> ActionResult:
    """Return version and settings; for a tenant also its index and the counts of compared identity headers.

    Only a report about a tenant asks the index, which that wakes.
    """
    name = fields.optional_text("tenant")
    fields.reject_unread()
    members: dict[str, object] = {"version": __version__, "settings": _settings(services)}
    if name is None:
        return ActionResult(members, {})
    tenant = services.tenant_admin.find(name).tenant
    members |= {"tenant": tenant, "headers": _header_counts(services, tenant), "index": _index(services, tenant)}
    return ActionResult(members, {"tenant": tenant})


def _settings(services: "AdminServices") -> dict[str, object]:
    settings = services.settings
    service, provider, model = settings.index_service, settings.identity_provider, services.embedders.default.model
    return {
        "public_url": settings.public_url,
        "index_service": None if service is None else service.service,
        "model": f"{model.name}/{model.dimension}",
        "issuer": None if provider is None else provider.issuer,
        "visibility_delay_s": services.visibility_delay_seconds,
    }


def _header_counts(services: "AdminServices", tenant: str) -> dict[str, int] | None:
    checks = services.header_checks
    return None if checks is None else checks.counts(tenant)._asdict()


def _index(services: "AdminServices", tenant: str) -> dict[str, object] | None:
    facts = services.indexes.inspect(tenant)
    if facts is None:
        return None
    return {"name": facts.name, "model": facts.model, "custom_ids": facts.custom_ids, "defect": facts.defect}
