"""`groundwire ingest`: ingestion of files and folders, with progress and a list of refused files."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.ingest.file_requests import FileRequests, RequestedFiles, warn_of_left_out
from groundwire.entry.cli.ingest.local import LocalIngest
from groundwire.entry.cli.ingest.questions.copies import Copies, copies_left_out, find_remote_copies
from groundwire.entry.cli.ingest.questions.held_back import requests_to_restore, with_restoration
from groundwire.entry.cli.ingest.questions.reader_loss import (
    MAX_UNCONFIRMED_LOSSES,
    confirm_reader_loss,
    remote_changes,
)
from groundwire.entry.cli.ingest.questions.sync import check_folders
from groundwire.entry.cli.ingest.remote.plans import RemotePlan, planned_files, print_remote_plan
from groundwire.entry.cli.ingest.remote.run import HELD_BACK, RemoteIngestRun
from groundwire.entry.cli.ingest.remote.run import print_report as report_sent
from groundwire.entry.cli.keys.tag_questions import confirm_tags, declared_tags
from groundwire.entry.cli.long_runs.process import exit_on_signal
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
from groundwire.entry.cli.target.operations import TenantTarget
from groundwire.services.ingest.runs.patterns import PathPatterns

PathsArgument = Annotated[list[Path], typer.Argument(help="Files and folders to read.")]
_CollectionOption = Annotated[
    str, typer.Option("--collection", "-c", help="Collection of the documents; created if it does not exist.")
]
_IdOption = Annotated[str | None, typer.Option("--id", help="Id of the document; with a single file only.")]
_UrlOption = Annotated[
    str | None, typer.Option("--url", help="URL of the document for people; with a single file only.")
]
_IncludeOption = Annotated[
    list[str],
    typer.Option("--include", metavar="PATTERN", help="Of folders, only files that match; repeat for more."),
]
_ExcludeOption = Annotated[
    list[str], typer.Option("--exclude", metavar="PATTERN", help="Of folders, no files that match; repeat for more.")
]
_DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Print what the run would do with files and readers; change nothing.")
]
_ReadOption = Annotated[
    bool, typer.Option("--read", help="With --dry-run: read the new files, and keep the readings for the run.")
]
_SyncOption = Annotated[bool, typer.Option("--sync", help="Delete documents whose files no longer exist.")]
_CopiesOption = Annotated[
    bool, typer.Option("--copies", help="Ingest new files whose content the collection has from another source.")
]
_YesOption = Annotated[
    bool, typer.Option("--yes", "-y", help="Skip the questions about lost readers, deletions and new tags.")
]
_RestoreOption = Annotated[bool, typer.Option("--restore", help="Bring back documents that a person deleted earlier.")]

EXAMPLES: Final = examples(
    "groundwire ingest samples/documents --tenant acme --collection handbook",
    "groundwire ingest samples/README.md --tenant acme --collection notes --id samples --public --meta year=2026",
    "groundwire ingest samples/documents --tenant acme --collection handbook --sync --dry-run",
    "groundwire ingest samples/documents --tenant acme --collection handbook --sync --yes",
    "groundwire ingest samples/documents --tenant acme --collection handbook --restore",
)


@dataclass(frozen=True, slots=True)
class _Mode:
    """Way in which a run is made, as its options choose it."""

    is_dry: bool
    reads: bool
    syncs: bool
    takes_copies: bool
    is_confirmed: bool
    as_json: bool


def ingest(
    paths: PathsArgument,
    tenant: TenantOption,
    collection: _CollectionOption = "default",
    doc_id: _IdOption = None,
    source_url: _UrlOption = None,
    meta: MetaOption = [],
    include: _IncludeOption = [],
    exclude: _ExcludeOption = [],
    user: UsersOption = [],
    any_tag: AnyTagsOption = [],
    all_tag: AllTagsOption = [],
    *,
    public: PublicOption = False,
    dry_run: _DryRunOption = False,
    read: _ReadOption = False,
    sync: _SyncOption = False,
    copies: _CopiesOption = False,
    yes: _YesOption = False,
    restore: _RestoreOption = False,
    as_json: JsonOption = False,
) -> int:
    """Add or update documents; unchanged files are skipped.

    The options name the readers; without them, the nearest .policy.yaml beside or above each file does. Without both,
    nobody can read a new document. A document whose readers an option named keeps them. What a person deleted earlier
    is left out.
    """
    policy = policy_from_options(public=public, users=user, any_tags=any_tag, all_tags=all_tag)
    mode = _Mode(dry_run, read, sync, copies, yes, as_json)
    _check(mode, paths)
    patterns = PathPatterns(tuple(include), tuple(exclude))
    target = current_target()
    owner = "" if isinstance(target, RestTarget) else _find_tenant(tenant).tenant
    factory = FileRequests(owner, collection, policy, metadata_from_options(meta), doc_id, source_url)
    files = _requested(factory.for_paths(paths, patterns), restores=restore)
    if isinstance(target, RestTarget):
        return _run_remotely(target, tenant, collection, files, paths, mode)
    run = LocalIngest(_find_tenant(tenant), collection, files, sync=sync, uses_policy_files=policy is None)
    if dry_run:
        return run.plan(reads=read, as_json=as_json)
    confirm_tags(target.tenant(tenant), declared_tags(files.requests), is_confirmed=yes)
    return run(is_confirmed=yes, takes_copies=copies, as_json=as_json)


def _check(mode: _Mode, paths: list[Path]) -> None:
    """Check the options that need no file.

    Raises:
        InvalidInput: they do not go together, or a path that must be a folder is none.
    """
    if mode.reads and not mode.is_dry:
        raise InvalidInput("--read belongs to --dry-run: a run reads the files in any case.")
    if not mode.syncs:
        return
    if isinstance(current_target(), RestTarget):
        raise InvalidInput(
            "--sync is not available with --url. Delete documents of a service with `groundwire documents delete`."
        )
    check_folders(paths)


def _find_tenant(tenant: str) -> Tenant:
    return wiring.local_services().administration.tenant_admin.find(tenant)


def _run_remotely(
    target: RestTarget, tenant: str, collection: str, files: RequestedFiles, paths: list[Path], mode: _Mode
) -> int:
    """Plan or make a run over files for a service; return the command's exit code."""
    service = target.tenant(tenant)
    if mode.is_dry and mode.reads:
        raise InvalidInput("--read is not available with --url, where the service reads the files.")
    copies = find_remote_copies(_documents_of(service, collection), files, paths)
    if mode.is_dry:
        return _plan_remotely(target, service, collection, files, paths, copies, as_json=mode.as_json)
    left_out = copies_left_out(copies, takes_copies=mode.takes_copies)
    sent = files.without(left_out)
    return _ingest_remotely(target, service, sent, paths, len(left_out), mode)


