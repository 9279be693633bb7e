"""`groundwire ingest`: ingestion of files and folders, with progress and a list of refused files."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.audit.ingestion import RunAudit
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.cli.console import warn
from groundwire.entry.cli.ingest.file_requests import FileRequests, RequestedFiles, warn_of_left_out
from groundwire.entry.cli.ingest.held_back import requests_to_restore, with_restoration
from groundwire.entry.cli.ingest.progress import LocalIngestRun
from groundwire.entry.cli.ingest.reader_loss import (
    MAX_UNCONFIRMED_LOSSES,
    PolicyChange,
    confirm_reader_loss,
    local_changes,
    remote_changes,
)
from groundwire.entry.cli.ingest.remote import HELD_BACK, RemoteIngestRun
from groundwire.entry.cli.ingest.remote import print_report as report_sent
from groundwire.entry.cli.ingest.report import first_names, print_report
from groundwire.entry.cli.ingest.subtree import repolicy_subtree
from groundwire.entry.cli.ingest.sync import (
    check_files_seen,
    check_folders,
    delete_missing,
    is_missing,
    record_deletion,
)
from groundwire.entry.cli.long_runs.process import exit_on_signal, lower_process_priority
from groundwire.entry.cli.options import (
    AllTagsOption,
    AnyTagsOption,
    JsonOption,
    MetaOption,
    PublicOption,
    TenantOption,
    UsersOption,
    examples,
    metadata_from_options,
    policy_from_options,
)
from groundwire.entry.cli.target import RestTarget, current_target
from groundwire.services.ingest.request import IngestRequest, IngestResult
from groundwire.services.ingest.source_objects.listing import delete_left_out

PathsArgument = Annotated[list[Path], typer.Argument(help="Files and folders to read.")]


EXAMPLES: Final = examples(
    "groundwire ingest samples/documents --tenant acme --collection handbook",
    "groundwire ingest samples/README.md --tenant acme --collection notes --id samples --public --meta year=2026",
    "groundwire ingest samples/documents --tenant acme --collection handbook --sync --yes",
    "groundwire ingest samples/documents --tenant acme --collection handbook --restore",
)


def ingest(
    paths: PathsArgument,
    tenant: TenantOption,
    collection: Annotated[
        str, typer.Option("--collection", "-c", help="Collection of the documents; created if it does not exist.")
    ] = "default",
    doc_id: Annotated[str | None, typer.Option("--id", help="Id of the document; with a single file only.")] = None,
    source_url: Annotated[
        str | None, typer.Option("--url", help="URL of the document for people; with a single file only.")
    ] = None,
    meta: MetaOption = [],
    user: UsersOption = [],
    any_tag: AnyTagsOption = [],
    all_tag: AllTagsOption = [],
    *,
    public: PublicOption = False,
    sync: Annotated[bool, typer.Option("--sync", help="Delete documents whose files no longer exist.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Skip the confirmation before documents lose readers or are deleted.")
    ] = False,
    restore: Annotated[
        bool, typer.Option("--restore", help="Bring back documents that a person deleted earlier.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Add or update documents; unchanged files are skipped.

    The options name the readers; without them, the nearest .policy.yaml beside or above each file does. Without both,
    nobody can read a new document. A document whose readers an option named keeps them. What a person deleted earlier
    is left out.
    """
    policy = policy_from_options(public=public, users=user, any_tags=any_tag, all_tags=all_tag)
    target = current_target()
    if isinstance(target, RestTarget):
        if sync:
            raise InvalidInput(
                "--sync is not available with --url. Delete documents of a service with `groundwire documents delete`."
            )
        files = FileRequests("", collection, policy, metadata_from_options(meta), doc_id, source_url)
        return _ingest_remotely(target, tenant, files, paths, restores=restore, is_confirmed=yes, as_json=as_json)
    tenant_record = wiring.local_services().administration.tenant_admin.find(tenant)
    if sync:
        check_folders(paths)
    files = FileRequests(tenant_record.tenant, collection, policy, metadata_from_options(meta), doc_id, source_url)
    run = _LocalIngest(tenant_record, collection, paths, sync=sync, restores=restore, uses_policy_files=policy is None)
    return run(files, is_confirmed=yes, as_json=as_json)


