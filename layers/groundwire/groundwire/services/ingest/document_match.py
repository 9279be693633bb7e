"""Match of a file with the record of its document."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from groundwire.domain.documents.record import TOMBSTONE_STATES, Document
from groundwire.domain.errors import DocumentRefused
from groundwire.ports import Documents
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.ingest.source_objects.source_paths import is_uploaded_by_ticket

CHANGED_SINCE_TICKET: Final = "the document was changed since the ticket for this file was made: ask for another one"


def effective_request(request: IngestRequest, current: Document | None) -> IngestRequest:
    """Return the request as it applies to the record `current`: a later manual override of the policy takes precedence.

    Raises:
        DocumentRefused: the file may not replace the current document.
    """
    if current is None:
        return request
    if _was_changed_by_others(request, current):
        raise DocumentRefused(CHANGED_SINCE_TICKET)
    if not _was_policy_overridden_since(request.decided_at, current):
        return request
    return replace(
        request, policy=current.policy, policy_from_files=False, policy_overridden_at=current.policy_overridden_at
    )


def _was_policy_overridden_since(decided_at: float | None, current: Document) -> bool:
    return decided_at is not None and current.policy_overridden_at > 0 and current.policy_overridden_at >= decided_at


def _was_changed_by_others(request: IngestRequest, current: Document) -> bool:
    if request.unchanged_since is None or current.source_path == request.source_path:
        return False
    return current.updated_at >= request.unchanged_since


class DocumentMatcher:
    """Finder of a file's record: by chosen id, by path, or, for a renamed file, by content."""

    def __init__(self, documents: Documents, path_exists: Callable[[str], bool]) -> None:
        self._documents = documents
        self._path_exists = path_exists

    def find(self, request: IngestRequest) -> Document | None:
        """Return the record of the chosen id, tombstones included, else that of the path."""
        if request.doc_id is not None:
            return self._documents.read(request.tenant, [request.doc_id]).get(request.doc_id)
        return self.find_by_path(request)

    def find_by_path(self, request: IngestRequest) -> Document | None:
        """Return the living document that was ingested from this path."""
        return self._documents.by_source_path(request.tenant, request.collection, request.source_path, request.parent)

    def was_deleted_since(self, request: IngestRequest) -> bool:
        """Return whether the file's document was deleted explicitly after the file was put."""
        if request.decided_at is None or request.parent is not None:
            return False
        deleted_at = self._documents.last_deletion_at(request.tenant, request.collection, request.source_path)
        return deleted_at > 0 and deleted_at >= request.decided_at

    def find_renamed(self, request: IngestRequest, content_hash: str) -> Document | None:
        """Return a document with this content whose source file no longer exists.

        Attachments are matched by their mail alone: many mails may have the same logo.
        """
        if request.doc_id is not None or request.parent is not None:
            return None
        same = self._documents.by_content(request.tenant, request.collection, content_hash)
        return next((each for each in same if self._is_source_missing(each)), None)

    def _is_source_missing(self, document: Document) -> bool:
        path = document.source_path
        # The file of an upload with a ticket is temporary, and never missing.
        if document.parent is not None or path is None or is_uploaded_by_ticket(path):
            return False
        return not self._path_exists(path)


def was_never_indexed(document: Document | None) -> bool:
    """Return whether no version was ever indexed; such a record may turn out to be a renamed document."""
    return document is None or (document.version == 0 and document.state not in TOMBSTONE_STATES)
