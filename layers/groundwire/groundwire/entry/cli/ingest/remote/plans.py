"""`groundwire --url URL ingest --dry-run`: what would be sent, and what the service would give it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.domain.access.policy import Readers, narrowest_policy
from groundwire.domain.access.policy_input import policy_to_mapping
from groundwire.domain.errors import DocumentRefused, Forbidden, InvalidInput
from groundwire.entry.cli.console import print_json, print_line, print_rows
from groundwire.entry.cli.ingest.readers import ReaderChange, changes_line, count_readers, readers_line
from groundwire.entry.cli.ingest.remote.prepared import PreparedFile
from groundwire.entry.cli.ingest.remote.run import RemoteIngestRun
from groundwire.entry.cli.ingest.report import PLAN_NOTICE
from groundwire.entry.serialization.readers import describe_readers
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


def planned_files(
    run: RemoteIngestRun, requests: Sequence[IngestRequest], roots: Sequence[Path]
) -> list[RemotePlannedFile]:
    """Return the plans of the files; their documents are read from the service, and nothing is sent.

    Raises:
        DomainError: an error that concerns the service rather than one file.
    """
    return [_planned(run, request, roots) for request in requests]


def print_remote_plan(planned: Sequence[RemotePlannedFile], *, as_json: bool) -> int:
    """Print the plan; return the command's exit code, 1 if a file would be refused."""
    counts = Counter(each.action for each in planned)
    ordered = {action.value: counts[action] for action in PlannedAction if counts[action]}
    changes = [
        ReaderChange(each.request.file_name, each.before, each.after) for each in planned if each.after is not None
    ]
    unknown = sum(each.action in READ_ACTIONS for each in planned)
    if as_json:
        readers = count_readers(each.after for each in planned if each.after is not None)
        files = [_to_json(each) for each in planned]
        print_json(
            {"dry_run": True, "counts": ordered, "readers": readers, "files": files, "known_after_reading": unknown}
        )
    else:
        print_line(PLAN_NOTICE)
        print_line(", ".join(f"{number:,} {action}" for action, number in ordered.items()) or "No files were found.")
        if changes:
            print_line(readers_line(each.after for each in changes if each.after is not None))
            print_line(changes_line(changes))
        if unknown:
            print_line(f"Known after reading: whether the service can read the {unknown:,} new and changed files.")
        _print_files(planned)
    return 1 if counts[PlannedAction.REFUSED] else 0


def _planned(run: RemoteIngestRun, request: IngestRequest, roots: Sequence[Path]) -> RemotePlannedFile:
    try:
        file = run.prepare(request, roots)
    except (DocumentRefused, Forbidden, InvalidInput) as error:
        return RemotePlannedFile(request, PlannedAction.REFUSED, reason=str(error))
    action, reason = _action(file), None
    if action in READ_ACTIONS:
        reason = _refusal(file)
    if reason is not None:
        return RemotePlannedFile(request, PlannedAction.REFUSED, file.doc_id, len(file.content), reason=reason)
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
        if each.action not in {PlannedAction.UNCHANGED, PlannedAction.REFUSED}
    ]
    if rows:
        print_rows(rows, ["plan", "file", "size"], as_json=False, empty_message="")
    refused = [each for each in planned if each.action is PlannedAction.REFUSED]
    if refused:
        reasons = [{"refused": each.request.file_name, "reason": each.reason} for each in refused]
        print_rows(reasons, ["refused", "reason"], as_json=False, empty_message="")


def _to_json(file: RemotePlannedFile) -> dict[str, object]:
    return {
        "file": file.request.file_name,
        "path": file.request.source_path,
        "plan": file.action.value,
        "size": file.size,
        "doc_id": file.doc_id,
        "readers": None if file.after is None else describe_readers(file.after),
        "policy": None if file.after is None else policy_to_mapping(narrowest_policy(file.after)),
        "policy_before": None if file.before is None else policy_to_mapping(narrowest_policy(file.before)),
        "reason": file.reason,
    }
