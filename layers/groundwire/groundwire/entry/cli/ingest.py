"""`groundwire ingest`: files and folders in, with progress, and a list of what was refused."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Annotated, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from groundwire import wiring
from groundwire.domain.access import NOBODY, Policy
from groundwire.domain.documents import DocumentState
from groundwire.domain.errors import Invalid
from groundwire.entry.cli.beneath import repolicy_the_others
from groundwire.entry.cli.console import ERR, JsonOption, TenantOption, print_json, print_line, warn
from groundwire.entry.cli.policy_options import AllTagsOption, AnyTagsOption, PublicOption, UsersOption, policy_from
from groundwire.services.ingest.request import IngestOutcome, IngestRequest, IngestStatus

_TOLD_EVERY_S: Final = 10.0
"""Where no bar can move, a line says now and then that the work goes on."""

PathsArgument = Annotated[list[Path], typer.Argument(help="Files and folders.")]


def ingest(
    paths: PathsArgument,
    tenant: TenantOption,
    collection: Annotated[str, typer.Option("--collection", "-c", help="Made when it is new.")] = "default",
    doc_id: Annotated[str | None, typer.Option("--id", help="Id of the document; for a single file.")] = None,
    source_url: Annotated[str | None, typer.Option("--url", help="Where people open it; for a single file.")] = None,
    user: UsersOption = [],
    any_tag: AnyTagsOption = [],
    all_tag: AllTagsOption = [],
    *,
    public: PublicOption = False,
    as_json: JsonOption = False,
) -> int:
    """Bring documents in, or up to date; unchanged files cost nothing.

    Who may read is said by the options, or by the nearest .policy.yaml beside or above each file; a document for
    which neither says anything is readable by nobody.
    """
    given = policy_from(public=public, users=user, any_tags=any_tag, all_tags=all_tag)
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    files = list(services.find_files(paths))
    if len(files) != 1 and (doc_id or source_url):
        raise Invalid("--id and --url are for a single file.")
    reader = _Reader(found, collection, given, doc_id, source_url)
    outcomes = run_ingest(found, collection, [reader.request(file) for file in files])
    services.operator_audit("ingest", tenant=found, collection=collection, counts=_counts(outcomes))
    _report(outcomes, as_json=as_json)
    if given is None:
        seen = {outcome.document.doc_id for outcome in outcomes if outcome.document is not None}
        if others := repolicy_the_others(found, paths, seen):
            warn(f"{len(others)} documents from beneath without a file in this run follow the policy files, too.")
    return 1 if any(outcome.status is IngestStatus.REFUSED for outcome in outcomes) else 0


def run_ingest(tenant: str, collection: str, requests: list[IngestRequest]) -> list[IngestOutcome]:
    """Ingests under a progress display on standard error; returns one outcome per file."""
    services = wiring.current()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as progress:
        files = progress.add_task("files", total=len(requests))
        segments = progress.add_task("segments of this file", total=None)

        def embedded(done: int, total: int) -> None:
            progress.update(segments, completed=done, total=total)

        def counted() -> Iterator[IngestOutcome]:
            told = monotonic()
            for number, outcome in enumerate(services.ingest_batch(tenant, collection, requests, embedded), start=1):
                progress.advance(files)
                if not ERR.is_terminal and monotonic() - told > _TOLD_EVERY_S:
                    told = monotonic()
                    warn(f"{number} of {len(requests)} files done")
                yield outcome

        return list(counted())


def requests_for(tenant: str, collection: str, paths: list[Path]) -> list[IngestRequest]:
    """Requests for all files beneath the paths, read one by one, under their policy files."""
    reader = _Reader(tenant, collection, None, None, None)
    return [reader.request(file) for file in wiring.current().find_files(paths)]


class _Reader:
    """Turns files into requests, under the policy of the options or of the nearest policy file."""

    def __init__(
        self, tenant: str, collection: str, given: Policy | None, doc_id: str | None, source_url: str | None
    ) -> None:
        self._tenant = tenant
        self._collection = collection
        self._given = given
        self._doc_id = doc_id
        self._source_url = source_url
        self._policies = wiring.current().policy_files()

    def request(self, file: Path) -> IngestRequest:
        """The file is read when its turn has come; a policy that cannot be understood is an error at once."""
        services = wiring.current()
        return IngestRequest(
            tenant=self._tenant,
            collection=self._collection,
            source_path=services.readable(file.absolute()),
            file_name=services.readable(Path(file.name)),
            read=lambda: services.read_file(file),
            policy=self._policy(file),
            doc_id=self._doc_id,
            source_url=self._source_url,
        )

    def _policy(self, file: Path) -> Policy:
        in_file = self._policies.nearest(file)
        if self._given is not None and in_file is not None and in_file != self._given:
            name = wiring.current().readable(Path(file.name))
            raise Invalid(f"A .policy.yaml says who may read {name}: leave the options out, or change that file.")
        return self._given or in_file or NOBODY


def _counts(outcomes: list[IngestOutcome]) -> dict[str, int]:
    return dict(Counter(outcome.status.value for outcome in outcomes))


def _report(outcomes: list[IngestOutcome], *, as_json: bool) -> None:
    if as_json:
        print_json([_row(outcome) for outcome in outcomes])
        return
    counts = _counts(outcomes)
    print_line(", ".join(f"{number} {status}" for status, number in counts.items()) or "No file found.")
    if unread := [o.file_name for o in outcomes if _answers_nobody(o)]:
        named = ", ".join(unread[:3]) + (" …" if len(unread) > 3 else "")  # noqa: PLR2004
        warn(f"Readable by nobody yet: {named}. Say who may read with options or a .policy.yaml file.")
    for outcome in outcomes:
        if outcome.status is IngestStatus.REFUSED:
            warn(f"refused {outcome.file_name}: {outcome.reason}")


def _answers_nobody(outcome: IngestOutcome) -> bool:
    """A refused file says for itself what became of the version before it."""
    document = outcome.document
    if document is None or outcome.status is IngestStatus.REFUSED:
        return False
    return document.state is DocumentState.INDEXED and document.policy == NOBODY


def _row(outcome: IngestOutcome) -> dict[str, object]:
    document = outcome.document
    return {
        "file": outcome.file_name,
        "status": outcome.status.value,
        "doc_id": document.doc_id if document else None,
        "segments": document.segments if document else 0,
        "embedded": outcome.embedded,
        "reason": outcome.reason,
    }
