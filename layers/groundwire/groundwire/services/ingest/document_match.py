"""Match of a file with the record of its document."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.access.policy_source import Ceiling
from groundwire.domain.documents.changes.ceiling import is_decided_by_person
from groundwire.domain.documents.changes.tombstones import holds_back, is_in_force, is_remembered_for_ceiling
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document
from groundwire.domain.documents.source_file import Contributor, other_unicode_forms
from groundwire.domain.errors import DocumentRefused
from groundwire.ports import Clock, Documents, SourceRecords
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.ingest.source_objects.source_paths import is_uploaded_by_ticket

CHANGED_SINCE_TICKET: Final = (
    "the document was changed after the ticket for this file was created: create another ticket"
)
MOVE_SECONDS: Final = 30 * 86_400.0
"""Time in which content that left the path of a document with a ceiling gets that ceiling at another path."""
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


@dataclass(frozen=True, slots=True)
class SameContent:
    """Result of the search for documents with the content of a file that has none yet.

    Attributes:
        renamed: the document that the file continues under its new name, or the tombstone of one with a ceiling; None:
            the file is a document of its own.
        ceiling: the ceiling, of other documents that have or had this content, that was decided last; None: they have
            none.
    """

    renamed: Document | None
    ceiling: Ceiling | None


NOTHING_THE_SAME: Final = SameContent(None, None)


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
    """Finder of a file's record: by chosen id, by path, or, for a renamed file, by content.

    Args:
        path_exists: returns whether the source path still exists.
        clock: epoch seconds.
    """

    def __init__(self, documents: Documents, path_exists: Callable[[str], bool], clock: Clock) -> None:
        self._documents = documents
        self._path_exists = path_exists
        self._clock = clock

    def find(self, request: IngestRequest) -> FileMatch:
        """Look up the file's records."""
        source = self._records_of_path(request)
        if request.doc_id is None:
            return match_of_path(source, request.contributor)
        chosen = self._documents.read(request.tenant, [request.doc_id]).get(request.doc_id)
        found = [each for each in (chosen, *source.deletions) if each is not None]
        deletions = [each for each in found if holds_back(each, request.contributor)]
        return FileMatch(chosen, source.living, tuple(deletions))

    def find_same(self, request: IngestRequest, content_hash: str, marked: Sequence[Document]) -> SameContent:
        """Return what documents with this content say about a file without a version of its own.

        Attachments are matched by their mail alone: many mails may have the same logo.

        Args:
            request: the file.
            content_hash: digest of its content.
            marked: records that carry the mark of this content.
        """
        if request.doc_id is not None or request.parent is not None:
            return NOTHING_THE_SAME
        living = self._documents.by_content(request.tenant, request.collection, content_hash)
        if (renamed := self._renamed(living)) is not None:
            return SameContent(renamed, None)
        former = self._with_former_content(marked, request.contributor)
        vanished = [each for each in former if each.state in TOMBSTONE_STATES]
        if vanished:
            return SameContent(max(vanished, key=lambda each: each.updated_at), None)
        # Where a file cannot be moved at once, it is copied and then removed: so a copy gets no more readers. Nor does
        # content that a person deleted get more, when a run restores it at another path.
        deleted = [each for each in marked if is_in_force(each)]
        known = (*living, *former, *deleted)
        limited = [each.ceiling for each in known if each.parent is None and each.ceiling is not None]
        ceilings = list(filter(request.contributor.is_concerned_by, limited))
        return SameContent(None, max(ceilings, key=lambda each: each.decision.decided_at, default=None))

    def find_renamed(self, request: IngestRequest, content_hash: str) -> Document | None:
        """Return a living document with this content whose source file no longer exists."""
        if request.doc_id is not None or request.parent is not None:
            return None
        return self._renamed(self._documents.by_content(request.tenant, request.collection, content_hash))

    def _records_of_path(self, request: IngestRequest) -> SourceRecords:
        """Return the records of the path, or of its other Unicode forms where this one has none.

        A document whose path still exists in the other form is the one of another file.
        """
        source = self._documents.from_source(request.tenant, request.collection, request.source_path, request.parent)
        if source.living is not None or source.deletions or request.parent is not None:
            return source
        forms = other_unicode_forms(request.source_path)
        others = [self._documents.from_source(request.tenant, request.collection, form) for form in forms]
        living = [each.living for each in others if each.living is not None]
        deletions = [deletion for each in others for deletion in each.deletions]
        deletions.sort(key=lambda each: -each.deletion.deleted_at)
        return SourceRecords(self._renamed(living), tuple(deletions))

    def _renamed(self, same: Sequence[Document]) -> Document | None:
        return next((each for each in same if self._is_source_missing(each)), None)

    def _with_former_content(self, marked: Sequence[Document], contributor: Contributor) -> list[Document]:
        """Return the records with a ceiling for this contributor that had the content not long ago."""
        earliest = self._clock() - MOVE_SECONDS
        found = [each for each in marked if is_remembered_for_ceiling(each) and each.updated_at >= earliest]
        return [each for each in found if each.ceiling is not None and contributor.is_concerned_by(each.ceiling)]

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
