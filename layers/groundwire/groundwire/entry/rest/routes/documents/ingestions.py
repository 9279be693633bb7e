"""Runs of `groundwire ingest`, and the number of documents that are not read yet."""

from typing import Final, Literal

from fastapi import APIRouter
from pydantic import Field

from groundwire.entry.operator.monitoring import ingestions
from groundwire.entry.rest.middleware.context import CurrentContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.schema import ResponseModel, Timestamp, declared_errors

router: Final = APIRouter(prefix="/v1/ingestions", tags=["ingestions"], route_class=ScopedRoute)


class IngestionRecord(ResponseModel):
    """A run of `groundwire ingest`."""

    id: str
    collection: str
    started_at: Timestamp | None
    updated_at: Timestamp | None = Field(description="Time of the last change of this record.")
    operator: str | None = Field(description="User of the operating system that started it.")
    state: Literal["running", "done", "cancelled", "interrupted", "failed", "killed"]
    files: int = Field(description="Number of files that it reads.")
    files_done: int = Field(description="Number of files that are finished.")
    counts: dict[str, int] = Field(description="Number of finished files and attachments by outcome.")
    cancel_requested: bool


class PendingDocuments(ResponseModel):
    """Numbers of documents whose content no reader has read yet, those of uploads included."""

    queued: int
    parsing: int
    waiting: int = Field(description="The parser did not take them yet, and the service tries again.")
    failed: int = Field(description="No parser could read them, and the service does not try again.")


class IngestionList(ResponseModel):
    """The last runs within the key's collections, the latest first, and the documents that wait."""

    ingestions: list[IngestionRecord]
    pending: PendingDocuments


@router.get("", response_model=IngestionList)
async def list_ingestions(context: CurrentContext) -> dict[str, object]:
    """List the last runs of `groundwire ingest`, and count the documents that are not read yet."""
    caller = context.caller
    documents = context.services.administration.managed_documents.all(caller)
    return ingestions.list_runs(context.services, context.tenant, caller.allows_collection, documents)


@router.get("/{ingestion_id}", response_model=IngestionRecord, responses=declared_errors(404))
async def show_ingestion(context: CurrentContext, ingestion_id: str) -> dict[str, object]:
    """Show a run with its progress."""
    return ingestions.show_run(context.services, context.tenant, ingestion_id, context.caller.allows_collection)


@router.post("/{ingestion_id}/cancel", response_model=IngestionRecord, responses=declared_errors(404, 409))
async def cancel_ingestion(context: CurrentContext, ingestion_id: str) -> dict[str, object]:
    """End a run after its present file; finished files stay, and the same command continues it."""
    row = ingestions.cancel_run(context.services, context.tenant, ingestion_id, context.caller.allows_collection)
    # The run's own lines name who started it, and not who ended it.
    context.note(ingestion=ingestion_id)
    return row
