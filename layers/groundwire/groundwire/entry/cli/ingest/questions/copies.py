"""Question before a run brings the content of a document into its collection a second time."""

import hashlib
import sys
from collections.abc import Mapping, Sequence

import typer

from groundwire.domain.documents.record import Document, DocumentState
from groundwire.domain.errors import DomainError
from groundwire.entry.cli.console import warn
from groundwire.entry.cli.ingest.file_requests import RequestedFiles
from groundwire.entry.cli.ingest.questions.reader_loss import RecordsBefore
from groundwire.entry.cli.ingest.report import first_names
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.ingest.source_objects.source_paths import is_uploaded_by_ticket


def copies_left_out(
    before: RecordsBefore, files: RequestedFiles, collection: str, *, takes_copies: bool
) -> frozenset[str]:
    """Name the new files whose content the collection has from another source; return the paths that are left out.

    On a terminal, a person is asked. Otherwise `takes_copies` decides: one content with two documents has two policies,
    and a change of one leaves the other as it is.
    """
    copies = find_copies(before, files, collection)
    if not copies or takes_copies:
        return frozenset()
    named = first_names([f"{request.file_name} ({document.doc_id})" for request, document in copies])
    count = f"{len(copies):,} new {'file has' if len(copies) == 1 else 'files have'}"
    statement = f"{count} the content of a document from another source in this collection: {named}."
    if sys.stdin.isatty():
        is_taken = typer.confirm(f"{statement} Ingest {'it' if len(copies) == 1 else 'them'} again?", err=True)
        return frozenset() if is_taken else _paths(copies)
    warn(f"{statement} Left out: `--copies` ingests {'it' if len(copies) == 1 else 'them'} again.")
    return _paths(copies)


def find_copies(
    before: RecordsBefore, files: RequestedFiles, collection: str
) -> Sequence[tuple[IngestRequest, Document]]:
    """Return the new files whose content the collection has from another source, each with one such document."""
    present = {request.source_path for request in files.requests}
    others: dict[int, list[Document]] = {}
    for each in before.documents.values():
        is_other = each.collection == collection and each.parent is None and each.source_path not in present
        # A document without its file may be the new file under its old name.
        if is_other and each.state is DocumentState.INDEXED and not _has_lost_its_file(each, files):
            others.setdefault(each.size_bytes, []).append(each)
    found = ((request, _same(request, files, others)) for request in files.requests if before.current(request) is None)
    return [(request, document) for request, document in found if document is not None]


def _has_lost_its_file(document: Document, files: RequestedFiles) -> bool:
    path = document.source_path
    # The file of an upload is temporary, and never missing.
    return path is not None and not is_uploaded_by_ticket(path) and files.is_missing(path)


def _same(request: IngestRequest, files: RequestedFiles, others: Mapping[int, Sequence[Document]]) -> Document | None:
    """Return a document with the file's content; only a file of the same size is read."""
    try:
        file = files.sources.find("", request.source_path)
        candidates = () if file is None else others.get(file.size, ())
        digest = hashlib.sha256(request.read()).hexdigest() if candidates else ""
    except DomainError:
        # The run itself states why it cannot be read.
        return None
    return next((each for each in candidates if each.content_hash == digest), None)


def _paths(copies: Sequence[tuple[IngestRequest, Document]]) -> frozenset[str]:
    return frozenset(request.source_path for request, _ in copies)
