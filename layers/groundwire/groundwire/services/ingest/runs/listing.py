"""Listing of the documents in a folder: files of types that are not read are left out and counted, not refused."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.documents.changes.ceiling import is_decided_by_person
from groundwire.domain.documents.changes.tombstones import tombstone
from groundwire.domain.documents.record import Document
from groundwire.ports import Documents, SourceObjects
from groundwire.services.ingest.source_objects.file_types import is_readable_type
from groundwire.services.ingest.source_objects.source_paths import METADATA_FILE

_PAGE_SIZE: Final = 10_000


@dataclass(frozen=True, slots=True)
class ListedFiles:
    """Files at and below some paths, ordered by path for each of them.

    Attributes:
        documents: files to ingest; a folder that cannot be listed is a path with a slash at its end.
        left_out: files of types that are not read.
        excluded: files that the patterns of the run do not select.
    """

    documents: tuple[str, ...]
    left_out: tuple[str, ...]
    excluded: tuple[str, ...] = ()

    def selected(self, is_selected: Callable[[str], bool]) -> "ListedFiles":
        """Return the files without those that are not selected; a folder that cannot be listed stays."""
        excluded = {path for path in (*self.documents, *self.left_out) if not (path.endswith("/") or is_selected(path))}
        return replace(
            self,
            documents=tuple(path for path in self.documents if path not in excluded),
            left_out=tuple(path for path in self.left_out if path not in excluded),
            excluded=tuple(sorted(excluded)),
        )


def list_documents(sources: SourceObjects, tenant: str, paths: Iterable[str]) -> ListedFiles:
    """Return the files at and below the paths; a path with a slash at its end is a folder, another one a named file.

    A named file is never left out, as its refusal gives the reason.
    """
    documents: list[str] = []
    left_out: list[str] = []
    for path in paths:
        if not path.endswith("/"):
            documents.append(path)
            continue
        for found in _list_folder(sources, tenant, path):
            (documents if found.endswith("/") or is_readable_type(found) else left_out).append(found)
    # Folders that were named may overlap.
    named = set(documents)
    return ListedFiles(
        tuple(dict.fromkeys(documents)), tuple(each for each in dict.fromkeys(left_out) if each not in named)
    )


def delete_left_out(
    documents: Documents,
    tenant: str,
    collection: str,
    left_out: Iterable[str],
    announce: Callable[[Document, Document], None],
) -> None:
    """Delete the records of files that are left out now and that earlier releases refused.

    A record on which a person decided stays, so that the decision holds for the file when it can be read.

    Args:
        documents: registry of the records.
        tenant: owner of the files.
        collection: collection of the run.
        left_out: paths of the files.
        announce: called with each record and its tombstone, before it is deleted.
    """
    paths = frozenset(left_out)
    refused = [
        document
        for document in (documents.all(tenant, collection) if paths else ())
        if document.source_path in paths
        and document.parent is None
        and not document.version
        and not is_decided_by_person(document)
    ]
    for document in refused:
        announce(document, tombstone(document))
        documents.delete_unindexed(tenant, document)


def _list_folder(sources: SourceObjects, tenant: str, folder: str) -> Iterator[str]:
    after = ""
    while page := sources.list_subtree(tenant, folder, after, _PAGE_SIZE):
        # Such a file describes the document beside it, as in `a.pdf.meta.yaml`.
        yield from (path for path in page if not path.endswith(METADATA_FILE))
        after = page[-1]
