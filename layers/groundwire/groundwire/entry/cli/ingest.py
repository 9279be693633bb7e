"""`groundwire ingest`: files and folders in, with progress, and a list of what was refused."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from groundwire import wiring
from groundwire.domain.credentials import Tenant
from groundwire.domain.documents import Document
from groundwire.domain.errors import Invalid
from groundwire.entry.cli.beneath import repolicy_the_others
from groundwire.entry.cli.console import JsonOption, TenantOption, warn
from groundwire.entry.cli.file_requests import FileRequests
from groundwire.entry.cli.ingest_progress import IngestRun
from groundwire.entry.cli.ingest_report import counts, report
from groundwire.entry.cli.lost_readers import (
    UNASKED,
    PolicyChange,
    confirm_lost_readers,
    local_changes,
    remote_changes,
)
from groundwire.entry.cli.metadata_options import MetaOption, metadata_from
from groundwire.entry.cli.place import RemotePlace, here
from groundwire.entry.cli.policy_options import AllTagsOption, AnyTagsOption, PublicOption, UsersOption, policy_from
from groundwire.entry.cli.priority import let_servers_go_first
from groundwire.entry.cli.remote_ingest import RemoteIngest
from groundwire.entry.cli.remote_ingest import report as report_sent
from groundwire.entry.cli.stopping import stoppable
from groundwire.entry.cli.sync import check_roots, delete_vanished, has_vanished
from groundwire.services.ingest.request import IngestOutcome, IngestRequest, IngestStatus

PathsArgument = Annotated[list[Path], typer.Argument(help="Files and folders.")]


def ingest(
    paths: PathsArgument,
    tenant: TenantOption,
    collection: Annotated[str, typer.Option("--collection", "-c", help="Made when it is new.")] = "default",
    doc_id: Annotated[str | None, typer.Option("--id", help="Id of the document; for a single file.")] = None,
    source_url: Annotated[str | None, typer.Option("--url", help="Where people open it; for a single file.")] = None,
    meta: MetaOption = [],
    user: UsersOption = [],
    any_tag: AnyTagsOption = [],
    all_tag: AllTagsOption = [],
    *,
    public: PublicOption = False,
    sync: Annotated[bool, typer.Option("--sync", help="Delete documents whose files are gone.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask before documents lose readers or are deleted.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Bring documents in, or up to date; unchanged files cost nothing.

    Who may read is said by the options, or by the nearest .policy.yaml beside or above each file; a document for
    which neither says anything is readable by nobody.
    """
    given = policy_from(public=public, users=user, any_tags=any_tag, all_tags=all_tag)
    place = here()
    if isinstance(place, RemotePlace):
        if sync:
            raise Invalid("--sync compares with this machine's own index: from afar, delete by `documents delete`.")
        files = FileRequests("", collection, given, metadata_from(meta), doc_id, source_url)
        return _send(place, tenant, files, paths, sure=yes, as_json=as_json)
    found = wiring.current().tenant_care.find(tenant)
    if sync:
        check_roots(paths)
    files = FileRequests(found.tenant, collection, given, metadata_from(meta), doc_id, source_url)
    run = _Run(found, collection, paths, sync=sync, follows_files=given is None)
    return run(files, sure=yes, as_json=as_json)


class _Run:
    """An ingestion into this machine's home."""

    def __init__(self, tenant: Tenant, collection: str, paths: list[Path], *, sync: bool, follows_files: bool) -> None:
        """`follows_files`: no option says who may read."""
        self._owner = tenant
        self._tenant = tenant.tenant
        self._collection = collection
        self._paths = paths
        self._sync = sync
        self._follows_files = follows_files
        self._began = wiring.current().clock()

    def __call__(self, files: FileRequests, *, sure: bool, as_json: bool) -> int:
        """Brings the files in; the command's exit code."""
        requests = files.beneath(self._paths)
        present = {request.source_path for request in requests}
        confirm_lost_readers(self._changes(requests, present), sure=sure)
        let_servers_go_first()
        run = IngestRun(self._owner, self._collection, requests)
        with stoppable(lambda: run.done, run.facts if as_json else None):
            outcomes = run()
            deleted = self._deleted(present, sure=sure)
        wiring.current().operator_audit(
            "ingest", tenant=self._tenant, collection=self._collection, counts=counts(outcomes, deleted)
        )
        report(self._tenant, outcomes, deleted, as_json=as_json)
        if self._follows_files:
            self._repolicy_the_others(outcomes)
        return 1 if any(outcome.status is IngestStatus.REFUSED for outcome in outcomes) else 0

    def _deleted(self, present: Collection[str], *, sure: bool) -> list[Document]:
        if not self._sync:
            return []
        return delete_vanished(self._tenant, self._collection, self._paths, present, sure=sure)

    def _changes(self, requests: Sequence[IngestRequest], present: Collection[str]) -> Iterator[PolicyChange]:
        def is_deleted(document: Document) -> bool:
            return self._sync and document.collection == self._collection and has_vanished(document, present)

        return local_changes(self._tenant, requests, self._paths if self._follows_files else [], is_deleted)

    def _repolicy_the_others(self, outcomes: Sequence[IngestOutcome]) -> None:
        seen = {outcome.document.doc_id for outcome in outcomes if outcome.document is not None}
        if others := repolicy_the_others(self._tenant, self._paths, seen, self._began):
            warn(f"{len(others)} documents from beneath without a file in this run follow the policy files, too.")


def _send(place: RemotePlace, tenant: str, files: FileRequests, paths: list[Path], *, sure: bool, as_json: bool) -> int:
    """The same from afar."""
    service = place.tenant(tenant)
    requests = files.beneath(paths)
    if len(requests) > UNASKED:
        # Fewer files could lose readers without a question: the documents need not be listed.
        confirm_lost_readers(remote_changes(service.documents.all(None), requests, paths), sure=sure)
    run = RemoteIngest(place.rest)
    with stoppable(lambda: run.done, run.facts if as_json else None):
        sent = run(requests, paths)
    return report_sent(sent, as_json=as_json)
