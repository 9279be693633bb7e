"""`/v1/documents`: records, and changes that are in force on the next call."""

from typing import Annotated, Final

from fastapi import APIRouter, Query

from groundwire.domain.access import Policy
from groundwire.domain.documents import Document, DocumentState
from groundwire.domain.limits import DEFAULT_DOCUMENTS_PAGE, MAX_DOCUMENTS_PAGE
from groundwire.domain.policy_form import spelled_policy
from groundwire.entry.rest.cursors import following, position_of
from groundwire.entry.rest.models.documents import (
    DocumentList,
    DocumentRecord,
    DocumentWithPassages,
    GoneDocument,
    PolicyBody,
)
from groundwire.entry.rest.scoped_route import ScopedRoute
from groundwire.entry.rest.work import Asked, Work
from groundwire.entry.rows import record_row, segment_row
from groundwire.ports import DocumentVersion

router: Final = APIRouter(prefix="/v1/documents", tags=["documents"], route_class=ScopedRoute)

Row = dict[str, object]
_PageSize = Annotated[int, Query(ge=1, le=MAX_DOCUMENTS_PAGE)]


@router.get("", response_model=DocumentList)
async def list_documents(
    work: Asked,
    collection: Annotated[str | None, Query(description="Only of this collection.")] = None,
    after: Annotated[str | None, Query(description="`next` of the page before.")] = None,
    limit: _PageSize = DEFAULT_DOCUMENTS_PAGE,
) -> Row:
    """The documents that the key manages, by id; a page may be short, or empty, and still lead on."""
    asked = f"documents {collection or ''}"
    stretch = work.services.stewardship.stretch(work.caller, collection, position_of(work, asked, after), limit)
    return {
        "documents": [record_row(document) for document in stretch.documents],
        "next": None if stretch.after is None else following(work, asked, stretch.after),
    }


@router.get("/{doc_id}", response_model=DocumentWithPassages, response_model_exclude_unset=True)
async def show_document(
    doc_id: str, work: Asked, *, segments: Annotated[bool, Query(description="With its passages.")] = False
) -> Row:
    """The record of one document."""
    document = work.services.stewardship.find(work.caller, doc_id)
    _note(work, document)
    return record_row(document) | ({"passages": _passages(work, document)} if segments else {})


@router.put("/{doc_id}/policy", response_model=DocumentRecord)
async def set_policy(doc_id: str, policy: PolicyBody, work: Asked) -> Row:
    """Who may read the document is said anew, in force on the next call."""
    document = work.services.stewardship.set_policy(work.caller, doc_id, policy_of(policy))
    _note(work, document)
    return record_row(document)


@router.delete("/{doc_id}", response_model=GoneDocument)
async def delete_document(doc_id: str, work: Asked) -> Row:
    """The document stops answering at once."""
    document = work.services.stewardship.delete(work.caller, doc_id)
    _note(work, document)
    return {"doc_id": document.doc_id, "file": document.source_file_name}


def policy_of(body: PolicyBody) -> Policy:
    """The policy in its compared form; Raises Invalid."""
    return spelled_policy(public=body.public, users=body.users, any_tags=body.any_tags, all_tags=body.all_tags)


def _passages(work: Work, document: Document) -> list[Row]:
    if document.state is not DocumentState.INDEXED:
        return []
    version = DocumentVersion(document.doc_id, document.version)
    return [segment_row(segment) for segment in work.services.indexes.of(work.tenant).segments(version)]


def _note(work: Work, document: Document) -> None:
    work.note(documents=[f"{document.doc_id}@{document.policy_version}"])
