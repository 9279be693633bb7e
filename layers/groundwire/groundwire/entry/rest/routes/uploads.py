"""Uploads: tickets and the state of uploaded files."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter
from pydantic import Field

from groundwire.domain.documents.metadata import metadata_from_mapping
from groundwire.domain.documents.uploads import UploadPolicySource
from groundwire.domain.limits import (
    MAX_DOCUMENT_BYTES,
    MAX_METADATA_FIELDS,
    MAX_NAME_CHARACTERS,
    MAX_SOURCE_URL_CHARACTERS,
)
from groundwire.entry.rest.middleware.context import CurrentContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.documents import PolicyBody, policy_of
from groundwire.entry.rest.schema import CollectionName, DocId, RequestModel, ResponseModel, Timestamp
from groundwire.entry.serialization.stored_members import format_utc
from groundwire.services.uploads import tickets

MetadataInput = bool | float | str | list[str] | list[float]
UploadStatus = Literal["awaiting", "queued", "parsing", "indexed", "refused"]


class UploadOrder(RequestModel):
    """A file that is to come; who may read it is said now."""

    collection: CollectionName
    file_name: str = Field(min_length=1, max_length=MAX_NAME_CHARACTERS, examples=["price list.pdf"])
    size: Annotated[int, Field(ge=1, le=MAX_DOCUMENT_BYTES, strict=True)] = Field(description="Exactly, in bytes.")
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] = Field(description="Of the content, hex, lower case.")
    policy: PolicyBody
    policy_source: Literal["option", "file", "none"] = Field(
        default="option",
        description="`file`: the policy is that of a policy file on the client's machine, and ends with that file. "
        "`none`: `policy` has no effect; the document keeps the policy that an option or a manual override gave it, "
        "and a new document has no readers.",
    )
    content_type: Annotated[str, Field(pattern=r"^[a-z0-9.+-]+/[a-z0-9.+-]+$", max_length=127)] = (
        "application/octet-stream"
    )
    doc_id: DocId | None = Field(default=None, description="Chosen, or of the document that gets a new version.")
    metadata: dict[str, MetadataInput] = Field(default_factory=dict, max_length=MAX_METADATA_FIELDS)
    source_url: Annotated[str, Field(max_length=MAX_SOURCE_URL_CHARACTERS)] | None = Field(
        default=None,
        description="Where people open the document, http or https; unsaid: a link to the stored original. "
        "What Markdown or HTML could read as markup is percent-encoded.",
    )


class UploadTicket(ResponseModel):
    """Where the file goes: one `multipart/form-data` POST to `url`, with every one of `fields`, then `file`."""

    ticket: str
    doc_id: str
    url: str
    fields: dict[str, str]
    expires_at: Timestamp


class UploadRecord(ResponseModel):
    """What became of the file."""

    ticket: str
    doc_id: str
    state: UploadStatus
    reason: str | None = Field(description="Why it was refused.")
    waiting_for: str | None = Field(description="What a queued file waits for: `another ingestion` of the tenant.")
    visible_after_seconds: int


router: Final = APIRouter(prefix="/v1/uploads", tags=["uploads"], route_class=ScopedRoute)

JsonObject = dict[str, object]


@router.post("", status_code=201, response_model=UploadTicket)
async def open_upload(body: UploadOrder, context: CurrentContext) -> JsonObject:
    """A ticket for exactly this file, good for a few minutes."""
    ticket = context.services.upload_tickets.issue(context.caller, _upload_spec(body))
    upload, form = ticket.upload, ticket.form
    context.note(ticket=upload.ticket, documents=[upload.doc_id], collection=upload.collection)
    return {
        "ticket": upload.ticket,
        "doc_id": upload.doc_id,
        "url": form.url,
        "fields": dict(form.fields),
        "expires_at": format_utc(ticket.expires_at),
    }


@router.get("/{ticket}", response_model=UploadRecord)
async def show_upload(ticket: str, context: CurrentContext) -> JsonObject:
    """What became of the file."""
    progress = context.services.upload_tickets.progress(context.caller, ticket)
    context.note(ticket=progress.upload.ticket, documents=[progress.upload.doc_id])
    return {
        "ticket": progress.upload.ticket,
        "doc_id": progress.upload.doc_id,
        "state": progress.state,
        "reason": progress.reason,
        "waiting_for": progress.waiting_for,
        "visible_after_seconds": context.services.visibility_delay_seconds,
    }


def _upload_spec(body: UploadOrder) -> tickets.UploadSpec:
    return tickets.UploadSpec(
        collection=body.collection,
        file_name=body.file_name,
        size=body.size,
        sha256=body.sha256,
        content_type=body.content_type,
        policy=policy_of(body.policy),
        policy_source=UploadPolicySource(body.policy_source),
        doc_id=body.doc_id,
        metadata=metadata_from_mapping(body.metadata),
        source_url=body.source_url,
    )
