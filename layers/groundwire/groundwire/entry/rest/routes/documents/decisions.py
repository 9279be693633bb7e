"""Decisions of a person about a document: its readers closed and lifted, its deletion listed, ended and forgotten."""

from itertools import islice
from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import Field

from groundwire.domain.documents.changes.ceiling import closed_by_person, lifted
from groundwire.domain.documents.record import Document
from groundwire.domain.limits import DEFAULT_DOCUMENTS_PAGE, MAX_DOCUMENTS_PAGE
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.cursors import next_cursor, position_of
from groundwire.entry.rest.routes.documents.documents import (
    DocumentRecord,
    JsonObject,
    ReasonParameter,
    noted_reason,
    readers_changed,
)
from groundwire.entry.rest.schema import ResponseModel, Timestamp, declared_errors
from groundwire.entry.serialization.entities import deletion_to_json


class DeletionRecord(ResponseModel):
    """A deleted document, which no ingestion brings back until it is restored."""

    doc_id: str
    collection: str
    file: str = Field(description="Name of the file.")
    parent: str | None = Field(description="Document that had this one as an attachment.")
    decided_by: str | None = Field(description="User who deleted it.")
    decided_key: str | None = Field(description="Key with which it was deleted.")
    decided_at: Timestamp | None
    decision_reason: str | None = Field(description="Why, in that person's words.")


class DeletionList(ResponseModel):
    """A page of deleted documents, by id."""

    documents: list[DeletionRecord]
    next: str | None = Field(description="Value of `after` for the next page; null: there are no more.")


readers_router: Final = APIRouter(prefix="/v1/documents", tags=["documents"], route_class=ScopedRoute)
router: Final = APIRouter(prefix="/v1/deletions", tags=["documents"], route_class=ScopedRoute)

_LIST: Final = "deletions"


@readers_router.post("/{doc_id}/close", response_model=DocumentRecord, responses=declared_errors(403, 404, 409))
async def close_document(doc_id: str, context: CurrentContext, reason: ReasonParameter = "") -> JsonObject:
    """Close a document for everybody until its ceiling is lifted, whatever is ingested."""
    managed = context.services.administration.managed_documents
    decided = managed.decide_readers(context.caller, doc_id, closed_by_person, noted_reason(context, reason))
    return readers_changed(context, decided)


@readers_router.post("/{doc_id}/lift", response_model=DocumentRecord, responses=declared_errors(403, 404, 409))
async def lift_ceiling(doc_id: str, context: CurrentContext, reason: ReasonParameter = "") -> JsonObject:
    """End the ceiling of a document: its readers are those of the declared policy again."""
    managed = context.services.administration.managed_documents
    decided = managed.decide_readers(context.caller, doc_id, lifted, noted_reason(context, reason))
    return readers_changed(context, decided)


@router.get("", response_model=DeletionList)
async def list_deletions(
    context: CurrentContext,
    after: Annotated[str | None, Query(description="Value of `next` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_DOCUMENTS_PAGE)] = DEFAULT_DOCUMENTS_PAGE,
) -> JsonObject:
    """List the deleted documents about which the key decides, by id."""
    administration = context.services.administration
    is_allowed = administration.managed_documents.decides_about(context.caller)
    deleted = administration.deletion_admin.all(context.tenant, is_allowed, position_of(context, _LIST, after))
    page = list(islice(deleted, limit))
    has_more = len(page) == limit
    return {
        "documents": [deletion_to_json(each) for each in page],
        "next": next_cursor(context, _LIST, page[-1].doc_id) if has_more else None,
    }


@router.post("/{doc_id}/restore", response_model=DeletionRecord, responses=declared_errors(404))
async def restore_document(doc_id: str, context: CurrentContext, reason: ReasonParameter = "") -> JsonObject:
    """End the deletion of a document: the next ingestion of its file brings it back."""
    noted_reason(context, reason)
    administration = context.services.administration
    is_allowed = administration.managed_documents.decides_about(context.caller)
    document = administration.deletion_admin.restore(context.tenant, doc_id, is_allowed)
    return _noted(context, document)


@router.delete("/{doc_id}", response_model=DeletionRecord, responses=declared_errors(404))
async def forget_document(doc_id: str, context: CurrentContext, reason: ReasonParameter = "") -> JsonObject:
    """Forget which file a deleted document had; then an ingestion can bring the file in as a new document."""
    noted_reason(context, reason)
    administration = context.services.administration
    # Forgetting discards a ceiling as well, which needs more than the right to restore.
    is_allowed = administration.managed_documents.may_forget(context.caller)
    document = administration.deletion_admin.forget(context.tenant, doc_id, is_allowed)
    return _noted(context, document)


def _noted(context: RestContext, document: Document) -> JsonObject:
    context.note(documents=[f"{document.doc_id}@{document.policy_version}"])
    return deletion_to_json(document)
