"""Collection actions."""

from typing import TYPE_CHECKING

from groundwire.entry.operator.action_result import ActionResult
from groundwire.entry.serialization.entities import collection_to_json, decision_facts
from groundwire.services.collections.admin import FITTED_FLOOR

if TYPE_CHECKING:
    from groundwire.domain.audit.facts import AuditFacts
    from groundwire.entry.serialization.object_reader import ObjectReader
    from groundwire.wiring.services import ApiServices


def list_all(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the collections by name."""
    tenant = fields.text("tenant")
    fields.reject_unread()
    rows = [
        collection_to_json(each, _count(services, tenant, each.name))
        for each in services.stores.collections.all(tenant)
    ]
    return ActionResult({"collections": rows}, {"tenant": tenant})


def show(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return a collection."""
    tenant, name = _names(fields)
    fields.reject_unread()
    collection = services.administration.collection_admin.find(tenant, name)
    return ActionResult(collection_to_json(collection, _count(services, tenant, name)), {"tenant": tenant})


def set_settings(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Create or change a collection; a setting that is null is left unchanged."""
    tenant, name = _names(fields)
    bm25_weight, language = fields.optional_number("bm25_weight"), fields.optional_text("language")
    floor = FITTED_FLOOR if fields.is_literal("floor", FITTED_FLOOR) else fields.optional_number("floor")
    authority = fields.optional_text("policy_authority")
    no_originals = fields.boolean("no_originals") if fields.is_given("no_originals") else None
    fields.reject_unread()
    # Counted first: once it is changed, nothing may fail before the change is audited.
    documents = _count(services, tenant, name)
    changed = services.administration.collection_admin.set(
        tenant, name, bm25_weight, language, floor=floor, policy_authority=authority, no_originals=no_originals
    )
    return ActionResult(collection_to_json(changed, documents), {"tenant": tenant, "collection": name})


def describe(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Set the description of an existing collection; an empty text clears it."""
    tenant, name = _names(fields)
    description = fields.text_or_empty("description")
    fields.reject_unread()
    services.administration.collection_admin.find(tenant, name)
    documents = _count(services, tenant, name)
    changed = services.administration.collection_admin.set(tenant, name, None, None, description=description)
    return ActionResult(collection_to_json(changed, documents), {"tenant": tenant, "collection": name})


def propose_description(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return a description made from public documents; null without such documents."""
    tenant, name = _names(fields)
    fields.reject_unread()
    services.administration.collection_admin.find(tenant, name)
    return ActionResult({"description": services.administration.description_proposer(tenant, name)}, {"tenant": tenant})


def delete(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Delete a collection with its documents, and return their number."""
    tenant, name = _names(fields)
    decision = services.administration.operator_decision(fields.optional_text("reason") or "")
    fields.reject_unread()
    deleted = services.administration.document_admin.delete_collection(tenant, name, decision)
    facts: AuditFacts = {
        "tenant": tenant,
        "collection": name,
        "counts": {"documents": len(deleted)},
        **decision_facts(decision),
    }
    return ActionResult({"documents": len(deleted)}, facts)


def _names(fields: "ObjectReader") -> tuple[str, str]:
    """Return the id of the tenant and the name of the collection."""
    return fields.text("tenant"), fields.text_or_empty("name")


def _count(services: "ApiServices", tenant: str, name: str) -> int:
    return len(services.stores.documents.all(tenant, name))
