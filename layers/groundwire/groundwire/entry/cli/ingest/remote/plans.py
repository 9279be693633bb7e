"""`groundwire --url URL ingest --dry-run`: what would be sent, and what the service would give it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.domain.access.policy import Readers
from groundwire.domain.documents.deletion import HOLD_REASONS, HoldCause
from groundwire.domain.errors import DocumentRefused, Forbidden, InvalidInput
from groundwire.entry.cli.console import print_json, print_line, print_rows
from groundwire.entry.cli.ingest.readers import (
    ReaderChange,
    changes_line,
    copies_notice,
    count_readers,
    gainers,
    losers,
    reader_notices,
    readers_line,
)
from groundwire.entry.cli.ingest.remote.prepared import PreparedFile
from groundwire.entry.cli.ingest.remote.run import RemoteIngestRun
from groundwire.entry.cli.ingest.report import NOT_LISTED, PLAN_NOTICE, reader_members
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.ingest.runs.plan import READ_ACTIONS, PlannedAction
from groundwire.services.ingest.source_objects.file_types import is_readable_type


@dataclass(frozen=True, slots=True)
class RemotePlannedFile:
    """Plan of one file; `after` is None where it is refused."""

    request: IngestRequest
    action: PlannedAction
    doc_id: str | None = None
    size: int | None = None
    before: Readers | None = None
    after: Readers | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class RemotePlan:
    """Plan of a run that sends files to a service.

    Attributes:
        files: plans of the files.
        copies: ids of documents from another source that have the content of a new file, by its path.
    """

    files: Sequence[RemotePlannedFile]
    copies: Mapping[str, str]

    @property
    def counts(self) -> dict[str, int]:
        """Number of files by action."""
        counts = Counter(each.action for each in self.files)
        return {action.value: counts[action] for action in PlannedAction if counts[action]}

    @property
    def changes(self) -> list[ReaderChange]:
        """Readers of the documents before and after the run."""
        known = [each for each in self.files if each.after is not None]
        return [ReaderChange(each.request.file_name, each.before, each.after) for each in known]

    @property
    def unknown(self) -> int:
        """The number of files of which only a reading shows whether they can be read."""
        return sum(each.action in READ_ACTIONS for each in self.files)


def planned_files(
    run: RemoteIngestRun, requests: Sequence[IngestRequest], roots: Sequence[Path], deleted: Collection[str]
) -> list[RemotePlannedFile]:
    """Return the plans of the files; their documents are read from the service, and nothing is sent.

    Args:
        run: the run that would send them.
        requests: the files.
        roots: the folders that were named.
        deleted: ids of the documents that a person deleted, as far as the key may know.

    Raises:
        DomainError: an error that concerns the service rather than one file.
    """
    return [_planned(run, request, roots, deleted) for request in requests]


def print_remote_plan(plan: RemotePlan, *, as_json: bool) -> int:
    """Print the plan; return the command's exit code, 1 if a file would be refused."""
    if as_json:
        print_json(_plan_to_json(plan))
    else:
        _print_plan(plan)
    return 1 if any(each.action is PlannedAction.REFUSED for each in plan.files) else 0


def _print_plan(plan: RemotePlan) -> None:
    changes = plan.changes
    print_line(PLAN_NOTICE)
    print_line(", ".join(f"{number:,} {action}" for action, number in plan.counts.items()) or "No files were found.")
    if changes:
        print_line(readers_line(each.after for each in changes if each.after is not None))
        print_line(changes_line(changes))
    for line in [*reader_notices(changes), *copies_notice(plan.copies)]:
        print_line(line)
    if plan.unknown:
        print_line(f"Known after reading: whether the service can read the {plan.unknown:,} new and changed files.")
    _print_files(plan.files)


def _plan_to_json(plan: RemotePlan) -> dict[str, object]:
    changes = plan.changes
    return {
        "dry_run": True,
        "counts": plan.counts,
        "readers": count_readers(each.after for each in changes if each.after is not None),
        "readers_gained": sorted(gainers(changes)),
        "readers_lost": sorted(losers(changes)),
        "files": [_to_json(each, plan.copies.get(each.request.source_path)) for each in plan.files],
        "known_after_reading": plan.unknown,
    }


def _planned(
    run: RemoteIngestRun, request: IngestRequest, roots: Sequence[Path], deleted: Collection[str]
) -> RemotePlannedFile:
    try:
        file = run.prepare(request, roots)
    except (DocumentRefused, Forbidden, InvalidInput) as error:
        return RemotePlannedFile(request, PlannedAction.REFUSED, reason=str(error))
    action, reason = _action(file), None
    if action in READ_ACTIONS:
        reason = _refusal(file)
    if reason is not None:
        return RemotePlannedFile(request, PlannedAction.REFUSED, file.doc_id, len(file.content), reason=reason)
    if file.doc_id in deleted and not request.restores:
        action, reason = PlannedAction.HELD_BACK, HOLD_REASONS[HoldCause.DOCUMENT]
        return RemotePlannedFile(request, action, file.doc_id, len(file.content), reason=reason)
    return RemotePlannedFile(request, action, file.doc_id, len(file.content), file.before, file.after)


def _action(file: PreparedFile) -> PlannedAction:
    if file.is_unchanged:
        return PlannedAction.UNCHANGED if file.has_same_policy else PlannedAction.REPOLICIED
    return PlannedAction.NEW if file.before is None else PlannedAction.CHANGED


def _refusal(file: PreparedFile) -> str | None:
    """Return why the service will refuse the file, as far as its name and size show."""
    if not file.content:
        return "the file is empty (0 bytes)"
    if not is_readable_type(file.request.file_name):
        return "files of this type are not read"
    return None


def _print_files(planned: Sequence[RemotePlannedFile]) -> None:
    rows = [
        {"plan": each.action.value, "file": each.request.file_name, "size": each.size}
        for each in planned
        if each.action not in NOT_LISTED
    ]
    if rows:
        print_rows(rows, ["plan", "file", "size"], as_json=False, empty_message="")
    for action in (PlannedAction.HELD_BACK, PlannedAction.REFUSED):
        left = [
            {action.value: each.request.file_name, "reason": each.reason} for each in planned if each.action is action
        ]
        if left:
            print_rows(left, [action.value, "reason"], as_json=False, empty_message="")


def _to_json(file: RemotePlannedFile, copy_of: str | None) -> dict[str, object]:
    return {
        "file": file.request.file_name,
        "path": file.request.source_path,
        "plan": file.action.value,
        "size": file.size,
        "doc_id": file.doc_id,
        **reader_members(file.before, file.after),
        "reason": file.reason,
        "copy_of": copy_of,
    }
