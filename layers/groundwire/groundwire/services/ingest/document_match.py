"""Match of a file with the record of its document."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from groundwire.domain.documents.changes.ceiling import is_decided_by_person
from groundwire.domain.documents.changes.tombstones import holds_back
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document
from groundwire.domain.documents.source_file import Contributor
from groundwire.domain.errors import DocumentRefused
from groundwire.ports import Documents, SourceRecords
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.ingest.source_objects.source_paths import is_uploaded_by_ticket

CHANGED_SINCE_TICKET: Final = (
    "the document was changed after the ticket for this file was created: create another ticket"
)
_ALREADY_INGESTED: Final = "the document {} already has this content: leave the id out, or delete that document first"
"""Refusal: two documents of one file would both be found, and only one of them would follow the file's policy."""


@dataclass(frozen=True, slots=True)
class FileMatch:
    """Records that one look-up finds for a file.

    Attributes:
        current: the document of the chosen id, tombstones included, else the living or restored one of the path.
        other: the living document of the path, where the chosen id is another one.
        deletions: tombstones of the path or the chosen id whose deletion by a person holds the file back.
    """

    current: Document | None
    other: Document | None
    deletions: tuple[Document, ...] = ()

    @property
    def is_living(self) -> bool:
        """Return whether there is a document that is no tombstone."""
        return self.current is not None and self.current.state not in TOMBSTONE_STATES

    @property
    def is_unknown(self) -> bool:
        """Return whether the file has no record, and had none that a person deleted."""
        return self.current is None and self.other is None and not self.deletions

    @property
    def deletion(self) -> Document | None:
        """Tombstone whose deletion holds the file back; None where a version lives, or nobody deleted the document."""
        if self.is_living and self.current is not None and self.current.version > 0:
            return None
        if self.other is not None:
            # A file with another document may not take the id of a deleted one.
            return self.current if self.current in self.deletions else None
        return next(iter(self.deletions), None)

    def check(self, request: IngestRequest) -> None:
        """Check that the file may replace the document.

        Raises:
            DocumentRefused: the document belongs to another file.
        """
        if self.current is not None and _was_changed_by_others(request, self.current):
            raise DocumentRefused(CHANGED_SINCE_TICKET)
        if self.current is None and self.other is not None:
            raise DocumentRefused(_ALREADY_INGESTED.format(self.other.doc_id))


def _was_changed_by_others(request: IngestRequest, current: Document) -> bool:
    if request.unchanged_since is None or current.source_path == request.source_path:
        return False
    return current.updated_at >= request.unchanged_since


def match_of_path(source: SourceRecords, contributor: Contributor) -> FileMatch:
    """Return the match of a file without a chosen id."""
    in_force = tuple(each for each in source.deletions if holds_back(each, contributor))
    # A restored document returns under its own id, so that its citations count again.
    returning = source.deletions[0] if source.deletions and not in_force else None
    return FileMatch(source.living or returning, None, in_force)


class DocumentMatcher:
    """Finder of a file's record: by chosen id, by path, or, for a renamed file, by content."""

    def __init__(self, documents: Documents, path_exists: Callable[[str], bool]) -> None:
        self._documents = documents
        self._path_exists = path_exists

    def find(self, request: IngestRequest) -> FileMatch:
        """Look up the file's records."""
        source = self._documents.from_source(request.tenant, request.collection, request.source_path, request.parent)
        if request.doc_id is None:
            return match_of_path(source, request.contributor)
        chosen = self._documents.read(request.tenant, [request.doc_id]).get(request.doc_id)
        found = [each for each in (chosen, *source.deletions) if each is not None]
        deletions = [each for each in found if holds_back(each, request.contributor)]
        return FileMatch(chosen, source.living, tuple(deletions))

    def find_renamed(self, request: IngestRequest, content_hash: str) -> Document | None:
        """Return the oldest document with this content whose source file no longer exists."""
        return next(self.all_renamed(request, content_hash), None)

    def all_renamed(self, request: IngestRequest, content_hash: str) -> Iterator[Document]:
        """Yield the documents with this content whose source file no longer exists: the file may be that of any.

        Attachments are matched by their mail alone: many mails may have the same logo.
        """
        if request.doc_id is not None or request.parent is not None:
            return
        same = self._documents.by_content(request.tenant, request.collection, content_hash)
        yield from (each for each in same if self._is_source_missing(each))

    def _is_source_missing(self, document: Document) -> bool:
        path = document.source_path
        # The file of an upload with a ticket is temporary, and never missing.
        if document.parent is not None or path is None or is_uploaded_by_ticket(path):
            return False
        return not self._path_exists(path)


def was_never_indexed(document: Document | None) -> bool:
    """Return whether no version was ever indexed."""
    return document is None or (document.version == 0 and document.state not in TOMBSTONE_STATES)


def has_content(document: Document | None, content_hash: str) -> bool:
    """Return whether a version of the document has this content already."""
    return document is not None and document.version > 0 and document.content_hash == content_hash


def may_be_renamed(document: Document | None) -> bool:
    """Return whether the file with this record may continue the document of a file with another name.

    A record on which a person decided stays with its path.
    """
    return document is None or (was_never_indexed(document) and not is_decided_by_person(document))
