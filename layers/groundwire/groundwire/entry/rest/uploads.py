"""`/v1/uploads`: tickets by which files are sent, past this server, to where they are kept."""

from typing import Final

from fastapi import APIRouter

from groundwire.domain.metadata import typed
from groundwire.entry.rest.documents import policy_of
from groundwire.entry.rest.models.uploads import UploadOrder, UploadRecord, UploadTicket
from groundwire.entry.rest.scoped_route import ScopedRoute
from groundwire.entry.rest.work import Asked
from groundwire.entry.rows import moment
from groundwire.services import upload_desk

router: Final = APIRouter(prefix="/v1/uploads", tags=["uploads"], route_class=ScopedRoute)

Row = dict[str, object]


@router.post("", status_code=201, response_model=UploadTicket)
async def open_upload(order: UploadOrder, work: Asked) -> Row:
    """A ticket for exactly this file, good for a few minutes."""
    ticket = work.services.upload_desk.open(work.caller, _order(order))
    upload, form = ticket.upload, ticket.form
    work.note(ticket=upload.ticket, documents=[upload.doc_id], collection=upload.collection)
    return {
        "ticket": upload.ticket,
        "doc_id": upload.doc_id,
        "url": form.url,
        "fields": dict(form.fields),
        "expires_at": moment(ticket.ends_at),
    }


@router.get("/{ticket}", response_model=UploadRecord)
async def show_upload(ticket: str, work: Asked) -> Row:
    """What became of the file."""
    found = work.services.upload_desk.progress(work.caller, ticket)
    work.note(ticket=found.upload.ticket, documents=[found.upload.doc_id])
    return {
        "ticket": found.upload.ticket,
        "doc_id": found.upload.doc_id,
        "state": found.state,
        "reason": found.reason,
        "waiting_for": found.waiting_for,
        "visible_after_seconds": work.services.visible_after_seconds,
    }


def _order(order: UploadOrder) -> upload_desk.UploadOrder:
    return upload_desk.UploadOrder(
        collection=order.collection,
        file_name=order.file_name,
        size=order.size,
        sha256=order.sha256,
        content_type=order.content_type,
        policy=policy_of(order.policy),
        doc_id=order.doc_id,
        metadata=typed(order.metadata),
        source_url=order.source_url,
    )
