"""Confirmation by a person before a run removes readers from many documents."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from groundwire import wiring
from groundwire.domain.access.policy import NO_READERS, Readers, removes_readers
from groundwire.domain.access.policy_source import followed_policy
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import Conflict, DomainError
from groundwire.entry.cli.console import Row, warn
from groundwire.entry.cli.ingest.file_requests import RequestedFiles
from groundwire.entry.cli.ingest.readers import MAX_UNCONFIRMED_LOSSES
from groundwire.entry.cli.ingest.remote.prepared import policy_at_service, stable_document_id
from groundwire.entry.cli.ingest.report import first_names
from groundwire.entry.cli.ingest.subtree import file_policy_of, filter_below
from groundwire.entry.serialization.readers import readers_from_json
from groundwire.services.ingest.request import IngestRequest


@dataclass(frozen=True, slots=True)
class PolicyChange:
    """A document's readers before a run, and after it as far as is known before files are read."""

    file: str
    before: Readers
    after: Readers


def confirm_reader_loss(changes: Iterable[PolicyChange], *, is_confirmed: bool) -> None:
    """Ask for confirmation before a run removes readers from more than `MAX_UNCONFIRMED_LOSSES` documents.

    Args:
        changes: the policies of the documents before and after the run.
        is_confirmed: the person has agreed already; nothing is asked.

    Raises:
        Conflict: there is no terminal to ask on.
        Abort: the answer was no.
    """
    affected = [change.file for change in changes if removes_readers(change.before, change.after)]
    if is_confirmed or len(affected) <= MAX_UNCONFIRMED_LOSSES:
        return
    statement = f"This run removes readers from {len(affected):,} documents ({first_names(affected)})."
    # A scheduled run must fail rather than wait for an answer.
    if not sys.stdin.isatty():
        raise Conflict(
            f"{statement} Nothing was changed. Name the readers with options or a .policy.yaml file, or "
            "confirm with --yes."
        )
    typer.confirm(f"{statement} Continue?", abort=True, err=True)


class RecordsBefore:
    """Records of a tenant before a run, and those which its files continue.

    Attributes:
        documents: the living documents by id.
    """

    def __init__(self, tenant: str, files: RequestedFiles) -> None:
        self.documents = {each.doc_id: each for each in wiring.local_services().stores.documents.all(tenant, None)}
        self._files = files
        self._ids_by_source = {
            (each.collection, each.source_path): each.doc_id for each in self.documents.values() if each.parent is None
        }

    def id_of(self, request: IngestRequest) -> str | None:
        """Return the id of the document that the file continues, or that was chosen for it; None for a new document."""
        return request.doc_id or self._ids_by_source.get((request.collection, request.source_path))

    def current(self, request: IngestRequest) -> Document | None:
        """Return the document that the file continues; None without one."""
        return self.documents.get(self.id_of(request) or "")

    def unreadable(self) -> list[str]:
        """Return the names of the files that nobody may read after the run, as far as is known before they are read."""
        return [each.file_name for each in self._files.requests if self._is_unreadable(each)]

    def _is_unreadable(self, request: IngestRequest) -> bool:
        current = self.current(request)
        if request.policy_for(current).policy != NO_READERS:
            return False
        return current is not None or not self._may_be_renamed(request)

    def _may_be_renamed(self, request: IngestRequest) -> bool:
        """Return whether a document of this size has lost its file: the new file may be that one, with its readers."""
        try:
            found = self._files.sources.find("", request.source_path)
        except DomainError:
            return False
        return found is not None and any(
            each.size_bytes == found.size and each.parent is None and self._files.is_missing(str(each.source_path))
            for each in self.documents.values()
            if each.collection == request.collection
        )


def warn_of_unreadable(files: Sequence[str]) -> None:
    """Print the files that nobody may read after the run."""
    if files:
        warn(
            f"Nobody may read these documents yet ({first_names(files)}). Name the readers with "
            "options or a .policy.yaml file."
        )


def local_changes(
    before: RecordsBefore,
    files: RequestedFiles,
    is_deleted: Callable[[Document], bool],
    *,
    follows_policy_files: bool,
) -> Iterator[PolicyChange]:
    """Yield the policies that a run gives to documents of this machine, attachments included.

    Args:
        before: the tenant's records.
        files: the files of the run.
        is_deleted: whether the run deletes a document without a file in the run.
        follows_policy_files: whether such documents below the folders follow the policy files.
    """
    documents = before.documents
    requests = {before.id_of(each): each for each in files.requests}
    new_readers = {doc_id: each.policy_for(documents.get(doc_id or "")).readers for doc_id, each in requests.items()}
    sidecars = files.new_resolver()
    for each in filter_below(documents.values(), files.folders if follows_policy_files else ()):
        if each.doc_id not in new_readers and not is_deleted(each):
            followed = followed_policy(file_policy_of(sidecars, each), each.sourced_policy)
            new_readers[each.doc_id] = followed.readers
    parents = {each.doc_id: each.parent for each in documents.values()}
    for each in documents.values():
        after = new_readers.get(_root_document_id(each.doc_id, parents))
        # A document that is not indexed has no readers to lose.
        if after is not None and each.state is DocumentState.INDEXED:
            yield PolicyChange(each.source_file_name, each.readers, after)


def remote_changes(
    documents: Sequence[Row], requests: Sequence[IngestRequest], roots: Sequence[Path]
) -> Iterator[PolicyChange]:
    """Yield the policies that sent files give to a service's documents, attachments included."""
    rows = {str(row["doc_id"]): row for row in documents}
    sent = {each.doc_id or stable_document_id(each, roots): each for each in requests}
    new_readers = {doc_id: policy_at_service(each, rows.get(doc_id)).readers for doc_id, each in sent.items()}
    parents = {str(row["doc_id"]): None if row["parent"] is None else str(row["parent"]) for row in documents}
    for row in documents:
        after = new_readers.get(_root_document_id(str(row["doc_id"]), parents))
        if after is not None and row["state"] == DocumentState.INDEXED.value:
            yield PolicyChange(str(row["file"]), readers_from_json(row), after)


def _root_document_id(doc_id: str, parents: Mapping[str, str | None]) -> str:
    """Return the id of the document that an attachment finally belongs to; a document's own id otherwise."""
    while (parent := parents.get(doc_id)) is not None:
        doc_id = parent
    return doc_id
