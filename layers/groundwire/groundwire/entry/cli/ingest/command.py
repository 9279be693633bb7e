"""`groundwire ingest`: ingestion of files and folders, with progress and a list of refused files."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.ingest.file_requests import FileRequests, RequestedFiles, warn_of_left_out
from groundwire.entry.cli.ingest.held_back import requests_to_restore, with_restoration
from groundwire.entry.cli.ingest.local import LocalIngest
from groundwire.entry.cli.ingest.questions.copies import copies_left_out, find_remote_copies
from groundwire.entry.cli.ingest.questions.reader_loss import (
    MAX_UNCONFIRMED_LOSSES,
    confirm_reader_loss,
    remote_changes,
)
from groundwire.entry.cli.ingest.questions.sync import check_folders
from groundwire.entry.cli.ingest.remote.plans import planned_files, print_remote_plan
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


EXAMPLES: Final = examples(
    "groundwire ingest samples/documents --tenant acme --collection handbook",
    "groundwire ingest samples/README.md --tenant acme --collection notes --id samples --public --meta year=2026",
    "groundwire ingest samples/documents --tenant acme --collection handbook --sync --dry-run",
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
    include: Annotated[
        list[str],
        typer.Option("--include", metavar="PATTERN", help="Of folders, only files that match; repeat for more."),
    ] = [],
    exclude: Annotated[
        list[str],
        typer.Option("--exclude", metavar="PATTERN", help="Of folders, no files that match; repeat for more."),
    ] = [],
    user: UsersOption = [],
    any_tag: AnyTagsOption = [],
    all_tag: AllTagsOption = [],
    *,
    public: PublicOption = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what the run would do with files and readers; change nothing.")
    ] = False,
    read: Annotated[
        bool, typer.Option("--read", help="With --dry-run: read the new files, and keep the readings for the run.")
    ] = False,
    sync: Annotated[bool, typer.Option("--sync", help="Delete documents whose files no longer exist.")] = False,
    copies: Annotated[
        bool, typer.Option("--copies", help="Ingest new files whose content the collection has from another source.")
    ] = False,
    yes: Annotated[
        bool,
        typer.Option("--yes", "-y", help="Skip the questions about lost readers, deletions and new tags."),
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
    if read and not dry_run:
        raise InvalidInput("--read belongs to --dry-run: a run reads the files in any case.")
    patterns = PathPatterns(tuple(include), tuple(exclude))
    target = current_target()
    if isinstance(target, RestTarget):
        if sync:
            raise InvalidInput(
                "--sync is not available with --url. Delete documents of a service with `groundwire documents delete`."
            )
        factory = FileRequests("", collection, policy, metadata_from_options(meta), doc_id, source_url)
        requested = _requested(factory.for_paths(paths, patterns), restores=restore)
        if dry_run:
            return _plan_remotely(target, tenant, requested, paths, reads=read, as_json=as_json)
        documents = _documents_of(target.tenant(tenant), collection)
        left_out = copies_left_out(find_remote_copies(documents, requested, paths), takes_copies=copies)
        return _ingest_remotely(target, tenant, requested.without(left_out), paths, is_confirmed=yes, as_json=as_json)
    tenant_record = wiring.local_services().administration.tenant_admin.find(tenant)
    if sync:
        check_folders(paths)
    factory = FileRequests(tenant_record.tenant, collection, policy, metadata_from_options(meta), doc_id, source_url)
    files = _requested(factory.for_paths(paths, patterns), restores=restore)
    run = LocalIngest(tenant_record, collection, files, sync=sync, uses_policy_files=policy is None)
    if dry_run:
        return run.plan(reads=read, as_json=as_json)
    confirm_tags(target.tenant(tenant), declared_tags(files.requests), is_confirmed=yes)
    return run(is_confirmed=yes, takes_copies=copies, as_json=as_json)


def _documents_of(service: TenantTarget, collection: str) -> list[Row]:
    """Return the documents of a collection, which may not exist yet."""
    try:
        return service.documents.all(collection)
    except NotFound:
        return []


def _plan_remotely(
    target: RestTarget, tenant: str, files: RequestedFiles, paths: list[Path], *, reads: bool, as_json: bool
) -> int:
    """Print what would be sent to a service; return the command's exit code."""
    target.tenant(tenant)
    if reads:
        raise InvalidInput("--read is not available with --url, where the service reads the files.")
    code = print_remote_plan(planned_files(RemoteIngestRun(target.api), files.requests, paths), as_json=as_json)
    warn_of_left_out(files)
    return code


def _requested(files: RequestedFiles, *, restores: bool) -> RequestedFiles:
    return replace(files, requests=with_restoration(files.requests)) if restores else files


def _ingest_remotely(
    target: RestTarget, tenant: str, files: RequestedFiles, paths: list[Path], *, is_confirmed: bool, as_json: bool
) -> int:
    """Send the files to a service; return the command's exit code."""
    service = target.tenant(tenant)
    requests = files.requests
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
    code = report_sent(sent_files, as_json=as_json)
    warn_of_left_out(files)
    return code
