"""Uploads: tickets and the state of uploaded files."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Final, Literal

from fastapi import APIRouter
from pydantic import Field

from groundwire.domain.documents.metadata import metadata_from_mapping
from groundwire.domain.documents.uploads import UploadPolicySource
from groundwire.domain.limits import MAX_NAME_CHARACTERS, MAX_PLANNED_UPLOADS, MAX_SOURCE_URL_CHARACTERS
from groundwire.entry.rest.middleware.context import CurrentContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.documents.documents import policy_of
from groundwire.entry.rest.schema import (
    CollectionName,
    DocId,
    NewTagsAllowed,
    PolicyBody,
    RequestModel,
    ResponseModel,
    StrictBoolean,
    Timestamp,
    declared_errors,
)
from groundwire.entry.serialization.readers import describe_readers
from groundwire.entry.serialization.stored_members import format_utc
from groundwire.services.documents.tags.directory import policy_tags
from groundwire.services.documents.tags.view import caller_view
from groundwire.services.uploads import tickets
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES, MAX_METADATA_FIELDS

if TYPE_CHECKING:
    from groundwire.services.uploads.plan import PlannedUpload

MetadataInput = bool | float | str | list[str] | list[float]
PlannedAction = Literal["new", "changed", "repolicied", "updated", "unchanged", "held_back", "refused"]
UploadStatus = Literal["awaiting", "queued", "parsing", "waiting", "failed", "indexed", "refused", "held_back"]


class UploadOrder(RequestModel):
    """A file to upload, with its readers."""

    collection: CollectionName
    file_name: str = Field(min_length=1, max_length=MAX_NAME_CHARACTERS, examples=["price list.pdf"])
    size: Annotated[int, Field(ge=1, le=MAX_DOCUMENT_BYTES, strict=True)] = Field(description="Exact number of bytes.")
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] = Field(
        description="SHA-256 of the content, in lower case."
    )
    policy: PolicyBody
    new_tags: NewTagsAllowed = False
    policy_source: Literal["option", "file", "none"] = Field(
        default="option",
        description="`file`: the policy comes from a policy file of the client, and ends with that file. `none`: "
        "`policy` has no effect. The document keeps the policy of an option or a manual override. A new document has "
        "no readers.",
    )
    content_type: Annotated[str, Field(pattern=r"^[a-z0-9.+-]+/[a-z0-9.+-]+$", max_length=127)] = (
        "application/octet-stream"
    )
    doc_id: DocId | None = Field(
        default=None, description="Id of the document; an existing document gets a new version."
    )
    metadata: dict[str, MetadataInput] = Field(default_factory=dict, max_length=MAX_METADATA_FIELDS)
    restore: StrictBoolean = Field(
        default=False,
        description="Bring the file back although a person deleted its document. It needs the right to decide about "
        "that document. With `share`, it also brings content back that was deleted at another path.",
    )
    source_url: Annotated[str, Field(max_length=MAX_SOURCE_URL_CHARACTERS)] | None = Field(
        default=None,
        description="URL of the document for people, http or https; null: a link to the stored original. The server "
        "percent-encodes characters that Markdown or HTML can read as markup.",
    )


class UploadTicket(ResponseModel):
    """A ticket for one `multipart/form-data` POST to `url`, with all `fields`, then `file`."""

    ticket: str
    doc_id: str
    url: str
    fields: dict[str, str]
    expires_at: Timestamp


class UploadPlanBody(RequestModel):
    """Files that might be uploaded."""

    files: Annotated[list[UploadOrder], Field(min_length=1, max_length=MAX_PLANNED_UPLOADS)]


class UploadPlanRecord(ResponseModel):
    """Plan of one file."""

    file_name: str
    doc_id: str | None
    plan: PlannedAction
    reason: str | None = Field(description="Reason why the file would be refused or held back.")
    readers_before: str | None = Field(description="Readers of the present version; null without one.")
    readers_after: str | None = Field(description="Readers afterwards; null where the file would be left out.")
    adds_readers: bool
    removes_readers: bool


class UploadPlan(ResponseModel):
    """What uploads would do, file by file in their order."""

    counts: dict[str, int] = Field(description="Number of files by plan.")
    files: list[UploadPlanRecord]


class UploadRecord(ResponseModel):
    """State of an upload."""

    ticket: str
    doc_id: str
    state: UploadStatus
    reason: str | None = Field(
        description="Reason why the file was refused or held back, waits for the parser, or failed."
    )
    waiting_for: str | None = Field(
        description="Cause of the wait: `another ingestion` of the tenant, or `the parser`."
    )
    visible_after_seconds: int


router: Final = APIRouter(prefix="/v1/uploads", tags=["uploads"], route_class=ScopedRoute)

JsonObject = dict[str, object]


@router.post("", status_code=201, response_model=UploadTicket, responses=declared_errors(409, 413))
async def open_upload(body: UploadOrder, context: CurrentContext) -> JsonObject:
    """Create a ticket for this one file; the upload must start within 5 minutes."""
    spec = _upload_spec(body)
    if spec.policy_source is not UploadPolicySource.NONE:
        view, tags = caller_view(context.caller), policy_tags(spec.policy)
        context.services.administration.tags.new_tags.check(view, tags, allows_new=body.new_tags)
    ticket = context.services.administration.upload_tickets.issue(context.caller, spec)
    upload, form = ticket.upload, ticket.form
    context.note(ticket=upload.ticket, documents=[upload.doc_id], collection=upload.collection)
    return {
        "ticket": upload.ticket,
        "doc_id": upload.doc_id,
        "url": form.url,
        "fields": dict(form.fields),
        "expires_at": format_utc(ticket.expires_at),
    }


@router.post("/plan", response_model=UploadPlan, responses=declared_errors(413))
async def plan_uploads(body: UploadPlanBody, context: CurrentContext) -> JsonObject:
    """Return what these uploads would do to documents and readers; nothing is changed."""
    specs = list(map(_upload_spec, body.files))
    planned = context.services.administration.upload_tickets.plan(context.caller, specs)
    context.note(files=len(planned))
    counts = Counter(each.action.value for each in planned)
    return {"counts": dict(sorted(counts.items())), "files": list(map(_planned_to_json, planned))}


@router.get("/{ticket}", response_model=UploadRecord, responses=declared_errors(404))
async def show_upload(ticket: str, context: CurrentContext) -> JsonObject:
    """Show the state of an upload."""
    progress = context.services.administration.upload_tickets.progress(context.caller, ticket)
    context.note(ticket=progress.upload.ticket, documents=[progress.upload.doc_id])
    return {
        "ticket": progress.upload.ticket,
        "doc_id": progress.upload.doc_id,
        "state": progress.state,
        "reason": progress.reason,
        "waiting_for": progress.waiting_for,
        "visible_after_seconds": context.services.administration.visibility_delay_seconds,
    }


def _planned_to_json(planned: "PlannedUpload") -> JsonObject:
    before, after = (None if each is None else describe_readers(each) for each in (planned.before, planned.after))
    return {
        "file_name": planned.spec.file_name,
        "doc_id": planned.spec.doc_id,
        "plan": planned.action.value,
        "reason": planned.reason,
        "readers_before": before,
        "readers_after": after,
        "adds_readers": planned.adds_readers,
        "removes_readers": planned.removes_readers,
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
        restores=body.restore,
    )
