"""How a document's record changes with each outcome of an ingestion."""

from dataclasses import replace

from groundwire.domain.access import Policy
from groundwire.domain.documents import Document, DocumentState, ParsedDocument
from groundwire.services.ingest.request import IngestRequest


def first_record(request: IngestRequest, new_id: str, content_hash: str, file_type: str, now: float) -> Document:
    """A document of which nothing is indexed yet."""
    return Document(
        doc_id=request.doc_id or new_id,
        collection=request.collection,
        source_file_name=request.file_name,
        source_file_type=file_type,
        source_path=request.source_path,
        source_url=request.source_url,
        blob=None,
        title=request.file_name,
        policy=request.policy,
        version=0,
        policy_version=1,
        state=DocumentState.PARSING,
        reason=None,
        content_hash=content_hash,
        recipe="",
        segments=0,
        pages=None,
        pages_without_text=0,
        size_bytes=len(request.content),
        index_stale=True,
        created_at=now,
        updated_at=now,
    )


def kept_record(current: Document, request: IngestRequest) -> Document:
    """The same content, perhaps under another name, place or policy."""
    return replace(
        with_policy(current, request.policy),
        source_file_name=request.file_name,
        source_path=request.source_path,
        source_url=request.source_url,
        reason=None,
    )


def refused_record(base: Document, request: IngestRequest, reason: str) -> Document:
    """The file could not be read: an earlier version goes on answering, under the policy that is asked for now."""
    state = DocumentState.INDEXED if base.state is DocumentState.INDEXED else DocumentState.REFUSED
    return replace(with_policy(base, request.policy), state=state, reason=reason)


def indexed_record(base: Document, request: IngestRequest, parsed: ParsedDocument, title: str) -> Document:
    """The next version, made of what the parser saw."""
    return replace(
        kept_record(base, request),
        collection=request.collection,
        title=title,
        version=base.version + 1,
        state=DocumentState.INDEXED,
        pages=parsed.pages,
        pages_without_text=parsed.pages_without_text,
        size_bytes=len(request.content),
    )


def with_policy(document: Document, policy: Policy) -> Document:
    """The record under `policy`; the policy's version counts real changes only."""
    if document.policy == policy:
        return document
    return replace(document, policy=policy, policy_version=document.policy_version + 1)
