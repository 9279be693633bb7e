"""How a document's record changes with each outcome of an ingestion."""

from collections.abc import Mapping
from dataclasses import replace

from groundwire.domain.access import NOBODY, Policy
from groundwire.domain.documents import UNDETERMINED, Document, DocumentState, ParsedDocument, names_digest
from groundwire.domain.metadata import NONE
from groundwire.services.ingest.naming import file_type
from groundwire.services.ingest.request import IngestRequest


def queued_record(request: IngestRequest, new_id: str, now: float) -> Document:
    """A file that waits for its turn: nothing is known of it but where it lies."""
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
        policy_given_at=request.policy_given_at,
    )


def begun_record(base: Document, request: IngestRequest, now: float) -> Document:
    """Something is under way: a version that answers goes on answering, anything else is being read."""
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
        policy_given_at=request.policy_given_at,
    )


def next_version(base: Document) -> int:
    """The number that the next content of the document gets: none whose rows may still be in an index."""
    return max(base.version, base.begun_version) + 1


def kept_record(current: Document, request: IngestRequest) -> Document:
    """The same content, perhaps under another name, place or policy."""
    return replace(
        with_policy(current, request.policy),
        source_file_name=request.file_name,
        source_path=request.source_path,
        source_url=request.source_url,
        reason=None,
        policy_from_files=request.policy_from_files,
        policy_given_at=request.policy_given_at,
    )


_CLOSED = (
    "{}; it came with another policy, so the earlier version is closed"
    " until a readable file comes or `documents set-policy` says who may read it"
)


def refused_record(base: Document, request: IngestRequest, content_hash: str, size: int, reason: str) -> Document:
    """The file could not be read: an earlier version goes on answering only if the policy is still the same.

    The policy that came was meant for content that nobody has seen, and the earlier one is no longer wanted.
    There is no policy that admits exactly those whom both admit, so two that differ leave nobody.
    """
    if base.state is not DocumentState.INDEXED:
        refused = replace(with_policy(base, request.policy), state=DocumentState.REFUSED, reason=reason)
        return replace(
            refused,
            content_hash=content_hash,
            size_bytes=size,
            policy_from_files=request.policy_from_files,
            policy_given_at=request.policy_given_at,
        )
    return replace(base, reason=reason) if base.policy == request.policy else _closed(base, reason)


def followed(document: Document, policy: Policy) -> Document:
    """The record under the policy that stands for its file now, though nothing of it was read anew.

    Where its latest file could not be read, the policy was meant for other content than it has.
    """
    if document.state is not DocumentState.INDEXED or document.reason is None:
        return with_policy(document, policy)
    return document if document.policy in {policy, NOBODY} else _closed(document, document.reason)


def _closed(base: Document, reason: str) -> Document:
    return replace(with_policy(base, NOBODY), reason=_CLOSED.format(reason))


def indexed_record(
    base: Document, request: IngestRequest, parsed: ParsedDocument, title: str, version: int, size: int
) -> Document:
    """The version of this number, made of what the parser saw."""
    return replace(
        kept_record(base, request),
        collection=request.collection,
        source_file_type=file_type(request.file_name),
        title=title,
        version=version,
        state=DocumentState.INDEXED,
        pages=parsed.pages,
        pages_without_text=parsed.pages_without_text,
        size_bytes=size,
        language=request.language or parsed.language or UNDETERMINED,
    )


def tombstone(document: Document) -> Document:
    """What is remembered of a document that is being deleted: whom its last policy admitted.

    Of one that was being read a version may be under way.
    """
    under_way = document.version + 1 if document.state is DocumentState.PARSING else 0
    return replace(
        document,
        begun_version=max(document.begun_version, under_way),
        state=DocumentState.DELETING,
        title="",
        source_path=None,
        source_url=None,
        blob=None,
        content_hash="",
        reason=None,
        metadata=NONE,
        sketch=b"",
        deleted_from="",
        deleted_at=0.0,
        policy_version=document.policy_version + 1,
    )


def deleted(document: Document, now: float) -> Document:
    """As `tombstone`, where somebody deleted it whose file stays: late news of that file does not bring it back."""
    gone = tombstone(document)
    if document.source_path is None or document.parent is not None:
        return gone
    place = names_digest(document.collection, document.source_path, None)
    return replace(gone, deleted_from=place, deleted_at=now)


def with_policy(document: Document, policy: Policy) -> Document:
    """The record under `policy`; the policy's version counts real changes only."""
    if document.policy == policy:
        return document
    return replace(document, policy=policy, policy_version=document.policy_version + 1)


def timed(**seconds: float) -> Mapping[str, float]:
    """Seconds by step, as a record keeps them: to the tenth of a millisecond."""
    return {step: round(taken, 4) for step, taken in seconds.items()}
