"""Report of the operator function about its deployment, which `groundwire --stack NAME doctor` judges."""

import re
import secrets
from typing import TYPE_CHECKING, Final

from groundwire import __version__
from groundwire.domain.errors import InvalidInput
from groundwire.entry.operator.action_result import ActionResult
from groundwire.entry.serialization.entities import tenant_to_json
from groundwire.entry.serialization.object_reader import ObjectReader

if TYPE_CHECKING:
    from groundwire.ports import ScratchTenants
    from groundwire.wiring.services import ApiServices

SCRATCH_PREFIX: Final = "groundwire-doctor-"
"""Start of the name of a tenant that a check creates, uses and deletes; `tenant.create` refuses it."""
_SCRATCH_NAME: Final = re.compile(rf"{SCRATCH_PREFIX}[0-9a-f]{{8}}")


def report(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Return version and settings; for a tenant also its index and the counts of compared identity headers.

    Only a report about a tenant asks the index, which that wakes.
    """
    name = fields.optional_text("tenant")
    fields.reject_unread()
    members: dict[str, object] = {"version": __version__, "settings": _settings(services)}
    if name is None:
        return ActionResult(members, {})
    tenant = services.administration.tenant_admin.find(name).tenant
    members |= {"tenant": tenant, "headers": _header_counts(services, tenant), "index": _index(services, tenant)}
    return ActionResult(members, {"tenant": tenant})


def wake_index(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Wake the index, and return once it has answered.

    Raises:
        Unavailable: it does not answer yet.
    """
    fields.reject_unread()
    services.stores.indexes.wake()
    return ActionResult({}, {})


def create_scratch_tenant(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Create a tenant for one check of the deployment, and remember its id beyond its deletion."""
    fields.reject_unread()
    scratch_tenants = _scratch_tenants(services)
    tenant = services.administration.tenant_admin.create(f"{SCRATCH_PREFIX}{secrets.token_hex(4)}")
    scratch_tenants.remember(tenant.tenant, services.clock())
    return ActionResult(
        {"tenant": tenant_to_json(tenant), "url": services.settings.public_url}, {"tenant": tenant.tenant}
    )


def list_scratch_tenants(services: "ApiServices", fields: ObjectReader) -> ActionResult:
    """Return the ids of remembered tenants, with the names of those that were not deleted."""
    fields.reject_unread()
    names = {tenant.tenant: tenant.name for tenant in services.stores.tenants.all()}
    # A run that ended between the two writes of its start left a name only.
    unremembered = {each for each, name in names.items() if _SCRATCH_NAME.fullmatch(name)}
    ids = sorted({*_scratch_tenants(services).all(), *unremembered})
    rows = [{"tenant": each, "name": names.get(each)} for each in ids]
    return ActionResult({"tenants": rows}, {"tenants": len(rows)})


def _scratch_tenants(services: "ApiServices") -> "ScratchTenants":
    if services.installation.scratch_tenants is None:
        raise InvalidInput("Only a stack has tenants of checks: use `groundwire --stack NAME doctor`.")
    return services.installation.scratch_tenants


def _settings(services: "ApiServices") -> dict[str, object]:
    settings = services.settings
    service, provider, model = (
        settings.index_service,
        settings.sign_in.usable,
        services.models.embedders.default.model,
    )
    return {
        "public_url": settings.public_url,
        "index_service": None if service is None else service.service,
        "model": f"{model.name}/{model.dimension}",
        "issuer": None if provider is None else provider.issuer,
        "visibility_delay_s": services.administration.visibility_delay_seconds,
    }


def _header_counts(services: "ApiServices", tenant: str) -> dict[str, int] | None:
    checks = services.stores.header_checks
    return None if checks is None else checks.counts(tenant)._asdict()


def _index(services: "ApiServices", tenant: str) -> dict[str, object] | None:
    facts = services.stores.indexes.inspect(tenant)
    if facts is None:
        return None
    return {"name": facts.name, "model": facts.model, "custom_ids": facts.custom_ids, "defect": facts.defect}
