"""Which record a file continues."""

from collections.abc import Callable

from groundwire.domain.documents import DEAD, Document
from groundwire.ports import Documents
from groundwire.services.ingest.request import IngestRequest


class Identity:
    """By chosen id, by path, or by content whose old path is gone."""

    def __init__(self, documents: Documents, path_exists: Callable[[str], bool]) -> None:
        self._documents = documents
        self._path_exists = path_exists

    def known(self, request: IngestRequest) -> Document | None:
        """The record of the chosen id, tombstones included, else that of the path."""
        if request.doc_id is not None:
            return self._documents.read(request.tenant, [request.doc_id]).get(request.doc_id)
        return self.at_path(request)

    def at_path(self, request: IngestRequest) -> Document | None:
        """The living document that came from where this file lies."""
        return self._documents.by_source_path(request.tenant, request.collection, request.source_path, request.parent)

    def was_deleted_since(self, request: IngestRequest) -> bool:
        """Whether somebody deleted the document of this file after it was put."""
        if request.decided_at is None or request.parent is not None:
            return False
        deleted_at = self._documents.deleted_at(request.tenant, request.collection, request.source_path)
        return deleted_at > 0 and deleted_at >= request.decided_at

    def renamed(self, request: IngestRequest, content_hash: str) -> Document | None:
        """A document with this content whose file is no longer where it was.

        An attachment is known by its mail alone: the same logo comes with many mails.
        """
        if request.doc_id is not None or request.parent is not None:
            return None
        same = self._documents.by_content(request.tenant, request.collection, content_hash)
        return next((each for each in same if self._has_lost_its_file(each)), None)

    def _has_lost_its_file(self, document: Document) -> bool:
        return (
            document.parent is None and document.source_path is not None and not self._path_exists(document.source_path)
        )


def is_new(document: Document | None) -> bool:
    """Whether nothing was ever indexed of it: so far it may turn out to be another one under a new name."""
    return document is None or (document.version == 0 and document.state not in DEAD)
