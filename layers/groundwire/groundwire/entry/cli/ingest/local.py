"""`groundwire ingest` into this machine's home: questions before the run, the run itself, and the report."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from time import monotonic

from groundwire import wiring
from groundwire.domain.audit.ingestion import RunAudit
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.cli.console import warn
from groundwire.entry.cli.ingest.file_requests import RequestedFiles, warn_of_left_out
from groundwire.entry.cli.ingest.plans import make_plan, print_plan
from groundwire.entry.cli.ingest.progress import LocalIngestRun
from groundwire.entry.cli.ingest.questions.copies import copies_left_out, find_copies
from groundwire.entry.cli.ingest.questions.held_back import requests_to_restore
from groundwire.entry.cli.ingest.questions.reader_loss import (
    RecordsBefore,
    confirm_reader_loss,
    local_changes,
    warn_of_unreadable,
)
from groundwire.entry.cli.ingest.questions.sync import check_files_seen, delete_missing, is_missing, record_deletion
from groundwire.entry.cli.ingest.readers import (
    ReaderChange,
    changes_line,
    open_folder_lines,
    open_folders,
    public_by_file,
    readers_line,
    readers_of,
    run_changes,
)
from groundwire.entry.cli.ingest.report import RunReport, first_names, print_next_step, print_report
from groundwire.entry.cli.ingest.subtree import SubtreeResult, repolicy_subtree
from groundwire.entry.cli.long_runs.process import exit_on_signal, lower_process_priority
from groundwire.entry.cli.long_runs.progress import counted_progress
from groundwire.entry.cli.long_runs.run_record import RunRecord
from groundwire.services.ingest.batch import checked_requests
from groundwire.services.ingest.request import IngestResult
from groundwire.services.ingest.runs.listing import delete_left_out
from groundwire.services.ingest.runs.plan import PlannedAction, PlannedFile


class LocalIngest:
    """Ingestion of files into this machine's home."""

    def __init__(
        self, tenant: Tenant, collection: str, files: RequestedFiles, *, sync: bool, uses_policy_files: bool
    ) -> None:
        """Take the tenant and the files; `uses_policy_files` is true when no option names readers."""
        self._tenant_record = tenant
        self._tenant = tenant.tenant
        self._collection = collection
        self._files = files
        self._sync = sync
        self._uses_policy_files = uses_policy_files
        self._present = {request.source_path for request in files.requests}

    def __call__(self, *, is_confirmed: bool, takes_copies: bool, as_json: bool) -> int:
        """Ingest the files; return the command's exit code.

        Args:
            is_confirmed: documents may lose readers or be deleted without a question.
            takes_copies: files are ingested although the collection has their content from another source.
            as_json: print JSON.
        """
        if self._sync:
            check_files_seen(self._files)
        checked_requests(self._collection, self._files.requests)
        before = RecordsBefore(self._tenant, self._files)
        copies = copies_left_out(find_copies(before, self._files, self._collection), takes_copies=takes_copies)
        self._files = self._files.without(copies)
        unreadable = self._confirm(before, is_confirmed=is_confirmed)
        # A server on this machine must still answer while files are embedded.
        lower_process_priority()
        started_at, run = monotonic(), LocalIngestRun(self._tenant_record, self._collection, self._files.requests)
        with (
            exit_on_signal(lambda: run.summary, run.json_summary if as_json else None, run.clean_up),
            run.begin_audit() as audit,
            run.begin_record(audit) as record,
            run.hold(),
        ):
            outcomes = self._with_restored(run(audit, record), audit, record, may_ask=not as_json)
            delete_left_out(
                wiring.local_services().stores.documents,
                self._tenant,
                self._collection,
                self._files.listed.left_out,
                partial(record_deletion, audit),
            )
            deleted = self._delete_missing(audit, is_confirmed=is_confirmed)
            subtree = self._repolicy_subtree(outcomes, audit)
        lines = self._reader_lines(before, outcomes, deleted, subtree)
        report = RunReport(outcomes, deleted, subtree.changed, lines, frozenset(unreadable), len(copies))
        print_report(self._tenant, report, as_json=as_json)
        warn_of_left_out(self._files)
        if not as_json:
            print_next_step(self._tenant_record.name, outcomes, monotonic() - started_at)
        return 1 if subtree.failures or any(outcome.status.is_failure for outcome in outcomes) else 0

    def _with_restored(
        self, outcomes: list[IngestResult], audit: RunAudit, record: RunRecord, *, may_ask: bool
    ) -> list[IngestResult]:
        """Return the outcomes, those of held back files replaced where somebody wants them back."""
        held = {each.source_path for each in outcomes if each.source_path is not None}
        restored = requests_to_restore(self._files.requests, held) if may_ask else []
        if not restored:
            return outcomes
        kept = [each for each in outcomes if each.source_path is None]
        return kept + LocalIngestRun(self._tenant_record, self._collection, restored)(audit, record)

    def plan(self, *, reads: bool, as_json: bool) -> int:
        """Print what the run would do; return the exit code, 1 if a file would be refused.

        Args:
            reads: parse the new and changed files, and keep the readings for the run.
            as_json: print JSON.
        """
        if self._sync:
            check_files_seen(self._files)
        files = checked_requests(self._collection, self._files.requests)
        before = RecordsBefore(self._tenant, self._files)
        warn_of_unreadable(before.unreadable())
        copies = find_copies(before, self._files, self._collection)
        planner = wiring.local_services().ingestion.planner(reads=reads)
        # A parsed file takes seconds.
        with counted_progress() as progress:
            planned: list[PlannedFile] = []
            for file in files:
                planned.append(planner(file))
                progress("files", len(planned), len(files))
        plan = make_plan(
            before,
            self._files,
            planned,
            self._collection,
            deletes=self._sync,
            follows_policy_files=self._uses_policy_files,
            copies={request.source_path: doc_id for request, doc_id in copies},
        )
        print_plan(plan, self._files, as_json=as_json)
        warn_of_left_out(self._files)
        return 1 if any(each.action is PlannedAction.REFUSED for each in planned) else 0

    def _confirm(self, before: RecordsBefore, *, is_confirmed: bool) -> Sequence[str]:
        """Put the questions of the run before anything is written; return the files that nobody may read."""
        changes = local_changes(before, self._files, self._is_deleted, follows_policy_files=self._uses_policy_files)
        # A policy file moved by mistake can close a whole folder.
        confirm_reader_loss(changes, is_confirmed=is_confirmed)
        unreadable = before.unreadable()
        # Known before the files are read, which may take an hour.
        warn_of_unreadable(unreadable)
        return unreadable

    def _is_deleted(self, document: Document) -> bool:
        """Return whether the run deletes the document."""
        is_of_run = self._sync and document.collection == self._collection
        return is_of_run and is_missing(document, self._files, self._present)

    def _delete_missing(self, audit: RunAudit, *, is_confirmed: bool) -> list[Document]:
        if not self._sync:
            return []
        present: Collection[str] = self._present
        return delete_missing(self._tenant, self._collection, self._files, present, audit, is_confirmed=is_confirmed)

    def _repolicy_subtree(self, outcomes: Sequence[IngestResult], audit: RunAudit) -> SubtreeResult:
        """Apply the policy files to the folders, where no option names readers."""
        if not self._uses_policy_files:
            return SubtreeResult([], {})
        seen = {outcome.document.doc_id for outcome in outcomes if outcome.document is not None}
        result = repolicy_subtree(self._tenant, self._files, seen, audit)
        if result.changed:
            warn(
                f"{len(result.changed)} documents without a file in this run also got new readers from "
                "the policy files."
            )
        if result.failures:
            reason = next(iter(result.failures.values()))
            warn(
                f"The readers of {len(result.failures)} documents did not change ({first_names([*result.failures])}): "
                f"{reason}"
            )
        return result

    def _reader_lines(
        self,
        before: RecordsBefore,
        outcomes: Sequence[IngestResult],
        deleted: Sequence[Document],
        subtree: SubtreeResult,
    ) -> list[str]:
        """Return who can read the run's documents now, and the difference to before."""
        # Read again, since a person may have decided on a document during the run.
        present = {each.doc_id: each for each in wiring.local_services().stores.documents.all(self._tenant, None)}
        changes = run_changes(outcomes, before.documents, present, deleted)
        # Documents without a file in this run follow changed policy files.
        changes += [
            ReaderChange(after.source_file_name, readers_of(before), readers_of(after))
            for before, after in subtree.changed
        ]
        if not changes:
            return []
        lines = [readers_line(each.after for each in changes if each.after is not None), changes_line(changes)]
        public = public_by_file(self._of_run(present, outcomes))
        return [*lines, *open_folder_lines(open_folders(public, self._files.folders))]

    def _of_run(self, present: Mapping[str, Document], outcomes: Sequence[IngestResult]) -> list[Document]:
        """Return the readable documents of the run's files."""
        ids = {outcome.document.doc_id for outcome in outcomes if outcome.document is not None}
        return [each for each in present.values() if each.doc_id in ids and each.state is DocumentState.INDEXED]
