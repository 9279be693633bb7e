"""Documents: policies and records."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import Field

from groundwire.domain.access.decision import MAX_REASON_CHARACTERS, clean_reason
from groundwire.domain.access.policy import Policy, decide
from groundwire.domain.access.policy_input import parse_policy
from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.audit.facts import readers_change
from groundwire.domain.documents.changes.ceiling import listed_by_ceiling
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.limits import (
    DEFAULT_DOCUMENTS_PAGE,
    MAX_DOCUMENTS_PAGE,
)
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.cursors import next_cursor, position_of
from groundwire.entry.rest.schema import (
    CeilingRecord,
    NewTagsAllowed,
    PolicyBody,
    PolicyRecord,
    ResponseModel,
    Timestamp,
    declared_errors,
)
from groundwire.entry.serialization.entities import document_to_json, segment_to_json
from groundwire.ports import DocumentVersion
from groundwire.services.documents.admin import PolicyOverride
from groundwire.services.documents.tags.directory import policy_tags
from groundwire.services.documents.tags.view import caller_view

ReasonParameter = Annotated[
    str,
    Query(max_length=MAX_REASON_CHARACTERS, description="Why the person decides so, for the record and the audit log."),
]


class DateValue(ResponseModel):
    """A date in metadata."""

    date: str = Field(examples=["2024-05-31"])


MetadataValue = bool | float | str | list[str] | list[float] | DateValue


class PolicyOrder(PolicyBody):
    """Readers of a document; `new_tags` accepts a tag that resembles one in use."""

    new_tags: NewTagsAllowed = False
    until_next_run: bool = Field(
        default=False, description="Replace the declared policy until an ingestion declares another, without a ceiling."
    )


class SegmentRecord(ResponseModel):
    """A passage; it has content if the key may search and its user may read the document."""

    ordinal: int = Field(description="Number of the passage in the document, from 0.")
    uid: str = Field(description="Id of the passage.")
    page_first: int | None
    page_last: int | None
    pages: str | None = Field(description="Pages in words, such as `3-4`.")
    heading_path: list[str] = Field(description="Headings above the passage.")
    headline: str | None
    summary: str | None
    keywords: list[str]
    language: str
    characters: int = Field(description="Number of characters.")
    text: str | None
    raw_values: list[str] = Field(description="Numbers that cells store with more digits than they show.")
    windows: list[str] | None = Field(description="Parts of the text that have vectors of their own.")
    source_url: str | None = Field(
        description="URL at which the caller can open the document at the passage; null for a passage without content."
    )


class DocumentRecord(ResponseModel):
    """Record of a document."""

    doc_id: str
    collection: str
    file: str = Field(description="Name of the file.")
    title: str
    type: str = Field(description="Type of the file, such as `pdf`.")
    language: str
    state: DocumentState
    reason: str | None = Field(description="Reason why the latest file was refused, waits, or was not parsed.")
    parent: str | None = Field(description="Document that has this one as an attachment.")
    segments: int = Field(description="Number of passages.")
    windows: int = Field(description="Number of parts of passages with vectors of their own.")
    images: int = Field(description="Number of images that searches for images find.")
    defects: dict[str, int] = Field(description="Number of each reading defect, such as tables read as text.")
    failed_step: str | None = Field(
        description="Failed step of this version: enrichment, images or attachments. The next ingestion repeats it."
    )
    pages: int | None = Field(description="Number of pages.")
    pages_without_text: int = Field(description="Number of pages without text.")
    version: int = Field(description="Number of the version of the file.")
    readers: str = Field(description="Policy and ceiling in words.")
    policy: PolicyRecord = Field(description="Declared policy.")
    ceiling: CeilingRecord | None = Field(
        description="Limit of the readers that a person set: a reader needs the policy and the ceiling. Null: none."
    )
    policy_version: int = Field(description="Number of the version of the policy.")
    policy_source: str = Field(description="`option`, `file`, `manual` or `unknown`.")
    metadata: dict[str, MetadataValue] = Field(description="Metadata for filters.")
    contributed_by: str | None = Field(description="User who contributed the content; null if unknown.")
    contributed_key: str | None = Field(description="Key that contributed it; null for an operator or a bucket.")
    source_path: str | None = Field(description="Path of the file at ingestion; null for an upload.")
    source_url: str | None = Field(description="URL of the document for people.")
    content_hash: str = Field(description="SHA-256 of the file.")
    recipe: str = Field(description="Parser, chunker and model that made the passages.")
    parser: str = Field(description="Program that read the file.")
    model: str = Field(description="Embedding model of the passages.")
    timings: dict[str, float] = Field(description="Seconds by step.")
    size_bytes: int = Field(description="Size of the file.")
    created_at: Timestamp
    updated_at: Timestamp


class DocumentWithPassages(DocumentRecord):
    """Record of a document, with passages if the call has `segments=true`."""

    passages: list[SegmentRecord] | None = None
    next_passage: int | None = Field(
        default=None, description="Value of `from_passage` for the next passages; null: there are no more."
    )


class DocumentList(ResponseModel):
    """A page of documents, by id."""

    documents: list[DocumentRecord]
    next: str | None = Field(description="Value of `after` for the next page; null: there are no more.")


class GoneDocument(ResponseModel):
    """A deleted document."""

    doc_id: str
    file: str


router: Final = APIRouter(prefix="/v1/documents", tags=["documents"], route_class=ScopedRoute)

JsonObject = dict[str, object]
_MAX_PASSAGES: Final = 200
_PageSize = Annotated[int, Query(ge=1, le=MAX_DOCUMENTS_PAGE)]


@router.get("", response_model=DocumentList)
async def list_documents(
    context: CurrentContext,
    collection: Annotated[str | None, Query(description="Only documents of this collection.")] = None,
    after: Annotated[str | None, Query(description="Value of `next` of the page before.")] = None,
    limit: _PageSize = DEFAULT_DOCUMENTS_PAGE,
    *,
    ceilings: Annotated[bool, Query(description="Only documents whose readers a person limited.")] = False,
    policy_differs: Annotated[
        bool, Query(description="Only documents whose declared policy admits somebody beyond the ceiling.")
    ] = False,
) -> JsonObject:
    """List the documents that the key manages, by id; a page can be short or empty and still have a `next`."""
    conditions = "".join([" ceilings" * ceilings, " policy_differs" * policy_differs])
    list_name = f"documents {collection or ''}{conditions}"
    page = context.services.administration.managed_documents.page(
        context.caller,
        collection,
        position_of(context, list_name, after),
        limit,
        listed_by_ceiling(ceilings=ceilings, policy_differs=policy_differs),
    )
    return {
        "documents": [document_to_json(document) for document in page.documents],
        "next": None if page.next_after is None else next_cursor(context, list_name, page.next_after),
    }


@router.get(
    "/{doc_id}", response_model=DocumentWithPassages, response_model_exclude_unset=True, responses=declared_errors(404)
)
async def show_document(
    doc_id: str,
    context: CurrentContext,
    *,
    segments: Annotated[bool, Query(description=f"Return passages, too, at most {_MAX_PASSAGES}.")] = False,
    from_passage: Annotated[int, Query(ge=0, description="Number of the first passage, from 0.")] = 0,
    max_passages: Annotated[
        int, Query(ge=1, le=_MAX_PASSAGES, description="How many passages at most; `segments` is the number of all.")
    ] = _MAX_PASSAGES,
) -> JsonObject:
    """Show the record of a document."""
    document = context.services.administration.managed_documents.find(context.caller, doc_id)
    _note_document(context, document)
    passages = _passages(context, document, from_passage, max_passages) if segments else {}
    return document_to_json(document) | passages


@router.put("/{doc_id}/policy", response_model=DocumentRecord, responses=declared_errors(404, 409, 413))
async def set_policy(
    doc_id: str, policy: PolicyOrder, context: CurrentContext, reason: ReasonParameter = ""
) -> JsonObject:
    """Set the readers of a document from the next call on; beside declared readers, as a ceiling."""
    view, tags = caller_view(context.caller), policy_tags(policy_of(policy))
    context.services.administration.tags.new_tags.check(view, tags, allows_new=policy.new_tags)
    override = context.services.administration.managed_documents.set_policy(
        context.caller,
        doc_id,
        policy_of(policy),
        noted_reason(context, reason),
        until_next_run=policy.until_next_run,
    )
    return readers_changed(context, override)


@router.delete("/{doc_id}", response_model=GoneDocument, responses=declared_errors(404, 409))
async def delete_document(doc_id: str, context: CurrentContext, reason: ReasonParameter = "") -> JsonObject:
    """Delete a document; no answer contains it, and no ingestion brings it back until it is restored."""
    managed = context.services.administration.managed_documents
    document = managed.delete(context.caller, doc_id, noted_reason(context, reason))
    _note_document(context, document)
    context.note(extent=managed.deletion_extent(context.caller)(document).value)
    return {"doc_id": document.doc_id, "file": document.source_file_name}


def readers_changed(context: RestContext, override: PolicyOverride) -> JsonObject:
    """Return the document after a decision about its readers, and note both in the audit record."""
    _note_document(context, override.document)
    context.note(**readers_change(override.previous, override.document.readers))
    return document_to_json(override.document)


def noted_reason(context: RestContext, reason: str) -> str:
    """Return the reason of a decision on one line, and add it to the audit record.

    Raises:
        InvalidInput: it cannot be printed.
    """
    cleaned = clean_reason(reason)
    if cleaned:
        context.note(decision_reason=cleaned)
    return cleaned


def policy_of(body: PolicyBody) -> Policy:
    """Return the policy in its normalised form.

    Raises:
        InvalidInput: a user or tag is malformed.
    """
    return parse_policy(public=body.public, users=body.users, any_tags=body.any_tags, all_tags=body.all_tags)


def _passages(context: RestContext, document: Document, start: int, max_passages: int) -> JsonObject:
    """Return a part of the passages, small enough for any gateway, and where the next begins."""
    if document.state is not DocumentState.INDEXED:
        return {"passages": [], "next_passage": None}
    version = DocumentVersion(document.doc_id, document.version)
    # Whoever manages a document is not always one of its readers, and a key that brings files in may not search.
    may_search = missing_scope(context.caller.scopes, Scope.SEARCH) is None
    # A key that may only manage documents gets no text of them.
    is_reader = may_search and bool(decide(context.caller.principal, document.readers))
    segments = context.services.stores.indexes.for_tenant(context.tenant).segments(version)
    end = start + max_passages
    cite = context.services.reading.source_links.cite
    return {
        "passages": [
            {
                **segment_to_json(each, has_text=is_reader),
                "source_url": cite(document, context.caller, each.page_first, each.uid).url if is_reader else None,
            }
            for each in segments[start:end]
        ],
        "next_passage": end if end < len(segments) else None,
    }


def _note_document(context: RestContext, document: Document) -> None:
    context.note(documents=[f"{document.doc_id}@{document.policy_version}"])