class _LocalIngest:
    """An ingestion into this machine's home."""

    def __init__(
        self, tenant: Tenant, collection: str, paths: list[Path], *, sync: bool, restores: bool, uses_policy_files: bool
    ) -> None:
        """Take the tenant and the paths.

        Args:
            tenant: owner of the documents.
            collection: collection of the documents.
            paths: files and folders.
            sync: delete documents whose files are missing.
            restores: bring back what a person deleted.
            uses_policy_files: no option names readers.
        """
        self._restores = restores
        self._tenant_record = tenant
        self._tenant = tenant.tenant
        self._collection = collection
        self._paths = paths
        self._sync = sync
        self._uses_policy_files = uses_policy_files

    def __call__(self, files: FileRequests, *, is_confirmed: bool, as_json: bool) -> int:
        """Ingest the files; return the command's exit code."""
        requested = files.for_paths(self._paths)
        if self._sync:
            check_files_seen(requested)
        present = {request.source_path for request in requested.requests}
        # Before anything is written: a policy file moved by mistake can close a whole folder.
        confirm_reader_loss(self._policy_changes(requested, present), is_confirmed=is_confirmed)
        # A server on this machine must still answer while files are embedded.
        lower_process_priority()
        requests = with_restoration(requested.requests) if self._restores else requested.requests
        run = LocalIngestRun(self._tenant_record, self._collection, requests)
        with (
            exit_on_signal(lambda: run.summary, run.json_summary if as_json else None),
            run.begin_audit() as audit,
            run.hold(),
        ):
            outcomes = self._with_restored(run(audit), requests, audit, may_ask=not as_json)
            delete_left_out(
                wiring.local_services().stores.documents,
                self._tenant,
                self._collection,
                requested.listed.left_out,
                partial(record_deletion, audit),
            )
            deleted = self._delete_missing(requested, present, audit, is_confirmed=is_confirmed)
            is_failed = self._uses_policy_files and self._repolicy_subtree(requested, outcomes, audit)
        print_report(self._tenant, outcomes, deleted, as_json=as_json)
        warn_of_left_out(requested)
        return 1 if is_failed or any(outcome.status.is_failure for outcome in outcomes) else 0

    def _with_restored(
        self, outcomes: list[IngestResult], requests: Sequence[IngestRequest], audit: RunAudit, *, may_ask: bool
    ) -> list[IngestResult]:
        """Return the outcomes, those of held back files replaced where somebody wants them back."""
        held = {each.source_path for each in outcomes if each.source_path is not None}
        restored = requests_to_restore(requests, held) if may_ask else []
        if not restored:
            return outcomes
        kept = [each for each in outcomes if each.source_path is None]
        return kept + LocalIngestRun(self._tenant_record, self._collection, restored)(audit)

    def _delete_missing(
        self, files: RequestedFiles, present: Collection[str], audit: RunAudit, *, is_confirmed: bool
    ) -> list[Document]:
        if not self._sync:
            return []
        return delete_missing(self._tenant, self._collection, files, present, audit, is_confirmed=is_confirmed)

    def _policy_changes(self, files: RequestedFiles, present: Collection[str]) -> Iterator[PolicyChange]:
        def is_deleted(document: Document) -> bool:
            return self._sync and document.collection == self._collection and is_missing(document, files, present)

        return local_changes(self._tenant, files, is_deleted, follows_policy_files=self._uses_policy_files)

    def _repolicy_subtree(self, files: RequestedFiles, outcomes: Sequence[IngestResult], audit: RunAudit) -> bool:
        """Apply the policy files to the folders; return whether one of them could not be read."""
        seen = {outcome.document.doc_id for outcome in outcomes if outcome.document is not None}
        result = repolicy_subtree(self._tenant, files, seen, audit)
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
        return bool(result.failures)


def _ingest_remotely(
    target: RestTarget,
    tenant: str,
    files: FileRequests,
    paths: list[Path],
    *,
    restores: bool,
    is_confirmed: bool,
    as_json: bool,
) -> int:
    """Send the files to a service; return the command's exit code."""
    service = target.tenant(tenant)
    requested = files.for_paths(paths)
    requests = requested.requests
    if len(requests) > MAX_UNCONFIRMED_LOSSES:
        # Fewer files need no confirmation, so the documents need not be listed.
        confirm_reader_loss(remote_changes(service.documents.all(None), requests, paths), is_confirmed=is_confirmed)
    run = RemoteIngestRun(target.api)
    with exit_on_signal(lambda: run.summary, run.json_summary if as_json else None):
        sent_files = run(with_restoration(requests) if restores else requests, paths)
        held = {each.source_path for each in sent_files if each.status == HELD_BACK}
        if not as_json and (restored := requests_to_restore(requests, held)):
            sent_files = [each for each in sent_files if each.status != HELD_BACK] + run(restored, paths)
    code = report_sent(sent_files, as_json=as_json)
    warn_of_left_out(requested)
    return code
