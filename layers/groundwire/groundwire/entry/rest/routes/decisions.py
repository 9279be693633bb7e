"""Decisions of a person about the readers of a document: closed, and lifted."""

from typing import Final

from fastapi import APIRouter

from groundwire.domain.documents.changes.ceiling import closed_by_person, lifted
from groundwire.entry.rest.middleware.context import CurrentContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.documents import (
    DocumentRecord,
    JsonObject,
    ReasonParameter,
    noted_reason,
    readers_changed,
)
from groundwire.entry.rest.schema import declared_errors

router: Final = APIRouter(prefix="/v1/documents", tags=["documents"], route_class=ScopedRoute)


@router.post("/{doc_id}/close", response_model=DocumentRecord, responses=declared_errors(403, 404, 409))
async def close_document(doc_id: str, context: CurrentContext, reason: ReasonParameter = "") -> JsonObject:
    """Close a document for everybody until its ceiling is lifted, whatever is ingested; needs `share`."""
    managed = context.services.administration.managed_documents
    decided = managed.decide_readers(context.caller, doc_id, closed_by_person, noted_reason(context, reason))
    return readers_changed(context, decided)


@router.post("/{doc_id}/lift", response_model=DocumentRecord, responses=declared_errors(403, 404, 409))
async def lift_ceiling(doc_id: str, context: CurrentContext, reason: ReasonParameter = "") -> JsonObject:
    """End the ceiling of a document: its readers are those of the declared policy again; needs `share`."""
    managed = context.services.administration.managed_documents
    decided = managed.decide_readers(context.caller, doc_id, lifted, noted_reason(context, reason))
    return readers_changed(context, decided)
