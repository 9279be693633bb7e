"""`ingest --sync`: deletion of documents whose files are missing, unless a folder cannot be listed."""

from collections.abc import Collection, Iterable
from functools import partial
from pathlib import Path
from typing import Final

import typer

from groundwire import wiring
from groundwire.domain.audit.ingestion import FinishedDocument, RunAudit
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import warn
from groundwire.entry.cli.ingest.file_requests import RequestedFiles
from groundwire.entry.cli.ingest.subtree import documents_below

_DELETED: Final = "deleted"


def check_folders(paths: Iterable[Path]) -> None:
    """Check that each path is a folder.

    Raises:
        InvalidInput: a path is none.
    """
    for path in paths:
        if not path.is_dir():
            shown = wiring.local_services().files.storable_path(path)
            raise InvalidInput(f"--sync works on folders, and {shown} is not a folder. Nothing was changed.")


def check_files_seen(files: RequestedFiles) -> None:
    """Check that each folder has files in it; an empty one may be a disk that is not mounted.

    Raises:
        InvalidInput: a folder holds no file that can be seen.
    """
    listed = files.listed
    seen = [path for path in (*listed.documents, *listed.left_out, *listed.excluded) if not path.endswith("/")]
    for folder in files.folders:
        if not any(path.startswith(folder) for path in seen):
            raise InvalidInput(
                f"{folder} contains no visible file, so nothing was changed. Check that it is mounted and "
                "that this user may list it. To delete documents anyway, use `groundwire documents "
                "delete`."
            )


def delete_missing(
    tenant: str,
    collection: str,
    files: RequestedFiles,
    present: Collection[str],
    audit: RunAudit,
    *,
    is_confirmed: bool,
) -> list[Document]:
    """Delete the documents below the folders whose file is certainly missing, with their attachments; return them.

    The files are looked up from the folders as they were opened, so that a disk which is unmounted meanwhile loses
    nothing. If these are more than half of all, a person is asked first, unless `is_confirmed`.
    """
    services = wiring.local_services()
    documents = documents_below(tenant, collection, files.folders)
    missing = [each for each in documents if is_missing(each, files, present)]
    # More than half is rather a wrong folder than a clean-up.
    if len(missing) * 2 > len(documents) and not is_confirmed and not _ask_confirmation(len(missing), len(documents)):
        warn("Nothing was deleted.")
        return []
    announce = partial(record_deletion, audit)
    # A file may have come back while a person was asked.
    return [
        services.administration.document_admin.remove_source(tenant, each.doc_id, announce)
        for each in missing
        if is_missing(each, files, present)
    ]


def is_missing(document: Document, files: RequestedFiles, present: Collection[str]) -> bool:
    """Return whether the document's file is certainly missing, and not among the present paths."""
    path = str(document.source_path)
    return path not in present and files.is_missing(path)


def record_deletion(audit: RunAudit, _before: Document, after: Document) -> None:
    """Write the audit line of a document that is about to be deleted."""
    audit.changing(_DELETED, FinishedDocument.of(after, _DELETED, None))


def _ask_confirmation(missing: int, total: int) -> bool:
    question = f"Of the {total} documents from these folders, {missing} no longer have a file. Delete these documents?"
    return typer.confirm(question, err=True)
