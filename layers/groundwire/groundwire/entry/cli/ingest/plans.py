"""`groundwire ingest --dry-run`: what a run would do with files and readers, without changing anything."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire.domain.access.policy import Readers, narrowest_policy
from groundwire.domain.access.policy_source import DeclaredPolicy, SourcedPolicy, followed_policy
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.entry.cli.console import Row, print_json, print_line, print_rows
from groundwire.entry.cli.ingest.file_requests import RequestedFiles
from groundwire.entry.cli.ingest.questions.reader_loss import RecordsBefore
from groundwire.entry.cli.ingest.questions.sync import is_missing
from groundwire.entry.cli.ingest.readers import (
    ReaderChange,
    changes_line,
    copies_notice,
    count_readers,
    gainers,
    losers,
    open_folder_lines,
    open_folders,
    reader_notices,
    readers_line,
    root_of,
)
from groundwire.entry.cli.ingest.report import NOT_LISTED, PLAN_NOTICE, reader_members
from groundwire.entry.cli.ingest.subtree import filter_below, policy_to_follow
from groundwire.services.ingest.runs.plan import READ_ACTIONS, PlannedAction, PlannedFile

_MISSING: Final = "gone"


@dataclass(frozen=True, slots=True)
class LocalPlan:
    """Plan of a run on this machine.

    Attributes:
        files: plans of the files that would be read.
        missing: documents below the folders whose file is missing.
        changes: readers of the documents before and after the run, attachments included.
        deletes: whether the run deletes the documents without a file.
        copies: ids of documents from another source that have the content of a new file, by its path.
    """

    files: Sequence[PlannedFile]
    missing: Sequence[Document]
    changes: Sequence[ReaderChange]
    deletes: bool
    copies: Mapping[str, str]

    @property
    def counts(self) -> dict[str, int]:
        """Number of files by action, and of the documents without a file."""
        counts = Counter(each.action for each in self.files)
        ordered = {action.value: counts[action] for action in PlannedAction if counts[action]}
        return ordered | ({_MISSING: len(self.missing)} if self.missing else {})

    @property
    def unknown(self) -> int:
        """The number of files of which only a reading shows whether they can be read, and what is in them."""
        return sum(each.action in READ_ACTIONS and not each.is_parsed for each in self.files)


def make_plan(
    before: RecordsBefore,
    files: RequestedFiles,
    planned: Sequence[PlannedFile],
    collection: str,
    *,
    deletes: bool,
    follows_policy_files: bool,
    copies: Mapping[str, str],
) -> LocalPlan:
    """Return the plan of a run.

    Args:
        before: the tenant's records.
        files: the files of the run.
        planned: their plans.
        collection: collection of the run.
        deletes: whether the run deletes documents whose file is missing.
        follows_policy_files: whether documents without a file in the run follow the policy files.
        copies: ids of documents from another source that have the content of a new file, by its path.
    """
    present = {request.source_path for request in files.requests}
    continued = {each.current.doc_id for each in planned if each.current is not None}
    below = [each for each in filter_below(before.documents.values(), files.folders) if each.doc_id not in continued]
    missing = [each for each in below if each.collection == collection and is_missing(each, files, present)]
    after: dict[str, Readers | None] = {}
    # A changed policy file reaches documents without a file in this run, too.
    if follows_policy_files:
        after |= _followed_policies(below, files)
    if deletes:
        after |= dict.fromkeys((each.doc_id for each in missing), None)
    after |= {each.current.doc_id: each.after for each in planned if each.current is not None}
    new = [
        ReaderChange(each.request.file_name, None, each.after)
        for each in planned
        if each.after is not None and each.before is None
    ]
    return LocalPlan(planned, missing, [*new, *_changes(before.documents, after, continued)], deletes, copies)


def print_plan(plan: LocalPlan, files: RequestedFiles, *, as_json: bool) -> None:
    """Print the plan: counts, readers, what is not known yet, then the files by action."""
    if as_json:
        print_json(_plan_to_json(plan, files))
        return
    print_line(PLAN_NOTICE)
    print_line(", ".join(f"{number:,} {action}" for action, number in plan.counts.items()) or "No files were found.")
    if plan.changes:
        print_line(readers_line(each.after for each in plan.changes if each.after is not None))
        print_line(changes_line(plan.changes))
    for line in open_folder_lines(open_folders(_public_by_file(plan), files.folders)):
        print_line(line)
    for line in _notices(plan):
        print_line(line)
    rows = [_file_row(each) for each in plan.files if each.action not in NOT_LISTED]
    rows += [{"plan": _MISSING, "file": each.source_file_name, "size": each.size_bytes} for each in plan.missing]
    if rows:
        print_rows(rows, ["plan", "file", "size"], as_json=False, empty_message="")
    for action in (PlannedAction.HELD_BACK, PlannedAction.REFUSED):
        left = [
            {action.value: each.request.file_name, "reason": each.reason}
            for each in plan.files
            if each.action is action
        ]
        if left:
            print_rows(left, [action.value, "reason"], as_json=False, empty_message="")


def _public_by_file(plan: LocalPlan) -> dict[str, bool]:
    """Return by path whether everybody will read the document by a policy file."""
    return {
        each.request.source_path: narrowest_policy(each.after).public and _is_of_policy_file(each.request.policy)
        for each in plan.files
        if each.after is not None
    }


def _is_of_policy_file(policy: DeclaredPolicy | SourcedPolicy) -> bool:
    return isinstance(policy, DeclaredPolicy) and policy.option is None and policy.file is not None


def _notices(plan: LocalPlan) -> Iterable[str]:
    """Yield what the run would ask, and what the plan cannot know."""
    yield from reader_notices(plan.changes)
    yield from copies_notice(plan.copies)
    if plan.missing and not plan.deletes:
        yield "The documents that are gone stay: --sync deletes them."
    if plan.unknown:
        yield (
            f"Known after reading: whether the {plan.unknown:,} new and changed files can be read, their passages and "
            "attachments. `--read` reads them now, and the run does not read them again."
        )


def _followed_policies(documents: Iterable[Document], files: RequestedFiles) -> dict[str, Readers | None]:
    """Return the readers that the policy files give to documents without a file in the run."""
    sidecars = files.new_resolver()
    declared = {each.doc_id: (each, policy_to_follow(sidecars, each)) for each in documents}
    return {
        doc_id: followed_policy(found.policy, document.sourced_policy).readers
        for doc_id, (document, found) in declared.items()
        if found is not None
    }


def _changes(
    documents: Mapping[str, Document], after: Mapping[str, Readers | None], continued: Collection[str]
) -> list[ReaderChange]:
    """Return the readers of the documents in `after`, and of their attachments, which follow them.

    Documents without a file in the run count only where their readers change.
    """
    changes: list[ReaderChange] = []
    for document in documents.values():
        root = root_of(document, documents)
        if document.state is not DocumentState.INDEXED or root.doc_id not in after:
            continue
        change = ReaderChange(document.source_file_name, document.readers, after[root.doc_id])
        is_of_file = root.doc_id in continued
        # The attachments of a deleted mail are deleted with it, and not counted.
        if is_of_file or (change.is_different and (change.after is not None or root is document)):
            changes.append(change)
    return changes


def _file_row(file: PlannedFile) -> Row:
    return {"plan": file.action.value, "file": file.request.file_name, "size": file.size}


def _plan_to_json(plan: LocalPlan, files: RequestedFiles) -> dict[str, object]:
    return {
        "dry_run": True,
        "counts": plan.counts,
        "readers": count_readers(each.after for each in plan.changes if each.after is not None),
        "readers_gained": sorted(gainers(plan.changes)),
        "readers_lost": sorted(losers(plan.changes)),
        "files": [_file_to_json(each, plan.copies.get(each.request.source_path)) for each in plan.files],
        "gone": [
            {"file": each.source_file_name, "path": each.source_path, "doc_id": each.doc_id, "deleted": plan.deletes}
            for each in plan.missing
        ],
        "left_out": list(files.listed.left_out),
        "excluded": list(files.listed.excluded),
        "known_after_reading": plan.unknown,
    }


def _file_to_json(file: PlannedFile, copy_of: str | None) -> dict[str, object]:
    return {
        "file": file.request.file_name,
        "path": file.request.source_path,
        "plan": file.action.value,
        "size": file.size,
        "doc_id": None if file.current is None else file.current.doc_id,
        **reader_members(file.before, file.after),
        "reason": file.reason,
        "copy_of": copy_of,
        "is_parsed": file.is_parsed,
        "attachments": file.attachments if file.is_parsed else None,
    }
