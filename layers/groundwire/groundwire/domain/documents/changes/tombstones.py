"""Tombstones: what remains of a deleted document's record."""

from dataclasses import replace

from groundwire.domain.documents.changes.lifecycle import Transition, next_state
from groundwire.domain.documents.metadata import NO_METADATA
from groundwire.domain.documents.record import Document, DocumentState, Ingestion, names_digest


def tombstone(document: Document) -> Document:
    """Return the tombstone of a document that is being deleted; it keeps the last policy.

    If the document was being parsed, or waits for the parser, the next version may already have been started.
    """
    has_started = document.state in {DocumentState.PARSING, DocumentState.WAITING}
    version_in_progress = document.version + 1 if has_started else 0
    started_version = max(document.ingestion.started_version, version_in_progress)
    return replace(
        document,
        ingestion=Ingestion(next_state(Transition.DELETE, document.state), None, started_version),
        title="",
        source_path=None,
        source_url=None,
        blob=None,
        content_hash="",
        metadata=NO_METADATA,
        sketch=b"",
        deleted_source_digest="",
        deleted_at=0.0,
        policy_version=document.policy_version + 1,
    )


def deleted(document: Document, now: float) -> Document:
    """Return the tombstone after an explicit deletion.

    It records the deleted source, so that delayed events of that file do not restore the document.
    """
    record = tombstone(document)
    if document.source_path is None or document.parent is not None:
        return record
    source_digest = names_digest(document.collection, document.source_path, None)
    return replace(record, deleted_source_digest=source_digest, deleted_at=now)
