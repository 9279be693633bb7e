"""Transitions of a document's record: closed, deleted, under another policy."""

from dataclasses import replace

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.documents.metadata import NO_METADATA
from groundwire.domain.documents.record import Document, DocumentState, names_digest

_CLOSED = (
    "{}; it came with another policy, so the earlier version is closed"
    " until a readable file comes or `documents set-policy` says who may read it"
)


def with_file_policy(document: Document, policy: Policy) -> Document:
    """Return the record under its file's current policy, without reading the file again.

    If the latest file could not be read, the policy belongs to content other than the indexed version. A changed policy
    then closes the record.
    """
    if document.state is not DocumentState.INDEXED or document.reason is None:
        return with_policy(document, policy)
    return document if document.policy in {policy, NO_READERS} else closed_record(document, document.reason)


def closed_record(base: Document, reason: str) -> Document:
    """Return the record with no readers, and with the reason why its earlier version is closed."""
    return replace(with_policy(base, NO_READERS), reason=_CLOSED.format(reason))


def tombstone(document: Document) -> Document:
    """Return the tombstone of a document that is being deleted; it keeps the last policy.

    If the document was being parsed, the next version may already have been started.
    """
    version_in_progress = document.version + 1 if document.state is DocumentState.PARSING else 0
    return replace(
        document,
        started_version=max(document.started_version, version_in_progress),
        state=DocumentState.DELETING,
        title="",
        source_path=None,
        source_url=None,
        blob=None,
        content_hash="",
        reason=None,
        metadata=NO_METADATA,
        sketch=b"",
        deleted_source_digest="",
        deleted_at=0.0,
        policy_version=document.policy_version + 1,
    )


def deleted_record(document: Document, now: float) -> Document:
    """Return the tombstone after an explicit deletion.

    It records the deleted source, so that delayed events of that file do not restore the document.
    """
    record = tombstone(document)
    if document.source_path is None or document.parent is not None:
        return record
    source_digest = names_digest(document.collection, document.source_path, None)
    return replace(record, deleted_source_digest=source_digest, deleted_at=now)


def with_policy(document: Document, policy: Policy) -> Document:
    """Return the record under `policy`; the policy version counts real changes only."""
    if document.policy == policy:
        return document
    return replace(document, policy=policy, policy_version=document.policy_version + 1)
