"""Which record a file continues."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from groundwire.domain.documents.record import TOMBSTONE_STATES, Document
from groundwire.domain.errors import DocumentRefused
from groundwire.ports import Documents
from groundwire.services.ingest.request import IngestRequest

CHANGED_SINCE_TICKET: Final = "the document was changed since the ticket for this file was made: ask for another one"


def effective_request(request: IngestRequest, current: Document | None) -> IngestRequest:
    """What is asked for where the record is `current`.

    Raises:
        DocumentRefused: the file may not take the place of what is there now.
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
    """By chosen id, by path, or by content whose old path is gone."""

    def __init__(self, documents: Documents, path_exists: Callable[[str], bool]) -> None:
        self._documents = documents
        self._path_exists = path_exists

    def find(self, request: IngestRequest) -> Document | None:
        """The record of the chosen id, tombstones included, else that of the path."""
        if request.doc_id is not None:
            return self._documents.read(request.tenant, [request.doc_id]).get(request.doc_id)
        return self.find_by_path(request)

    def find_by_path(self, request: IngestRequest) -> Document | None:
        """The living document that came from where this file lies."""
        return self._documents.by_source_path(request.tenant, request.collection, request.source_path, request.parent)

    def was_deleted_since(self, request: IngestRequest) -> bool:
        """Whether somebody deleted the document of this file after it was put."""
        if request.decided_at is None or request.parent is not None:
            return False
        deleted_at = self._documents.last_deletion_at(request.tenant, request.collection, request.source_path)
        return deleted_at > 0 and deleted_at >= request.decided_at

    def find_renamed(self, request: IngestRequest, content_hash: str) -> Document | None:
        """A document with this content whose file is no longer where it was.

        An attachment is known by its mail alone: the same logo comes with many mails.
        """
        if request.doc_id is not None or request.parent is not None:
            return None
        same = self._documents.by_content(request.tenant, request.collection, content_hash)
        return next((each for each in same if self._is_source_missing(each)), None)

    def _is_source_missing(self, document: Document) -> bool:
        return (
            document.parent is None and document.source_path is not None and not self._path_exists(document.source_path)
        )


def was_never_indexed(document: Document | None) -> bool:
    """Whether nothing was ever indexed of it: so far it may turn out to be another one under a new name."""
    return document is None or (document.version == 0 and document.state not in TOMBSTONE_STATES)
