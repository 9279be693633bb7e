"""Plan of a run: what ingestion would do with a file, by the steps of the run itself, without writing anything."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from groundwire.domain.access.policy import NO_READERS, Readers, single_policy
from groundwire.domain.access.policy_source import Ceiling
from groundwire.domain.documents.changes.ceiling import limited_as
from groundwire.domain.documents.changes.lifecycle import kept
from groundwire.domain.documents.deletion import HoldCause
from groundwire.domain.documents.record import TOMBSTONE_STATES, Document, DocumentState, Refusal, RefusalCause
from groundwire.domain.errors import DocumentRefused
from groundwire.domain.limits import MAX_NESTED_MAILS
from groundwire.services.ingest.deletions.holds import Hold, Holds, RememberedDeletions
from groundwire.services.ingest.document_match import (
    NOTHING_THE_SAME,
    DocumentMatcher,
    FileMatch,
    SameContent,
    has_content,
    may_be_renamed,
    was_never_indexed,
)
from groundwire.services.ingest.draft import DraftReader, IngestDraft, to_refusal
from groundwire.services.ingest.request import IngestRequest, IngestStatus, unchanged_content_status
from groundwire.services.ingest.source_objects.display_names import display_name


class PlannedAction(StrEnum):
    """Kinds of steps of a run for a file.

    `NEW`: it becomes a document. `CHANGED`: its document gets another version. `REPOLICIED`: its document gets other
    readers. `UPDATED`: its document gets another name, path or URL. `HELD_BACK`: a person deleted it earlier.
    """

    NEW = "new"
    CHANGED = "changed"
    REPOLICIED = "repolicied"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    HELD_BACK = "held_back"
    REFUSED = "refused"


_ACTIONS: Final = {
    IngestStatus.UNCHANGED: PlannedAction.UNCHANGED,
    IngestStatus.POLICY_CHANGED: PlannedAction.REPOLICIED,
    IngestStatus.UPDATED: PlannedAction.UPDATED,
}
READ_ACTIONS: Final = frozenset({PlannedAction.NEW, PlannedAction.CHANGED})
"""Actions whose file is parsed: whether it can be read, its passages and its attachments are known afterwards."""


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """Step of a run for one file, which has not been taken.

    Attributes:
        current: document that the file continues; None without a living one.
        after: readers of the document after the run; None where it has no version that can be read.
        size: bytes of the file; None where it cannot be opened.
        reason: why it is refused or held back.
        is_parsed: whether the file was parsed for the plan.
        attachments: number of its attachments, known where it was parsed.
    """

    request: IngestRequest
    action: PlannedAction
    current: Document | None
    after: Readers | None
    size: int | None
    reason: str | None = None
    is_parsed: bool = False
    attachments: int = 0

    @property
    def before(self) -> Readers | None:
        """Readers before the run; None where no version could be read."""
        current = self.current
        if current is None or current.state is not DocumentState.INDEXED:
            return None
        return current.readers


class RunPlanner:
    """Planner of single files.

    Args:
        matcher: finds the document of a file.
        draft_reader: reads files; its parser may check names and sizes alone.
        holds: finds the deletions that hold a file back.
        parses: whether the parser of `draft_reader` reads the content.
    """

    def __init__(self, matcher: DocumentMatcher, draft_reader: DraftReader, holds: Holds, *, parses: bool) -> None:
        self._matcher = matcher
        self._draft_reader = draft_reader
        self._holds = holds
        self._parses = parses

    def __call__(self, request: IngestRequest) -> PlannedFile:
        """Return what a run would do with the file now."""
        match = self._matcher.find(request)
        if request.restores:
            # The run ends these deletions before it reads the file.
            match = replace(match, deletions=())
        try:
            match.check(request)
        except DocumentRefused as refusal:
            return _refused(request, _living(match.current), None, to_refusal(refusal))
        draft = self._draft_reader(request, match)
        size = None if draft.content is None else len(draft.content)
        remembered = self._holds.recall(request, match, draft.content_hash)
        same = self._same_content(draft, match, remembered)
        # A tombstone is what a returning file continues: its ceiling counts, and its version no longer does.
        record = same.renamed if same.renamed is not None and may_be_renamed(match.current) else match.current
        current = _living(record)
        hold = self._holds.find(request, match, draft.content_hash, remembered)
        if hold is not None:
            return _held_back(request, current, size, hold)
        if current is not None and draft.matches(current):
            return self._with_kept_content(request, current, size)
        refusal = draft.refusal or self._earlier_refusal(draft, current)
        if refusal is not None:
            return _refused(request, current, size, refusal)
        action = PlannedAction.NEW if was_never_indexed(current) else PlannedAction.CHANGED
        if self._parses:
            self._read_attachments(draft)
        attachments = 0 if draft.parsed is None else len(draft.parsed.attachments)
        policy = request.policy_for(record)
        limit = _ceiling(match.current, same) or policy.ceiling
        is_same_content = record is not None and record.content_hash == draft.content_hash
        limit = request.contributor.lasting_ceiling(limit, is_same_content=is_same_content)
        after = replace(policy, ceiling=limit).readers
        return PlannedFile(request, action, current, after, size, None, self._parses, attachments)

    def _read_attachments(self, draft: IngestDraft) -> None:
        """Parse the attachments as the run does after their mail: a parser that keeps readings has theirs as well."""
        if draft.parsed is None or draft.request.nesting_depth >= MAX_NESTED_MAILS:
            return
        for each in draft.parsed.attachments:
            name, depth = display_name(each.name, None), draft.request.nesting_depth + 1
            request = replace(draft.request, file_name=name, nesting_depth=depth)
            self._read_attachments(self._draft_reader.parse(IngestDraft(request, each.content, "", draft.recipe)))

    def _same_content(self, draft: IngestDraft, match: FileMatch, remembered: RememberedDeletions) -> SameContent:
        if not draft.content_hash or has_content(match.current, draft.content_hash):
            return NOTHING_THE_SAME
        return self._matcher.find_same(draft.request, draft.content_hash, remembered.marked)

    def _with_kept_content(self, request: IngestRequest, current: Document, size: int | None) -> PlannedFile:
        file = request.source_file(current)
        record = kept(current, file)
        action = PlannedAction.UNCHANGED if record == current else _ACTIONS[unchanged_content_status(current, record)]
        return PlannedFile(request, action, current, record.readers, size)

    def _earlier_refusal(self, draft: IngestDraft, current: Document | None) -> Refusal | None:
        """Return why an earlier run refused this very content; the next run reads it again, most likely with the same
        result.
        """
        if self._parses or current is None or current.state is not DocumentState.REFUSED:
            return None
        earlier = current.ingestion.refusal
        is_same = bool(draft.content_hash) and current.content_hash == draft.content_hash
        if earlier is None or not is_same or earlier.cause is not RefusalCause.CONTENT:
            return None
        return Refusal(earlier.cause, f"{earlier.reason} (result of an earlier run)")


def _ceiling(current: Document | None, same: SameContent) -> Ceiling | None:
    """Return the ceiling that comes with the content; None where that of the continued record decides."""
    if may_be_renamed(current):
        return same.ceiling
    # The path has a document of its own, which gets the content of a file that was moved onto it.
    moved = _living(same.renamed)
    return None if current is None or moved is None else limited_as(current, [moved]).ceiling


def _living(document: Document | None) -> Document | None:
    return None if document is None or document.state in TOMBSTONE_STATES else document


def _held_back(request: IngestRequest, current: Document | None, size: int | None, hold: Hold) -> PlannedFile:
    """Return the plan of a file that a person deleted: the readers of an earlier version may be removed."""
    refused = _refused(request, current, size, Refusal(RefusalCause.CONTENT, hold.reason))
    after = refused.before if hold.cause is HoldCause.COLLECTION else refused.after
    return replace(refused, action=PlannedAction.HELD_BACK, after=after)


def _refused(request: IngestRequest, current: Document | None, size: int | None, refusal: Refusal) -> PlannedFile:
    """Return the plan of a file that cannot be read: an earlier version keeps its readers, or is closed to all."""
    after = None
    if current is not None and current.state is DocumentState.INDEXED:
        is_same = request.policy_for(current).policy == current.policy
        after = current.readers if is_same else single_policy(NO_READERS)
    return PlannedFile(request, PlannedAction.REFUSED, current, after, size, refusal.reason)
