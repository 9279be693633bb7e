"""Holds: decisions of persons because of which a file is not ingested."""

from collections.abc import Callable
from dataclasses import dataclass

from groundwire.domain.access.decision import Decision
from groundwire.domain.documents.changes.tombstones import is_in_force
from groundwire.domain.documents.deletion import HOLD_REASONS, HoldCause
from groundwire.domain.documents.record import Document
from groundwire.ports import Documents
from groundwire.services.ingest.deletions.memory import DeletedCollection, DeletionMemory
from groundwire.services.ingest.document_match import FileMatch, FindMark
from groundwire.services.ingest.request import IngestRequest

FindRenamed = Callable[[IngestRequest, str], Document | None]


@dataclass(frozen=True, slots=True)
class Hold:
    """Deletion that holds a file back.

    Attributes:
        doc_id: the deleted document, for those who manage it; None for a collection.
    """

    cause: HoldCause
    doc_id: str | None
    decision: Decision

    @property
    def reason(self) -> str:
        """Reason of the hold, in words for whoever ingests the file."""
        return HOLD_REASONS[self.cause]


class Holds:
    """Finder of the deletion that holds a file back, for a file that does not ask to be restored since.

    Args:
        find_renamed: returns the document of this content whose file has another name now.
    """

    def __init__(self, documents: Documents, memory: DeletionMemory, find_renamed: FindRenamed) -> None:
        self._documents = documents
        self._memory = memory
        self._find_renamed = find_renamed

    def find(self, request: IngestRequest, match: FileMatch, content_hash: str) -> Hold | None:
        """Return the deletion that holds the file back; `content_hash` is empty before the file is read."""
        # The whole collection first, since a run into it shows one cause for all its files.
        deleted = self._memory.deleted_collection(request.tenant, request.collection)
        of_whole = _of_collection(request, deleted) or _of_document(match)
        return of_whole or self._of_content(request, match, content_hash, self._memory.find_mark)

    def foresee(self, request: IngestRequest, match: FileMatch, content_hash: str) -> Hold | None:
        """Return the deletion that will probably hold the file back, by what this process has read before.

        It saves the parsing. Before anything of the file is stored, `find` decides by what holds then.
        """
        deleted = self._memory.last_read_deletion(request.tenant, request.collection)
        of_whole = _of_collection(request, deleted) or _of_document(match)
        return of_whole or self._of_content(request, match, content_hash, self._memory.known_mark)

    def _of_content(
        self, request: IngestRequest, match: FileMatch, content_hash: str, find_mark: FindMark
    ) -> Hold | None:
        if not content_hash or _has_content(match.current, content_hash):
            return None
        mark = find_mark(request.tenant, request.collection, content_hash)
        deletions = () if mark is None else self._documents.marked_with_content(request.tenant, mark)
        held = (each for each in deletions if not request.restores_content_after(each.deletion.deleted_at))
        hold = next((_hold(HoldCause.CONTENT, each) for each in held if is_in_force(each)), None)
        if hold is None:
            return None
        # A copy that nobody deleted keeps its document under a new name, too.
        renamed = self._find_renamed(request, content_hash)
        return None if renamed is not None and renamed.version > 0 else hold


def _of_collection(request: IngestRequest, deleted: DeletedCollection | None) -> Hold | None:
    if deleted is None or request.restores_after(deleted.decision.decided_at):
        return None
    return Hold(HoldCause.COLLECTION, None, deleted.decision)


def _of_document(match: FileMatch) -> Hold | None:
    return None if match.deletion is None else _hold(HoldCause.DOCUMENT, match.deletion)


def _has_content(current: Document | None, content_hash: str) -> bool:
    """Return whether the document has this content already: its deletion at another path concerns another document."""
    return current is not None and current.version > 0 and current.content_hash == content_hash


def _hold(cause: HoldCause, document: Document) -> Hold:
    return Hold(cause, document.doc_id, document.deletion.decision)
