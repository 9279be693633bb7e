"""Holds: decisions of persons because of which a file is not ingested."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from groundwire.domain.access.decision import Decision
from groundwire.domain.documents.changes.tombstones import is_in_force
from groundwire.domain.documents.deletion import HOLD_REASONS, HoldCause
from groundwire.domain.documents.record import Document
from groundwire.ports import Documents
from groundwire.services.ingest.deletions.memory import CollectionMemory, DeletedCollection, DeletionMemory
from groundwire.services.ingest.document_match import FileMatch, has_content
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


@dataclass(frozen=True, slots=True)
class RememberedDeletions:
    """Deletions that are remembered about a file at one moment.

    Attributes:
        of_collection: deletion of its collection; None without one.
        marked: records that had its content, unless the file's own document has it.
    """

    of_collection: DeletedCollection | None
    marked: Sequence[Document]


class Holds:
    """Finder of the deletion that holds a file back, for a file that does not ask to be restored since.

    Args:
        find_renamed: returns the document of this content whose file has another name now.
    """

    def __init__(self, documents: Documents, memory: DeletionMemory, find_renamed: FindRenamed) -> None:
        self._documents = documents
        self._memory = memory
        self._find_renamed = find_renamed

    def recall(self, request: IngestRequest, match: FileMatch, content_hash: str) -> RememberedDeletions:
        """Read what is remembered about the file; `content_hash` is empty before the file is read."""
        return self._remembered(request, match, content_hash, self._memory.read(request.tenant, request.collection))

    def find(
        self, request: IngestRequest, match: FileMatch, content_hash: str, remembered: RememberedDeletions
    ) -> Hold | None:
        """Return the deletion that holds the file back; `content_hash` is empty before the file is read."""
        # The whole collection first, since a run into it shows one cause for all its files.
        of_whole = _of_collection(request, remembered.of_collection) or _of_document(match)
        return of_whole or self._of_content(request, match, content_hash, remembered)

    def foresee(self, request: IngestRequest, match: FileMatch, content_hash: str) -> Hold | None:
        """Return the deletion that will probably hold the file back, by what this process has read before.

        It saves the parsing. Before a version of the file is stored, `find` decides by what holds then.
        """
        known = self._memory.last_read(request.tenant, request.collection)
        return self.find(request, match, content_hash, self._remembered(request, match, content_hash, known))

    def _remembered(
        self, request: IngestRequest, match: FileMatch, content_hash: str, memory: CollectionMemory
    ) -> RememberedDeletions:
        mark = None if has_content(match.current, content_hash) else memory.mark(content_hash)
        marked = () if mark is None else self._documents.marked_with_content(request.tenant, mark)
        return RememberedDeletions(memory.former.deletion, marked)

    def _of_content(
        self, request: IngestRequest, match: FileMatch, content_hash: str, remembered: RememberedDeletions
    ) -> Hold | None:
        if has_content(match.current, content_hash):
            return None
        held = (each for each in remembered.marked if not request.restores_content_after(each.deletion.deleted_at))
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


def _hold(cause: HoldCause, document: Document) -> Hold:
    return Hold(cause, document.doc_id, document.deletion.decision)
