"""Before a run takes readers away from many documents, a person confirms it."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from groundwire import wiring
from groundwire.domain.access.policy import Policy, removes_readers
from groundwire.domain.access.policy_input import policy_from_mapping
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import Conflict
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.ingest.remote import stable_document_id
from groundwire.entry.cli.ingest.report import first_names
from groundwire.entry.cli.ingest.subtree import filter_below
from groundwire.services.ingest.request import IngestRequest

MAX_UNCONFIRMED_LOSSES: Final = 10
"""From so many documents a run may take readers without a question."""


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """A document's policy before a run, and after it as far as is known before files are read."""

    file: str
    before: Policy
    after: Policy


def confirm_reader_loss(changes: Iterable[PolicyChange], *, is_confirmed: bool) -> None:
    """Asks before readers are taken away from more than `UNASKED` documents, unless somebody is `is_confirmed`.

    Raises:
        Conflict: there is no terminal to ask on.
        Abort: the answer was no.
    """
    lost = [change.file for change in changes if removes_readers(change.before, change.after)]
    if is_confirmed or len(lost) <= MAX_UNCONFIRMED_LOSSES:
        return
    what = f"This run takes readers away from {len(lost):,} documents ({first_names(lost)})."
    if not sys.stdin.isatty():
        raise Conflict(
            f"{what} Nothing was done: say who may read with options or a .policy.yaml file, "
            "or pass --yes if that is meant."
        )
    typer.confirm(f"{what} Continue?", abort=True, err=True)


def local_changes(
    tenant: str,
    requests: Sequence[IngestRequest],
    policy_folders: list[Path],
    is_deleted: Callable[[Document], bool],
) -> Iterator[PolicyChange]:
    """The policies that a run gives to documents of this machine, attachments included.

    Args:
        tenant: whose documents these are.
        requests: the files of the run.
        policy_folders: folders in which documents without a file in the run follow the policy files, too.
        is_deleted: whether the run deletes such a document.
    """
    services = wiring.local_services()
    known = {each.doc_id: each for each in services.documents.all(tenant, None)}
    places = {(each.collection, each.source_path): each.doc_id for each in known.values() if each.parent is None}
    given = {each.doc_id or places.get((each.collection, each.source_path)): each.policy for each in requests}
    policies = services.policy_files()
    for each in filter_below(known.values(), policy_folders):
        if each.doc_id not in given and not is_deleted(each):
            policy = policies.nearest(Path(str(each.source_path)))
            given[each.doc_id] = policy or each.policy
    parents = {each.doc_id: each.parent for each in known.values()}
    for each in known.values():
        after = given.get(_root_document_id(each.doc_id, parents))
        if after is not None and each.state is DocumentState.INDEXED:
            yield PolicyChange(each.source_file_name, each.policy, after)


def remote_changes(
    documents: Sequence[Row], requests: Sequence[IngestRequest], roots: Sequence[Path]
) -> Iterator[PolicyChange]:
    """The policies that files sent to a service give to its documents, attachments included."""
    given = {each.doc_id or stable_document_id(each, roots): each.policy for each in requests}
    parents = {str(row["doc_id"]): None if row["parent"] is None else str(row["parent"]) for row in documents}
    for row in documents:
        after = given.get(_root_document_id(str(row["doc_id"]), parents))
        if after is not None and row["state"] == DocumentState.INDEXED.value:
            yield PolicyChange(str(row["file"]), policy_from_mapping(row["policy"], "The service's answer"), after)


def _root_document_id(doc_id: str, parents: Mapping[str, str | None]) -> str:
    """The mail that an attachment came with; the document itself where it is none."""
    while (parent := parents.get(doc_id)) is not None:
        doc_id = parent
    return doc_id
