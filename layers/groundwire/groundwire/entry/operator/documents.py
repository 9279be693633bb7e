"""Document actions."""

from typing import TYPE_CHECKING

from groundwire.domain.access.policy_input import policy_from_mapping
from groundwire.domain.audit.facts import policy_change
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, DocumentState
from groundwire.domain.errors import NotFound
from groundwire.entry.operator.action_result import NEW_TAGS, ActionResult
from groundwire.entry.serialization.entities import document_to_json, segment_to_json
from groundwire.ports import DocumentVersion

if TYPE_CHECKING:
    from groundwire.domain.audit.facts import AuditFacts
    from groundwire.entry.serialization.object_reader import ObjectReader
    from groundwire.wiring.services import ApiServices


def list_all(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the documents of a collection, or of all where it is null."""
    tenant, collection = fields.text("tenant"), fields.optional_text("collection")
    fields.reject_unread()
    if collection is not None:
        services.administration.collection_admin.find(tenant, collection)
    rows = [document_to_json(document) for document in services.stores.documents.all(tenant, collection)]
    return ActionResult({"documents": rows}, {"tenant": tenant})


def show(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return a document with its first passages, or with all where `max_passages` is null."""
    tenant, doc_id = _ids(fields)
    max_passages = fields.integer("max_passages", 0) if fields.is_given("max_passages") else None
    fields.reject_unread()
    document = services.stores.documents.read(tenant, [doc_id]).get(doc_id)
    # A tombstone is kept for the upkeep of the index; for people the document is gone.
    if document is None or document.state in TOMBSTONE_STATES:
        raise NotFound(f"There is no document {doc_id!r}.", "document")
    passages = _passages(services, tenant, document)[:max_passages]
    return ActionResult({**document_to_json(document), "passages": passages}, {"tenant": tenant})


def set_policy(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Override the policy of a document."""
    tenant, doc_id = _ids(fields)
    policy = policy_from_mapping(fields.value("policy"), "`policy`")
    fields.boolean(NEW_TAGS)
    fields.reject_unread()
    override = services.administration.document_admin.override_policy_if(tenant, doc_id, policy, lambda _document: True)
    document = override.document
    facts: AuditFacts = {**_facts(tenant, document), **policy_change(override.previous, document.policy)}
    return ActionResult(document_to_json(document), facts)


def delete(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Delete a document."""
    tenant, doc_id = _ids(fields)
    fields.reject_unread()
    document = services.administration.document_admin.delete(tenant, doc_id)
    return ActionResult(document_to_json(document), _facts(tenant, document))


def _ids(fields: "ObjectReader") -> tuple[str, str]:
    """Return the ids of the tenant and of the document."""
    return fields.text("tenant"), fields.text_or_empty("doc_id")


def _passages(services: "ApiServices", tenant: str, document: Document) -> list[dict[str, object]]:
    # The rows of a document that is being ingested are not whole.
    if document.state is not DocumentState.INDEXED:
        return []
    segments = services.stores.indexes.for_tenant(tenant).segments(DocumentVersion(document.doc_id, document.version))
    return [segment_to_json(segment, has_text=True) for segment in segments]


def _facts(tenant: str, document: Document) -> "AuditFacts":
    return {"tenant": tenant, "documents": [f"{document.doc_id}@{document.policy_version}"]}