def _documents_of(service: TenantTarget, collection: str) -> list[Row]:
    """Return the documents of a collection, which may not exist yet."""
    try:
        return service.documents.all(collection)
    except NotFound:
        return []


def _deleted_ids(service: TenantTarget, collection: str) -> frozenset[str]:
    """Return the ids of a collection's deleted documents about which the key decides."""
    try:
        return frozenset(str(each["doc_id"]) for each in service.documents.deleted(collection))
    except NotFound:
        return frozenset()


def _plan_remotely(
    target: RestTarget,
    service: TenantTarget,
    collection: str,
    files: RequestedFiles,
    paths: list[Path],
    copies: Copies,
    *,
    as_json: bool,
) -> int:
    """Print what would be sent to a service; return the command's exit code."""
    planned = planned_files(RemoteIngestRun(target.api), files.requests, paths, _deleted_ids(service, collection))
    plan = RemotePlan(planned, {request.source_path: doc_id for request, doc_id in copies})
    code = print_remote_plan(plan, as_json=as_json)
    warn_of_left_out(files)
    return code


def _requested(files: RequestedFiles, *, restores: bool) -> RequestedFiles:
    return replace(files, requests=with_restoration(files.requests)) if restores else files


def _ingest_remotely(
    target: RestTarget, service: TenantTarget, files: RequestedFiles, paths: list[Path], copies: int, mode: _Mode
) -> int:
    """Send the files to a service, except the copies that were left out; return the command's exit code."""
    requests, is_confirmed, as_json = files.requests, mode.is_confirmed, mode.as_json
    if len(requests) > MAX_UNCONFIRMED_LOSSES:
        # Fewer files need no confirmation, so the documents need not be listed.
        confirm_reader_loss(remote_changes(service.documents.all(None), requests, paths), is_confirmed=is_confirmed)
    allows_new = confirm_tags(service, declared_tags(requests), is_confirmed=is_confirmed)
    run = RemoteIngestRun(target.api, allows_new_tags=allows_new)
    with exit_on_signal(lambda: run.summary, run.json_summary if as_json else None):
        sent_files = run(requests, paths)
        held = {each.source_path for each in sent_files if each.status == HELD_BACK}
        if not as_json and (restored := requests_to_restore(requests, held)):
            sent_files = [each for each in sent_files if each.status != HELD_BACK] + run(restored, paths)
    code = report_sent(sent_files, copies, as_json=as_json)
    warn_of_left_out(files)
    return code
