"""`ingest --sync`: documents whose files are gone are deleted, and never because a folder could not be looked into."""

from collections.abc import Collection, Iterable
from pathlib import Path

import typer

from groundwire import wiring
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import warn
from groundwire.entry.cli.ingest.subtree import documents_below


def check_folders(paths: Iterable[Path]) -> None:
    """Each is a folder with files in it: an empty one is more likely a disk that is not there; Raises Invalid."""
    services = wiring.local_services()
    for path in paths:
        shown = services.storable_path(path)
        if not path.is_dir():
            raise InvalidInput(f"--sync is for folders, and {shown} is none. Nothing was done.")
        # A folder that cannot be listed is found like a file that cannot be read.
        if all(found.is_dir() for found in services.find_files([path])):
            raise InvalidInput(
                f"{shown} holds no file that can be seen, so nothing was done: check that it is mounted and who may "
                "list it. `groundwire documents delete` deletes by hand."
            )


def delete_missing(
    tenant: str, collection: str, paths: list[Path], present: Collection[str], *, is_confirmed: bool
) -> list[Document]:
    """The documents from beneath the folders whose file is surely gone are deleted with what they carry.

    Where those are more than half of all, somebody is asked first, unless they are `is_confirmed`. Returns what was deleted.
    """
    services = wiring.local_services()
    beneath = documents_below(tenant, collection, paths)
    gone = [each for each in beneath if is_missing(each, present)]
    if len(gone) * 2 > len(beneath) and not is_confirmed and not _ask_confirmation(len(gone), len(beneath)):
        warn("Nothing was deleted.")
        return []
    return [services.document_admin.remove_source(tenant, each.doc_id) for each in gone]


def is_missing(document: Document, present: Collection[str]) -> bool:
    """Tell whether the document's file is gone for certain, and not among the paths that are present."""
    # A name that is no Unicode is stored in other letters, under which the disk does not know it.
    path = str(document.source_path)
    return path not in present and wiring.local_services().is_gone(path)


def _ask_confirmation(missing: int, total: int) -> bool:
    question = f"The files of {missing} of the {total} documents from these folders are gone. Delete the documents?"
    return typer.confirm(question, err=True)
