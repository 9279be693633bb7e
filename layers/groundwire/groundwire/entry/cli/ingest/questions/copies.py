"""Question before a run ingests the content of a document into its collection a second time."""

import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import typer

from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import DomainError
from groundwire.entry.cli.console import Row, warn
from groundwire.entry.cli.ingest.file_requests import RequestedFiles
from groundwire.entry.cli.ingest.questions.reader_loss import RecordsBefore
from groundwire.entry.cli.ingest.remote.prepared import stable_document_id
from groundwire.entry.cli.ingest.report import first_names
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.ingest.source_objects.source_paths import is_uploaded_by_ticket

Copies = Sequence[tuple[IngestRequest, str]]
"""New files whose content the collection has from another source, each with the id of one such document."""


def copies_left_out(copies: Copies, *, takes_copies: bool) -> frozenset[str]:
    """Name the copies; return the paths of the files that are left out.

    On a terminal, a person is asked. Otherwise `takes_copies` decides: one content with two documents has two policies,
    and a change of one leaves the other as it is.
    """
    if not copies or takes_copies:
        return frozenset()
    named = first_names([f"{request.file_name} ({doc_id})" for request, doc_id in copies])
    count = f"{len(copies):,} new {'file has' if len(copies) == 1 else 'files have'}"
    statement = f"{count} the content of a document from another source in this collection: {named}."
    paths = frozenset(request.source_path for request, _ in copies)
    if sys.stdin.isatty():
        is_taken = typer.confirm(f"{statement} Ingest {'it' if len(copies) == 1 else 'them'} again?", err=True)
        return frozenset() if is_taken else paths
    warn(f"{statement} Left out: `--copies` ingests {'it' if len(copies) == 1 else 'them'} again.")
    return paths


def find_copies(before: RecordsBefore, files: RequestedFiles, collection: str) -> Copies:
    """Return the copies among the files of a run on this machine."""
    present = {request.source_path for request in files.requests}
    others: dict[int, dict[str, str]] = {}
    for each in before.documents.values():
        is_other = each.collection == collection and each.parent is None and each.source_path not in present
        # A document without its file may be the new file under its old name.
        if is_other and each.state is DocumentState.INDEXED and not _has_lost_its_file(each, files):
            others.setdefault(each.size_bytes, {})[each.content_hash] = each.doc_id
    return _copies((each for each in files.requests if before.current(each) is None), files, others)


def find_remote_copies(documents: Iterable[Row], files: RequestedFiles, roots: Sequence[Path]) -> Copies:
    """Return the copies among files that are sent to a service, with its documents of the collection."""
    ids = {each.doc_id or stable_document_id(each, roots): each for each in files.requests}
    others: dict[int, dict[str, str]] = {}
    known: set[str] = set()
    for row in documents:
        known.add(str(row["doc_id"]))
        if row["parent"] is None and row["state"] == DocumentState.INDEXED.value and row["doc_id"] not in ids:
            others.setdefault(int(str(row["size_bytes"])), {})[str(row["content_hash"])] = str(row["doc_id"])
    return _copies((each for doc_id, each in ids.items() if doc_id not in known), files, others)


def _copies(
    new: Iterable[IngestRequest], files: RequestedFiles, others: Mapping[int, Mapping[str, str]]
) -> list[tuple[IngestRequest, str]]:
    found = ((request, _same(request, files, others)) for request in new)
    return [(request, doc_id) for request, doc_id in found if doc_id is not None]


def _has_lost_its_file(document: Document, files: RequestedFiles) -> bool:
    path = document.source_path
    # The file of an upload is temporary, and never missing.
    return path is not None and not is_uploaded_by_ticket(path) and files.is_missing(path)


def _same(request: IngestRequest, files: RequestedFiles, others: Mapping[int, Mapping[str, str]]) -> str | None:
    """Return the id of a document with the file's content; only a file of the same size is read."""
    try:
        file = files.sources.find("", request.source_path)
        candidates = None if file is None else others.get(file.size)
        return None if candidates is None else candidates.get(hashlib.sha256(request.read()).hexdigest())
    except DomainError:
        # The run itself states why it cannot be read.
        return None
