"""Tombstones: what remains of a deleted document's record.

A deletion by a person holds for the path of the file and for its content. Where a file vanished, the tombstone holds
nothing back; with a ceiling it recognises the file that returns, or that comes under another name.
"""

from dataclasses import replace

from groundwire.domain.access.decision import Decision
from groundwire.domain.documents.changes.lifecycle import Transition, next_state
from groundwire.domain.documents.deletion import NO_DELETION, Deletion
from groundwire.domain.documents.metadata import NO_METADATA
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, DocumentState, Ingestion, names_digest
from groundwire.domain.documents.source_file import Contributor


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
        deletion=NO_DELETION,
        policy_version=document.policy_version + 1,
    )


def deleted(document: Document, decision: Decision, content_mark: str, *, is_own: bool) -> Document:
    """Return the tombstone after a deletion by a person, which holds until it is restored.

    It records the path of the deleted file and a mark of its content, so that neither brings the document back.

    Args:
        document: the living document, or an attachment that is deleted with its mail.
        decision: who deleted it, when, and why.
        content_mark: keyed digest of its content; empty where it never had any.
        is_own: whether it holds back only what the contributor of the document brings in.
    """
    deletion = Deletion(_source_digest(document), content_mark, decision, is_own)
    return replace(tombstone(document), deletion=deletion)


def vanished(document: Document, content_mark: str) -> Document:
    """Return the tombstone of a document whose file was removed; it holds nothing back.

    A ceiling lasts: its tombstone keeps the path, so that a file that returns gets the same document and ceiling. It
    keeps the mark of the content as well, since a file that is moved may vanish before it appears at its new path.
    """
    record = tombstone(document)
    if document.ceiling is None:
        return record
    return replace(record, deletion=Deletion(_source_digest(document), content_mark))


def is_remembered_for_ceiling(document: Document) -> bool:
    """Return whether the record has the mark of a content that its ceiling concerned before.

    The file of a tombstone vanished or may return, and a living document has another content since.
    """
    return document.ceiling is not None and bool(document.deletion.content_mark) and not is_in_force(document)


def is_in_force(document: Document) -> bool:
    """Return whether the record is a tombstone whose deletion holds its file back."""
    return document.state in TOMBSTONE_STATES and document.deletion.deleted_at > 0


def holds_back(document: Document, contributor: Contributor) -> bool:
    """Return whether the record is a tombstone that holds back a file from this contributor.

    A key that may delete only what it contributed does not decide about the files of others, under whatever id.
    """
    if not is_in_force(document):
        return False
    return not document.deletion.is_own or contributor.is_same_person(document.contributor)


def restored(document: Document) -> Document:
    """Return the tombstone that no longer holds its file back; the document returns with the next ingestion."""
    # The path stays known, so that the file returns under the same id. With a ceiling the content does as well, since
    # the file may have another name by now.
    is_limited = document.ceiling is not None and document.parent is None
    mark = document.deletion.content_mark if is_limited else ""
    return _with_deletion(document, Deletion(document.deletion.source_digest, mark))


def without_content(document: Document) -> Document:
    """Return the tombstone that holds its path back, but no longer its content at other paths."""
    return _with_deletion(document, replace(document.deletion, content_mark=""))


def forgotten(document: Document) -> Document:
    """Return the tombstone without anything by which its file could be recognised."""
    return replace(_with_deletion(document, NO_DELETION), source_file_name="")


def _source_digest(document: Document) -> str:
    """Return the digest of collection and path; empty for an attachment, which has no path of its own."""
    if document.source_path is None or document.parent is not None:
        return ""
    return names_digest(document.collection, document.source_path, None)


def _with_deletion(document: Document, deletion: Deletion) -> Document:
    # A changed version token: a concurrent reconciliation must not write the former deletion again.
    return replace(document, deletion=deletion, policy_version=document.policy_version + 1)
