"""Document actions."""

from itertools import islice
from typing import TYPE_CHECKING

from groundwire.domain.access.policy_input import policy_from_mapping
from groundwire.domain.audit.facts import readers_change
from groundwire.domain.documents.changes.ceiling import closed_by_person, lifted, limiting, listed_by_ceiling
from groundwire.domain.documents.changes.policy_authority import check_people_decide
from groundwire.domain.documents.deletion import DeletionExtent
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, DocumentState
from groundwire.domain.errors import NotFound
from groundwire.entry.operator.action_result import NEW_TAGS, ActionResult, rows_of_answer
from groundwire.entry.serialization.entities import decision_facts, deletion_to_json, document_to_json, segment_to_json
from groundwire.ports import DocumentVersion
from groundwire.ports.registry.documents import living_documents
from groundwire.services.ingest.deletions.administration import everybody_decides

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from groundwire.domain.audit.facts import AuditFacts
    from groundwire.entry.serialization.object_reader import ObjectReader
    from groundwire.services.documents.admin import PolicyOverride, ReadersChoice
    from groundwire.services.ingest.deletions.administration import IsAllowed
    from groundwire.wiring.services import ApiServices


def list_all(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return a page of the documents of a collection, or of all where it is null; perhaps only those with a ceiling."""
    tenant, collection = _tenant(services, fields), fields.optional_text("collection")
    ceilings, differs = fields.boolean("ceilings"), fields.boolean("policy_differs")
    is_wanted = listed_by_ceiling(ceilings=ceilings, policy_differs=differs)
    after = fields.optional_text("after")
    fields.reject_unread()
    if collection is not None:
        services.administration.collection_admin.find(tenant, collection)
    documents = filter(is_wanted, living_documents(services.stores.documents, tenant, after))
    rows = (document_to_json(each) for each in documents if collection in {None, each.collection})
    return _page(tenant, rows)


def show(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return a document with `max_passages` of its passages, or as many as an answer holds, from `from_passage`."""
    tenant, doc_id = _ids(services, fields)
    start = max(fields.integer("from_passage", 0), 0)
    end = start + max(fields.integer("max_passages", 0), 0) if fields.is_given("max_passages") else None
    fields.reject_unread()
    document = services.stores.documents.read(tenant, [doc_id]).get(doc_id)
    # A tombstone is kept for the upkeep of the index; for people the document is gone.
    if document is None or document.state in TOMBSTONE_STATES:
        raise NotFound(f"There is no document {doc_id!r}.", "document")
    page = rows_of_answer(islice(_passages(services, tenant, document), start, end))
    following = start + len(page.rows) if page.has_more else None
    members = {**document_to_json(document), "passages": page.rows, "next_passage": following}
    return ActionResult(members, {"tenant": tenant})


def list_copies(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return a page of the other documents with the bytes of a document."""
    # Imported on use: no other action compares documents.
    from groundwire.services.documents.duplicates import copies_of

    tenant, doc_id = _ids(services, fields)
    after = fields.optional_text("after") or ""
    fields.reject_unread()
    document = services.stores.documents.read(tenant, [doc_id]).get(doc_id)
    if document is None or document.state in TOMBSTONE_STATES:
        raise NotFound(f"There is no document {doc_id!r}.", "document")
    copies = copies_of(services.stores.documents, services.stores.collections, tenant, document)
    following = (each for each in sorted(copies, key=lambda each: each.doc_id) if each.doc_id > after)
    return _page(tenant, map(document_to_json, following))


def set_policy(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Set the readers of a document; with `until_next_run` only until a run declares others."""
    tenant, doc_id = _ids(services, fields)
    policy = policy_from_mapping(fields.value("policy"), "`policy`")
    fields.boolean(NEW_TAGS)
    found = services.stores.documents.read(tenant, [doc_id]).get(doc_id)
    if found is not None:
        check_people_decide(services.stores.collections.all(tenant), found)
    if not fields.boolean("until_next_run"):
        return _decide_readers(services, fields, limiting(policy))
    fields.optional_text("reason")
    fields.reject_unread()
    admin = services.administration.document_admin
    return _readers_changed(tenant, admin.override_policy_if(tenant, doc_id, policy, everybody_decides), {})


def close(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Close a document for everybody until the ceiling is lifted."""
    return _decide_readers(services, fields, closed_by_person)


def lift(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """End the ceiling of a document."""
    return _decide_readers(services, fields, lifted)


def delete(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Delete a document."""
    tenant, doc_id = _ids(services, fields)
    decision = services.administration.operator_decision(fields.optional_text("reason") or "")
    fields.reject_unread()
    document = services.administration.document_admin.delete(tenant, doc_id, decision)
    facts: AuditFacts = {**_facts(tenant, document), "extent": DeletionExtent.CONTENT.value, **decision_facts(decision)}
    return ActionResult(document_to_json(document), facts)


def list_deleted(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return a page of the deleted documents of a collection, or of all where it is null."""
    tenant, collection = _tenant(services, fields), fields.optional_text("collection")
    after = fields.optional_text("after")
    fields.reject_unread()
    deleted = services.administration.deletion_admin.all(tenant, everybody_decides, after)
    return _page(tenant, (deletion_to_json(each) for each in deleted if collection in {None, each.collection}))


def restore(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """End the deletion of a document: it returns with the next ingestion of its file."""
    return _end_deletion(services, fields, services.administration.deletion_admin.restore)


def forget(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Forget which file a deleted document had."""
    return _end_deletion(services, fields, services.administration.deletion_admin.forget)


def _end_deletion(
    services: "ApiServices", fields: "ObjectReader", end: "Callable[[str, str, IsAllowed], Document]"
) -> ActionResult:
    tenant, doc_id = _ids(services, fields)
    decision = services.administration.operator_decision(fields.optional_text("reason") or "")
    fields.reject_unread()
    document = end(tenant, doc_id, everybody_decides)
    facts: AuditFacts = {**_facts(tenant, document), **decision_facts(decision)}
    return ActionResult(deletion_to_json(document), facts)


def _decide_readers(services: "ApiServices", fields: "ObjectReader", choose: "ReadersChoice") -> ActionResult:
    tenant, doc_id = _ids(services, fields)
    decision = services.administration.operator_decision(fields.optional_text("reason") or "")
    fields.reject_unread()
    override = services.administration.document_admin.decide_readers_if(tenant, doc_id, choose, decision)
    return _readers_changed(tenant, override, decision_facts(decision))


def _readers_changed(tenant: str, override: "PolicyOverride", decided: "AuditFacts") -> ActionResult:
    change = readers_change(override.previous, override.document.readers)
    facts: AuditFacts = {**_facts(tenant, override.document), **change, **decided}
    return ActionResult(document_to_json(override.document), facts)


def _ids(services: "ApiServices", fields: "ObjectReader") -> tuple[str, str]:
    """Return the ids of the tenant and of the document."""
    return _tenant(services, fields), fields.text_or_empty("doc_id")


def _tenant(services: "ApiServices", fields: "ObjectReader") -> str:
    return services.administration.tenant_admin.find(fields.text("tenant")).tenant


def _page(tenant: str, rows: "Iterable[Mapping[str, object]]") -> ActionResult:
    """Return as many of the rows as an answer holds, and as `next` the id after which the following page begins."""
    page = rows_of_answer(rows)
    following = page.rows[-1]["doc_id"] if page.has_more else None
    return ActionResult({"documents": page.rows, "next": following}, {"tenant": tenant})


def _passages(services: "ApiServices", tenant: str, document: Document) -> "Iterator[dict[str, object]]":
    # The rows of a document that is being ingested are not whole.
    if document.state is not DocumentState.INDEXED:
        return iter(())
    segments = services.stores.indexes.for_tenant(tenant).segments(DocumentVersion(document.doc_id, document.version))
    return (segment_to_json(segment, has_text=True) for segment in segments)


def _facts(tenant: str, document: Document) -> "AuditFacts":
    return {"tenant": tenant, "documents": [f"{document.doc_id}@{document.policy_version}"]}
