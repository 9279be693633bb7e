"""`groundwire ingest`: files and folders in, with progress, and a list of what was refused."""

from pathlib import Path
from typing import Annotated

import typer

from groundwire import wiring
from groundwire.domain.errors import Invalid
from groundwire.entry.cli.beneath import repolicy_the_others
from groundwire.entry.cli.console import JsonOption, TenantOption, warn
from groundwire.entry.cli.file_requests import FileRequests
from groundwire.entry.cli.ingest_progress import run_ingest
from groundwire.entry.cli.ingest_report import counts, report
from groundwire.entry.cli.metadata_options import MetaOption, metadata_from
from groundwire.entry.cli.place import RemotePlace, here
from groundwire.entry.cli.policy_options import AllTagsOption, AnyTagsOption, PublicOption, UsersOption, policy_from
from groundwire.entry.cli.priority import let_servers_go_first
from groundwire.entry.cli.remote_ingest import RemoteIngest
from groundwire.entry.cli.remote_ingest import report as report_sent
from groundwire.entry.cli.sync import check_roots, delete_vanished
from groundwire.services.ingest.request import IngestRequest, IngestStatus

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
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --sync: do not ask, however many.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Bring documents in, or up to date; unchanged files cost nothing.

    Who may read is said by the options, or by the nearest .policy.yaml beside or above each file; a document for
    which neither says anything is readable by nobody.
    """
    given = policy_from(public=public, users=user, any_tags=any_tag, all_tags=all_tag)
    if isinstance(place := here(), RemotePlace):
        if sync:
            raise Invalid("--sync compares with this machine's own index: from afar, delete by `documents delete`.")
        place.tenant(tenant)
        requests = _checked(
            FileRequests("", collection, given, metadata_from(meta), doc_id, source_url).beneath(paths),
            single=bool(doc_id or source_url),
        )
        return report_sent(RemoteIngest(place.rest)(requests, paths), as_json=as_json)
    found = wiring.current().tenant_care.find(tenant).tenant
    began = wiring.current().clock()
    if sync:
        check_roots(paths)
    requests = _checked(
        FileRequests(found, collection, given, metadata_from(meta), doc_id, source_url).beneath(paths),
        single=bool(doc_id or source_url),
    )
    let_servers_go_first()
    outcomes = run_ingest(found, collection, requests)
    present = {request.source_path for request in requests}
    deleted = delete_vanished(found, collection, paths, present, sure=yes) if sync else []
    wiring.current().operator_audit("ingest", tenant=found, collection=collection, counts=counts(outcomes, deleted))
    report(found, outcomes, deleted, as_json=as_json)
    if given is None:
        seen = {outcome.document.doc_id for outcome in outcomes if outcome.document is not None}
        if others := repolicy_the_others(found, paths, seen, began):
            warn(f"{len(others)} documents from beneath without a file in this run follow the policy files, too.")
    return 1 if any(outcome.status is IngestStatus.REFUSED for outcome in outcomes) else 0


def _checked(requests: list[IngestRequest], *, single: bool) -> list[IngestRequest]:
    if len(requests) != 1 and single:
        raise Invalid("--id and --url are for a single file.")
    return requests
