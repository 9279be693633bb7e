"""Records of a document at each step of an ingestion."""

from collections.abc import Mapping
from dataclasses import replace

from groundwire.domain.documents.lifecycle import closed_record, with_policy
from groundwire.domain.documents.parsed import ParsedDocument
from groundwire.domain.documents.record import UNDETERMINED_LANGUAGE, Document, DocumentState
from groundwire.services.ingest.display_names import file_type
from groundwire.services.ingest.request import IngestRequest


def queued_record(request: IngestRequest, new_id: str, now: float) -> Document:
    """Return the record of a queued file, of which only the source is known."""
    return Document(
        doc_id=request.doc_id or new_id,
        collection=request.collection,
        source_file_name=request.file_name,
        source_file_type=file_type(request.file_name),
        source_path=request.source_path,
        source_url=request.source_url,
        blob=None,
        title=request.file_name,
        policy=request.policy,
        version=0,
        policy_version=1,
        state=DocumentState.QUEUED,
        reason=None,
        content_hash="",
        recipe="",
        segments=0,
        pages=None,
        pages_without_text=0,
        size_bytes=0,
        index_stale=True,
        created_at=now,
        updated_at=now,
        parent=request.parent,
        policy_from_files=request.policy_from_files,
        policy_overridden_at=request.policy_overridden_at,
    )


def started_record(base: Document, request: IngestRequest, now: float) -> Document:
    """Return the record of a started ingestion: an indexed version stays searchable, any other is `PARSING`."""
    if base.state is DocumentState.INDEXED:
        return replace(base, index_stale=True)
    return replace(
        with_policy(base, request.policy),
        collection=request.collection,
        source_path=request.source_path,
        state=DocumentState.PARSING,
        reason=None,
        index_stale=True,
        updated_at=now,
        policy_from_files=request.policy_from_files,
        policy_overridden_at=request.policy_overridden_at,
    )


def next_version_number(base: Document) -> int:
    """Return the number of the document's next version, of which no index has rows."""
    return max(base.version, base.started_version) + 1


def unchanged_content_record(current: Document, request: IngestRequest) -> Document:
    """Return the record of the same content, perhaps with another name, path or policy."""
    return replace(
        with_policy(current, request.policy),
        source_file_name=request.file_name,
        source_path=request.source_path,
        source_url=request.source_url,
        reason=None,
        policy_from_files=request.policy_from_files,
        policy_overridden_at=request.policy_overridden_at,
    )


def refused_record(base: Document, request: IngestRequest, content_hash: str, size: int, reason: str) -> Document:
    """Return the record of a refused file; an earlier version stays readable only if the policy is the same.

    The new policy was meant for content that nobody has read, and the earlier one is no longer wanted. No policy admits
    exactly the readers of both, so two different policies leave no readers.
    """
    if base.state is not DocumentState.INDEXED:
        refused = replace(with_policy(base, request.policy), state=DocumentState.REFUSED, reason=reason)
        return replace(
            refused,
            content_hash=content_hash,
            size_bytes=size,
            policy_from_files=request.policy_from_files,
            policy_overridden_at=request.policy_overridden_at,
        )
    return replace(base, reason=reason) if base.policy == request.policy else closed_record(base, reason)


def indexed_record(
    base: Document, request: IngestRequest, parsed: ParsedDocument, title: str, version: int, size: int
) -> Document:
    """Return the record of this version, made from the parsed document."""
    return replace(
        unchanged_content_record(base, request),
        collection=request.collection,
        source_file_type=file_type(request.file_name),
        title=title,
        version=version,
        state=DocumentState.INDEXED,
        pages=parsed.pages,
        pages_without_text=parsed.pages_without_text,
        size_bytes=size,
        language=request.language or parsed.language or UNDETERMINED_LANGUAGE,
    )


def rounded_timings(**seconds: float) -> Mapping[str, float]:
    """Return seconds by step as a record stores them: rounded to a tenth of a millisecond."""
    return {step: round(duration, 4) for step, duration in seconds.items()}
