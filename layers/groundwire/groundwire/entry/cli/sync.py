"""`ingest --sync`: documents whose files are gone are deleted, and never because a folder could not be looked into."""

from collections.abc import Collection, Iterable
from pathlib import Path

import typer

from groundwire import wiring
from groundwire.domain.documents import Document
from groundwire.domain.errors import Invalid
from groundwire.entry.cli.beneath import from_beneath
from groundwire.entry.cli.console import warn


def check_roots(paths: Iterable[Path]) -> None:
    """Each is a folder with files in it: an empty one is more likely a disk that is not there; Raises Invalid."""
    services = wiring.current()
    for path in paths:
        shown = services.readable(path)
        if not path.is_dir():
            raise Invalid(f"--sync is for folders, and {shown} is none. Nothing was done.")
        # A folder that cannot be listed is found like a file that cannot be read.
        if all(found.is_dir() for found in services.find_files([path])):
            raise Invalid(
                f"{shown} holds no file that can be seen, so nothing was done: check that it is mounted and who may "
                "list it. `groundwire documents delete` deletes by hand."
            )


def delete_vanished(
    tenant: str, collection: str, paths: list[Path], present: Collection[str], *, sure: bool
) -> list[Document]:
    """The documents from beneath the folders whose file is surely gone are deleted with what they carry.

    Where those are more than half of all, somebody is asked first, unless they are `sure`. Returns what was deleted.
    """
    services = wiring.current()
    beneath = from_beneath(tenant, collection, paths)
    gone = [each for each in beneath if has_vanished(each, present)]
    if len(gone) * 2 > len(beneath) and not sure and not _confirmed(len(gone), len(beneath)):
        warn("Nothing was deleted.")
        return []
    return [services.document_care.lose(tenant, each.doc_id) for each in gone]


def has_vanished(document: Document, present: Collection[str]) -> bool:
    """Tell whether the document's file is gone for certain, and not among the paths that are present."""
    # A name that is no Unicode is stored in other letters, under which the disk does not know it.
    path = str(document.source_path)
    return path not in present and wiring.current().is_gone(path)


def _confirmed(gone: int, beneath: int) -> bool:
    question = f"The files of {gone} of the {beneath} documents from these folders are gone. Delete the documents?"
    return typer.confirm(question, err=True)
